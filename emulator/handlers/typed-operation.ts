import type { JsonValue } from "../json/json-value.js";

// An operation without parameters has an empty object.
/* eslint-disable @typescript-eslint/no-generated-empty-object-type */
type PathParameters<Operation> = Operation extends { parameters: { path: infer Path } }
  ? Path
  : Record<never, never>;
type QueryParameters<Operation> = Operation extends { parameters: { query?: infer Query } }
  ? { readonly [Name in keyof NonNullable<Query>]?: string }
  : Record<never, never>;
/* eslint-enable @typescript-eslint/no-generated-empty-object-type */
/** The JSON body that an operation takes. */
export type RequestBody<Operation> = Operation extends {
  requestBody: { content: { "application/json": infer Body } };
}
  ? Body
  : undefined;

/** A valid request. */
export interface TypedRequest<Operation, Body = RequestBody<Operation>> {
  readonly path: Readonly<PathParameters<Operation>>;
  /** Query parameters as text, validated against their schemas. */
  readonly query: QueryParameters<Operation>;
  readonly body: Body;
  /** The body without loss: all digits, and fields in order. Read free-form `data` from here. */
  readonly json: JsonValue | undefined;
  /** Bytes of the body as it was sent. */
  readonly bodyBytes: number;
}

/** A response that the contract declares for the operation. Errors are thrown as problems. */
export type TypedResponse<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses]: Responses[Status] extends { content: { "application/json": infer Body } }
        ? { readonly status: Status; readonly body: Body }
        : Responses[Status] extends { content?: never }
          ? { readonly status: Status; readonly body?: undefined }
          : never;
    }[keyof Responses]
  : never;
