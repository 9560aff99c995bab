import type { InterceptedRequest } from "./intercept.js";

/** Returns a later time for every response, like a deployment that shows the time of the read. */
export function addReads(time: string, { memory }: InterceptedRequest): string {
  const reads = Number(memory.get("reads") ?? 0) + 1;
  memory.set("reads", reads);
  return new Date(Date.parse(time) + reads).toISOString();
}
