/** What sending requests needs of the globals of Node. */
type FetchGlobals = Pick<typeof globalThis, "AbortSignal" | "fetch" | "Request" | "TextDecoder">;

/**
 * Returns the global objects, or those outside the test environment if it has no `fetch`, as Jest's environment jsdom:
 * Node's `fetch` accepts only Node's own `AbortSignal`.
 */
export function getFetchGlobals(): FetchGlobals {
  if ("fetch" in globalThis) return globalThis;
  return process.getBuiltinModule("node:vm").runInThisContext("globalThis") as FetchGlobals;
}
