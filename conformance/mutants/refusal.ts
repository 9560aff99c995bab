import type { WireAnswer } from "./intercept.js";

/** A refusal as any deployment may word it. */
export function refusal(status: number): WireAnswer {
  return {
    status,
    headers: { "content-type": "application/problem+json" },
    body: { type: "https://example.test/refused", title: "Refused", status, detail: "Refused." },
  };
}
