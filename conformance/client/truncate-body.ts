import type { Exchange } from "./exchange.js";

/** The beginning of a body that is longer than so many characters, and how long it was. */
export function truncateBody(body: string, maxCharacters: number): string {
  return body.length <= maxCharacters
    ? body
    : `${body.slice(0, maxCharacters)}… (cut, ${body.length} characters in all)`;
}

/** An exchange with the beginnings of longer bodies; itself where both are short. */
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
