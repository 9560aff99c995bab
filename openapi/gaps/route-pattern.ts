import type { OpenRoute } from "./gap.js";

/** The form of the answers that a gap takes beside its choices, as a regular expression for JSON Schema too. */
export function routePattern({ methods, parameters, keys = false }: OpenRoute): string {
  const names = keys ? [...parameters, "pk"] : parameters;
  const segment = `/(?:[A-Za-z0-9._~-]+${names.map((name) => `|\\{${name}\\}`).join("")})`;
  const present = parameters.map((name) => `(?=.*\\{${name}\\})`).join("");
  const once = names.map((name) => `(?!.*\\{${name}\\}.*\\{${name}\\})`).join("");
  const withoutKeys = keys ? `(?:(?!.*\\{pk\\})|(?=.*\\{pk\\}.*\\[/\\{sk\\}\\]$))` : "";
  const sortKey = keys ? "(?:(?<=\\{pk\\}.*)\\[/\\{sk\\}\\])?" : "";
  return `^(?:${methods.join("|")}) (?!/_emulator/|/ns/)${present}${once}${withoutKeys}(?:${segment})+${sortKey}$`;
}
