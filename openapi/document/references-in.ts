/** The names that a part of a document refers to below `#/components/<kind>/`. */
export function referencesIn(part: unknown, kind: "schemas" | "examples"): ReadonlySet<string> {
  const start = `#/components/${kind}/`;
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
    // references stand beside `$ref`, and in the mapping of a discriminator
    else if (typeof value === "string" && value.startsWith(start)) found.add(value.slice(start.length));
  };
  visit(part);
  return found;
}
