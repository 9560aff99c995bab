/** A place in a JSON value that names a variable nobody set. */
interface UnsetVariable {
  readonly place: string;
  readonly detail: string;
}

const reference = /\$\$\{|\$\{([^}]*)\}?/g;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Puts environment variables in place of `${NAME}` in every text of a JSON value; `$${` stands for `${` itself.
 * Values are put in after parsing, so that nothing in them can change the structure.
 */
export function substituteVariables(
  value: unknown,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly value: unknown; readonly mistakes: readonly UnsetVariable[] } {
  const mistakes: UnsetVariable[] = [];
  const substitute = (part: unknown, place: string): unknown => {
    if (typeof part === "string")
      return part.replace(reference, (whole, name: string | undefined) => {
        if (name === undefined) return "${";
        if (!variableName.test(name) || !whole.endsWith("}")) {
          mistakes.push({ place, detail: `"${whole}" is no reference to a variable; write \${NAME}` });
          return whole;
        }
        const found = environment[name];
        if (found === undefined || found === "") {
          const state = found === undefined ? "is not set" : "is empty";
          mistakes.push({ place, detail: `the environment variable ${name} ${state}; export it first` });
        }
        return found ?? "";
      });
    if (Array.isArray(part)) return part.map((entry, index) => substitute(entry, join(place, String(index))));
    if (typeof part === "object" && part !== null)
      return Object.fromEntries(
        Object.entries(part).map(([name, entry]) => [name, substitute(entry, join(place, name))]),
      );
    return part;
  };
  return { value: substitute(value, ""), mistakes };
}

function join(place: string, name: string): string {
  return place === "" ? name : `${place}.${name}`;
}
