import { getNodeBindings } from "./raw-target.js";

/** The parts of a response. */
export interface ResponseParts {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  /** The kind of problem or the SQL error code in the response. */
  readonly problem?: string | undefined;
}

/**
 * Returns the class of the responses to create for a request. The emulator's own server sends instances of one class faster
 * than others.
 *
 * @param env the bindings of the server
 */
export function getResponseClass(env: unknown): typeof Response {
  const { outgoing } = getNodeBindings(env);
  return (outgoing as { readonly responseClass?: typeof Response } | undefined)?.responseClass ?? Response;
}
