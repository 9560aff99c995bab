import type { RequestBody } from "../../openapi/operations/operation-types.js";
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
