/** The beginning of a body that is longer than so many characters, and how long it was. */
export function cutBody(body: string, mostCharacters: number): string {
  return body.length <= mostCharacters
    ? body
    : `${body.slice(0, mostCharacters)}… (cut, ${body.length} characters in all)`;
}
