import type { Fetch } from "../client/exchange.js";
import { intercept } from "./intercept.js";
import type { Variant } from "./mutant.js";
import { refusal } from "./tampers.js";

/** An id as the deployment behind gives it. */
const ownId = /\b[a-z]{2,5}_[0-9a-z]{16}\b/g;
const numericId = /\b7\d{9}\b/g;

/** Ids are texts of digits, on the way out and back. */
function numericIds(fetch: Fetch): Fetch {
  const numbers = new Map<string, string>();
  const own = new Map<string, string>();
  const outward = (text: string) =>
    text.replaceAll(ownId, (id) => {
      const number = numbers.get(id) ?? String(7_000_000_000 + numbers.size);
      numbers.set(id, number);
      own.set(number, id);
      return number;
    });
  const inward = (text: string) => text.replaceAll(numericId, (number) => own.get(number) ?? number);
  return async (url, init) => {
    const { body } = init;
    const sent = typeof body === "string" ? { ...init, body: inward(body) } : init;
    const { origin } = new URL(url);
    const answer = await fetch(origin + inward(url.slice(origin.length)), sent);
    const text = await answer.text();
    const headers = new Headers(answer.headers);
    headers.delete("content-length");
    const isEmpty = text === "" && [204, 304].includes(answer.status);
    return new Response(isEmpty ? null : outward(text), { status: answer.status, headers });
  };
}

const domain = "invited.example.org";

/** Ids that are numbers, and addresses of one domain alone. */
export const identifierVariants: readonly Variant[] = [
  { id: "everywhere/numeric-ids", wrap: numericIds },
  ...(["members", "organizations", "access"] as const).map((area): Variant => ({
    id: `${area}/invitation-domain`,
    invitationDomain: domain,
    wrap: (fetch) =>
      intercept(fetch, ["inviteMember", "createOrganization", "updateOrganization"], (wire) => {
        const { email, billingEmail } = (wire.body ?? {}) as { email?: unknown; billingEmail?: unknown };
        const isForeign = [email, billingEmail].some(
          (address) =>
            typeof address === "string" && !/@(?:invited\.example\.org|certify\.test)$/.test(address),
        );
        return isForeign ? Promise.resolve(refusal(400)) : wire.send();
      }),
  })),
];
