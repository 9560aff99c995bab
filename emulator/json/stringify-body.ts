/** Writes a body as compact JSON. Raw JSON in it keeps its text. */
export function stringifyBody(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    let text = "[";
    for (let index = 0; index < value.length; index += 1)
      text += (index === 0 ? "" : ",") + stringifyBody(value[index]);
    return `${text}]`;
  }
  const raw = (value as Partial<RawJson>)[jsonText];
  if (raw !== undefined) return raw;
  let text = "{";
  // Bodies are plain objects, which inherit no enumerable fields.
  for (const name in value) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (member === undefined) continue;
    text += (text.length === 1 ? "" : ",") + quoteName(name) + stringifyBody(member);
  }
  return `${text}}`;
}

/** Quotes a name. Most names come from the code of this project, so quoted names are cached. */
function quoteName(name: string): string {
  const known = quotedNames.get(name);
  if (known !== undefined) return known;
  const quoted = `${JSON.stringify(name)}:`;
  if (quotedNames.size < 1000) quotedNames.set(name, quoted);
  return quoted;
}

const quotedNames = new Map<string, string>();

const jsonText = Symbol("JSON text");

/** JSON text in place of a value, which a body contains unchanged. */
// An interface would not be assignable to an object with any fields.
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions
export type RawJson = { readonly [jsonText]: string };

export function rawJson(text: string): RawJson {
  return { [jsonText]: text };
}

/** JSON text of an array in place of the array. */
export function rawJsonArray(text: string): never[] {
  // Only `stringifyBody` reads it.
  return rawJson(text) as unknown as never[];
}
