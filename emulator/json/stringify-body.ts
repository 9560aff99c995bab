/** Writes a body as compact JSON; raw JSON inside it goes out as it is. */
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
  // bodies are plain objects, which have no members but their own
  for (const name in value) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (member === undefined) continue;
    text += (text.length === 1 ? "" : ",") + quoteName(name) + stringifyBody(member);
  }
  return `${text}}`;
}

/** Most names of fields come from our own code and are few; clients choose those of headers and data. */
function quoteName(name: string): string {
  const known = quotedNames.get(name);
  if (known !== undefined) return known;
  const quoted = `${JSON.stringify(name)}:`;
  if (quotedNames.size < 1000) quotedNames.set(name, quoted);
  return quoted;
}

const quotedNames = new Map<string, string>();

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
