import type { Exchange } from "./exchange.js";

/** Truncates a body to a number of characters and adds its length. */
export function truncateBody(body: string, maxCharacters: number): string {
  return body.length <= maxCharacters
    ? body
    : `${body.slice(0, maxCharacters)}… (truncated; ${body.length} characters in total)`;
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
