import type * as Yaml from "yaml";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";

/** Parses a YAML or JSON text, or says why it cannot be read, without quoting the text, which may contain a secret. */
export function parseYaml(text: string): { readonly value: unknown } | { readonly mistake: string } {
  const { parseDocument } = lazyRequire("yaml") as typeof Yaml;
  // The default messages quote the line.
  const document = parseDocument(text, { prettyErrors: false });
  const [syntaxError] = document.errors;
  if (syntaxError !== undefined) {
    const lines = text.slice(0, syntaxError.pos[0]).split("\n");
    const column = (lines.at(-1)?.length ?? 0) + 1;
    return {
      mistake: `not valid YAML or JSON: line ${lines.length}, column ${column}: ${syntaxError.message}`,
    };
  }
  try {
    const value: unknown = document.toJS();
    // Throws if a value contains itself.
    JSON.stringify(value);
    return { value };
  } catch (error) {
    return { mistake: `not valid YAML or JSON: ${describeError(error)}` };
  }
}

function describeError(error: unknown): string {
  if (error instanceof TypeError) return "an alias refers to a value that contains it";
  if (!(error instanceof ReferenceError)) throw error;
  const { message } = error;
  return message.startsWith("Excessive alias count") ? "the aliases expand to too many values" : message;
}
