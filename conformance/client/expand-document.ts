import type { Document } from "yaml";

/** Returns the value of a YAML document, or says why its aliases cannot be expanded. */
export function expandDocument(
  document: Document,
): { readonly value: unknown } | { readonly mistake: string } {
  try {
    const value: unknown = document.toJS();
    // refuses a value that contains itself
    JSON.stringify(value);
    return { value };
  } catch (error) {
    if (error instanceof TypeError) return { mistake: "an alias refers to a value that contains it" };
    if (!(error instanceof ReferenceError)) throw error;
    const { message } = error;
    return { mistake: message.startsWith("Excessive alias count") ? "its aliases expand too much" : message };
  }
}
