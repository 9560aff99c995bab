/** Appends the name of a field or the index of an element to a JSON pointer (RFC 6901). */
export function appendPointer(pointer: string, segment: string | number): string {
  return `${pointer}/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Returns the value at a JSON pointer; `undefined` if there is none. */
export function resolvePointer(value: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (part, segment) => (part as Readonly<Record<string, unknown>> | undefined)?.[segment],
      value,
    );
}
