const parameterPattern = /\{(\w+)\}/g;

/** The names of the parameters of a path such as `/databases/{databaseId}`. */
export function getPathParameters(template: string): string[] {
  return [...template.matchAll(parameterPattern)].map(([, name = ""]) => name);
}

/**
 * Fills the parameters of a path, percent-encoded.
 *
 * @param encode encodes a value (default: for a URL)
 * @throws Error for the values `.` and `..`, with which the URL would be that of another resource
 */
export function fillPath(
  template: string,
  values: Readonly<Record<string, string | undefined>>,
  encode: (text: string, name: string) => string = encodeSegment,
): string {
  return template.replace(parameterPattern, (_, name: string) => encode(values[name] ?? "", name));
}

/** URL parsers remove the segments `.` and `..`, however they are encoded. */
function encodeSegment(text: string, name: string): string {
  if (text === "." || text === "..")
    throw new Error(`${name} must not be "${text}", which URLs cannot have as a path segment`);
  return encodeURIComponent(text);
}

/** What the paths of a template look like, with a group for each parameter. */
export function toRouteRegExp(template: string): RegExp {
  return new RegExp(`^${template.replace(parameterPattern, "(?<$1>[^/]+)")}$`);
}
