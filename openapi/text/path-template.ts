const parameterPattern = /\{(\w+)\}/g;

/** The names of the parameters of a path such as `/databases/{databaseId}`. */
export function getPathParameters(template: string): string[] {
  return [...template.matchAll(parameterPattern)].map(([, name = ""]) => name);
}

/** Fills the parameters of a path, percent-encoded. */
export function fillPath(template: string, values: Readonly<Record<string, string | undefined>>): string {
  return template.replace(parameterPattern, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}

/** What the paths of a template look like, with a group for each parameter. */
export function toRouteRegExp(template: string): RegExp {
  return new RegExp(`^${template.replace(parameterPattern, "(?<$1>[^/]+)")}$`);
}
