import { isObject } from "../../openapi/text/is-object.js";
import { tryTo } from "../../openapi/text/try-to.js";

/** The text that replaces a secret. */
export const redactedText = "[redacted]";

const secretNames = "password|passwd|(?:client[-_]?)?secret|authorization|cookie";
/** The suffixes of other names of secrets. */
const secretSuffixes = "token|api[-_]?key";
const secretName = new RegExp(`^(?:${secretNames}|.*(?:${secretSuffixes}))$`, "i");
/** Names of fields in the specification that have such a suffix, but are not secret. */
const publicNames = new Set(["pagetoken", "nextpagetoken", "clientrequesttoken"]);
const secretHeader = /authorization|cookie|token|secret|password|api-?key/i;

/** Whether the value of a field or parameter with this name is a secret. */
function isSecretName(name: string): boolean {
  return secretName.test(name) && !publicNames.has(name.toLowerCase());
}

/** Redacts the credential in the value of a header. */
export function redactHeader(name: string, value: string): string {
  if (!secretHeader.test(name)) return value;
  return /^bearer\s/i.test(value) ? `Bearer ${redactedText}` : redactedText;
}

/** Redacts the secrets in the query of a path. */
export function redactPath(path: string): string {
  const start = path.indexOf("?") + 1;
  if (start === 0) return path;
  const parameters = path
    .slice(start)
    .split("&")
    .map((parameter) => {
      const end = parameter.indexOf("=");
      const name = parameter.slice(0, end);
      return end >= 0 && isSecretName(decodeOrKeep(name)) ? `${name}=${redactedText}` : parameter;
    });
  return path.slice(0, start) + parameters.join("&");
}

/** Matches every text that may have a secret field. An escape may stand for any letter. */
const secretHint = new RegExp(`(?:${secretNames}|${secretSuffixes})"|\\\\u`, "i");

/** Matches the text before the next string that has an escape or may be the name of a secret field. */
const harmless = new RegExp(
  `[^"]*(?:"(?!(?:${secretNames}|[^"]*(?:${secretSuffixes}))"\\s*:)[^"\\\\]*"[^"]*)*`,
  "iy",
);
/** Matches each string, and the colon after it if it is the name of a field. All other characters are skipped. */
const strings = /("[^"\\]*(?:\\[^]?[^"\\]*)*"?)(\s*:)?/g;
const jsonTokens = /"[^"\\]*(?:\\[^]?[^"\\]*)*"?|[{}[\]:,]|[^\s"{}[\]:,]+/g;

/**
 * Redacts the values of secret fields at any depth, even if the JSON text is truncated.
 *
 * @param hasSecrets whether the operation handles credentials, so that a body that is no JSON object is redacted as a whole
 */
export function redactBody(text: string, hasSecrets: boolean): string {
  if (hasSecrets && !isObject(parseOrUndefined(text))) return redactedText;
  // This test is ten times as fast as reading every string.
  if (!secretHint.test(text)) return text;
  let result = "";
  /** The text before this position is already in the result. */
  let from = 0;
  strings.lastIndex = 0;
  for (;;) {
    // Skipping many strings at once is five times as fast as reading each.
    harmless.lastIndex = strings.lastIndex;
    harmless.test(text);
    strings.lastIndex = harmless.lastIndex;
    const match = strings.exec(text);
    if (match === null) break;
    const [, name = "", colon] = match;
    if (colon === undefined || !isSecretName(toName(name))) continue;
    const [start, end] = findValue(text, strings.lastIndex);
    if (start === end) continue;
    result += `${text.slice(from, start)}"${redactedText}"`;
    strings.lastIndex = from = end;
  }
  return result + text.slice(from);
}

/** Returns where the next value starts and ends: at the same place if there is none, at the end of a truncated text. */
function findValue(text: string, from: number): readonly [start: number, end: number] {
  jsonTokens.lastIndex = from;
  let depth = 0;
  let start = -1;
  for (let match = jsonTokens.exec(text); match !== null; match = jsonTokens.exec(text)) {
    const [token] = match;
    if (start < 0) start = match.index;
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    if (depth < 0) return [from, from];
    if (depth === 0) return [start, jsonTokens.lastIndex];
  }
  return start < 0 ? [from, from] : [start, text.length];
}

/** Parses the name of a field. Most names have no escapes and need no slow parsing. */
function toName(token: string): string {
  return token.includes("\\") ? String(parseOrUndefined(token)) : token.slice(1, -1);
}

function parseOrUndefined(text: string): unknown {
  return tryTo(() => JSON.parse(text) as unknown);
}

function decodeOrKeep(text: string): string {
  return tryTo(() => decodeURIComponent(text.replaceAll("+", " "))) ?? text;
}
