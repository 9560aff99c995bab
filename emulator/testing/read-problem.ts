import type { TestResponse } from "./test-client.js";

/** Returns the kind of the problem in a response, or the code of an SQL error; undefined for any other body. */
export function getProblemKind({ body }: TestResponse): string | undefined {
  const { type, code } = (body ?? {}) as { readonly type?: string; readonly code?: string };
  return type === undefined ? code : type.split("/").at(-1);
}

/** Returns the status of a response and the kind of its problem. */
export function getRefusal(response: TestResponse): readonly [number, string | undefined] {
  return [response.status, getProblemKind(response)];
}

/** Returns the JSON pointers to the mistakes in a problem. */
export function getErrorPointers({ body }: TestResponse): string[] {
  return (body as { readonly errors: readonly { readonly pointer: string }[] }).errors.map(
    ({ pointer }) => pointer,
  );
}
