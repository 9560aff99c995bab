import type { Tamper, WireAnswer } from "./intercept.js";

/** A refusal as any deployment may word it. */
export function refusal(status: number): WireAnswer {
  return {
    status,
    headers: { "content-type": "application/problem+json" },
    body: { type: "https://example.test/refused", title: "Refused", status, detail: "Refused." },
  };
}

/** A request with more than so many `items` is refused, and the first of them are done all the same. */
export function refusedButBegun(most: number): Tamper {
  return async (wire) => {
    const answer = await wire.send();
    if (wire.body?.items?.length > most)
      await wire.send({ body: { ...wire.body, items: wire.body.items.slice(0, most) } });
    return answer;
  };
}
