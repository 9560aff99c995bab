/** What stands where a secret stood. */
export const redactedText = "[redacted]";

const secretName =
  /^(?:password|passwd|secret|.*token|.*api[-_]?key|client[-_]?secret|authorization|cookie)$/i;
/** Names of the specification that end like a secret's and are none. */
const publicNames = new Set(["pagetoken", "nextpagetoken", "clientrequesttoken"]);
const secretHeader = /authorization|cookie|token|secret|password|api-?key/i;

/** Whether the value of a member or parameter of this name is a secret. */
function isSecretName(name: string): boolean {
  return secretName.test(name) && !publicNames.has(name.toLowerCase());
}

/** The value of a header without the credential in it. */
export function redactHeader(name: string, value: string): string {
  if (!secretHeader.test(name)) return value;
  return /^bearer\s/i.test(value) ? `Bearer ${redactedText}` : redactedText;
}

/** A path without the secrets in its query. */
export function redactPath(path: string): string {
  return path.replace(/([?&])([^=&]*)=[^&]*/g, (whole, mark: string, name: string) =>
    isSecretName(decodeOrKeep(name)) ? `${mark}${name}=${redactedText}` : whole,
  );
}

const jsonTokens = /"[^"\\]*(?:\\[^]?[^"\\]*)*"?|[{}[\]:,]|[^\s"{}[\]:,]+/g;

/**
 * A body without the values of secret members, wherever they stand in a text that is JSON or begins like it.
 *
 * @param takesSecrets whether the operation is about credentials: then what is no JSON is hidden as a whole
 */
export function redactBody(text: string, takesSecrets: boolean): string {
  if (takesSecrets && parseOrUndefined(text) === undefined) return redactedText;
  let result = "";
  /** What stands before it is in the result. */
  let from = 0;
  /** The string before, which a colon makes the name of a member. */
  let name = "";
  let isNext = false;
  /** Where the secret value begins that is passed over, and how deep in it this is. */
  let start = -1;
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(jsonTokens)) {
    if (start < 0 && !isNext) {
      isNext = token === ":" && isSecretName(name);
      name = token.startsWith('"') ? String(parseOrUndefined(token)) : "";
      continue;
    }
    isNext = false;
    if (start < 0) start = index;
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    if (depth > 0) continue;
    // the end of what is around it: there was no value
    if (depth === 0) {
      result += `${text.slice(from, start)}"${redactedText}"`;
      from = index + token.length;
    }
    start = -1;
    depth = 0;
  }
  return start < 0 ? result + text.slice(from) : `${result}${text.slice(from, start)}"${redactedText}"`;
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
