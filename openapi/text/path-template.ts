const parameterPattern = /\{(\w+)\}/g;

/** Returns the names of the parameters in a path such as `/databases/{databaseId}`. */
export function getPathParameters(template: string): string[] {
  return [...template.matchAll(parameterPattern)].map(([, name = ""]) => name);
}

/**
 * Replaces the parameters of a path with percent-encoded values.
 *
 * @param encode encodes a value (default: for a URL)
 * @throws Error for the values `.` and `..`, with which the URL would refer to another resource
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
    throw new Error(`${name} must not be "${text}", which cannot be a segment of a URL path`);
  return encodeURIComponent(text);
}

/** Creates a regular expression for the paths of a template, with a group for each parameter. */
export function toRouteRegExp(template: string): RegExp {
  return new RegExp(`^${template.replace(parameterPattern, "(?<$1>[^/]+)")}$`);
}
