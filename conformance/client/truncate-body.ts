import type { Exchange } from "./exchange.js";

/** Truncates a body to a number of characters and adds its length. */
export function truncateBody(body: string, maxCharacters: number): string {
  if (body.length <= maxCharacters) return body;
  // a copy, because V8 keeps the whole text as long as a slice of it exists
  const start = Buffer.from(body.slice(0, maxCharacters), "utf16le").toString("utf16le");
  return `${start}… (truncated; ${body.length} characters in total)`;
}

/** Truncates the bodies of an exchange. */
export function truncateBodies(exchange: Exchange, maxCharacters: number): Exchange {
  const { request, answer } = exchange;
  const isShort = (body: string | undefined) => (body?.length ?? 0) <= maxCharacters;
  if (isShort(request.body) && isShort(answer?.body)) return exchange;
  return {
    ...exchange,
    request: {
      ...request,
      body: request.body === undefined ? undefined : truncateBody(request.body, maxCharacters),
    },
    answer: answer === undefined ? undefined : { ...answer, body: truncateBody(answer.body, maxCharacters) },
  };
}
