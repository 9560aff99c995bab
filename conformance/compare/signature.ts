import type { Difference } from "./run-history.js";

/** What differences of one kind have in common: operation, statuses, and place in the answer. */
export function signatureOf({ operationId, command, statuses, pointer }: Difference): string {
  const { does } = command;
  const what = operationId ?? (does.kind === "send" ? does.method : does.kind);
  return [what, ...statuses, placeOf(pointer)].join(" ");
}

/** A pointer without the places in lists. */
export function placeOf(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");
}
