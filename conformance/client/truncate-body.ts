import type { Exchange } from "./exchange.js";

/** Truncates a body to a number of characters and adds its length. */
export function truncateBody(body: string, maxCharacters: number): string {
  if (body.length <= maxCharacters) return body;
  // The start is copied, because V8 keeps the whole text as long as a slice of it exists.
  const start = Buffer.from(body.slice(0, maxCharacters), "utf16le").toString("utf16le");
  return `${start}… (truncated; ${body.length} characters in total)`;
}

/** Truncates the body of the response of an exchange. */
export function truncateResponse(exchange: Exchange, maxCharacters: number): Exchange {
  const { answer } = exchange;
  if (answer === undefined || answer.body.length <= maxCharacters) return exchange;
  return { ...exchange, answer: { ...answer, body: truncateBody(answer.body, maxCharacters) } };
}

/** Truncates the bodies of an exchange. */
export function truncateBodies(exchange: Exchange, maxCharacters: number): Exchange {
  const truncated = truncateResponse(exchange, maxCharacters);
  const { request } = truncated;
  if (request.body === undefined || request.body.length <= maxCharacters) return truncated;
  return { ...truncated, request: { ...request, body: truncateBody(request.body, maxCharacters) } };
}
