const jsonText = Symbol("JSON text");

/** JSON text in the place of a value: it goes into an answer as it is, without being parsed and written again. */
// an interface would not fit where the contract wants an object of any members
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions
export type RawJson = { readonly [jsonText]: string };

export function rawJson(text: string): RawJson {
  return { [jsonText]: text };
}

/** JSON text of an array in the place of an array. */
export function rawJsonArray(text: string): never[] {
  // only `stringifyBody` reads it
  return rawJson(text) as unknown as never[];
}

/** The text of a raw value; nothing for any other value. */
export function getRawText(value: object): string | undefined {
  return (value as Partial<RawJson>)[jsonText];
}
