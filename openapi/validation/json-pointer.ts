/** The JSON pointer (RFC 6901) to a member or an element of the value at another pointer. */
export function pointerTo(pointer: string, segment: string | number): string {
  return `${pointer}/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
