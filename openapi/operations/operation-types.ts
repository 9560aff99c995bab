/** The JSON body that an operation takes. */
export type RequestBody<Operation> = Operation extends {
  requestBody: { content: { "application/json": infer Body } };
}
  ? Body
  : undefined;

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
