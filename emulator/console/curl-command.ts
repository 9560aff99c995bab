/** A request as a line for a shell. */
export function curlCommand({
  method,
  url,
  body,
  hasToken,
}: {
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
  readonly hasToken: boolean;
}): string {
  return [
    "curl",
    ...(method === "GET" ? [] : ["-X", method]),
    quoted(url),
    // in double quotes, so that the shell puts the credential there
    ...(hasToken ? ["-H", '"Authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined
      ? []
      : ["-H", quoted("Content-Type: application/json"), "--data-raw", quoted(body)]),
  ].join(" ");
}

/** A text that a shell takes as it is. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
