import { createHash } from "node:crypto";
import { operationIds } from "../../openapi/operations/register.js";
import { readClaims } from "../client/claims.js";
import { instant, rewriting, disguisingTokens, withClaims } from "./rewrite-answers.js";
import { type Tamper, without, changed } from "./intercept.js";
import { type Variant, variant, variantIn } from "./mutant.js";

/** The day of the year, and the week with the day in it, as ISO 8601 counts them. */
function otherDates(moment: Date): readonly string[] {
  const dayMs = 86_400_000;
  const midnight = Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate());
  const ofYear = (midnight - Date.UTC(moment.getUTCFullYear(), 0, 1)) / dayMs + 1;
  const weekday = ((moment.getUTCDay() + 6) % 7) + 1;
  const thursday = new Date(midnight + (4 - weekday) * dayMs);
  const week = Math.ceil(((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / dayMs + 1) / 7);
  return [
    `${moment.getUTCFullYear()}-${String(ofYear).padStart(3, "0")}`,
    `${thursday.getUTCFullYear()}-W${String(week).padStart(2, "0")}-${weekday}`,
  ];
}

/** The same instant, spelled in another way each time. */
function respelled(): (text: string) => string {
  let number = 0;
  return (text) => {
    if (!instant.test(text)) return text;
    const [date = "", time = ""] = text.slice(0, -1).split("T");
    const [ordinal = "", week = ""] = otherDates(new Date(text));
    const forms = [
      text,
      `${date}T${time}000+00:00`,
      `${date}T${time.replace(".", ",")}Z`,
      `${text.replaceAll(/[-:]/g, "").slice(0, -1)}+00`,
      `${ordinal}T${time}Z`,
      `${week}T${time}z`,
    ];
    return forms[number++ % forms.length] ?? text;
  };
}

/** Members that nobody has named, with another value each time. */
function withMore(): (own: object) => object {
  let number = 0;
  return (own) => ({ ...own, shown: ++number });
}

/** Access tokens without a signature, each good for what is known of its payload. */
const unsignedTokens = disguisingTokens(
  (token) => `${encoded({ alg: "none" })}.${payloadOf(token)}.`,
  payloadOf,
);

/** Access tokens that are encrypted: nobody reads their claims. */
const encryptedTokens = disguisingTokens((token) => {
  const [, payload = "", signature = ""] = token.split(".");
  return [encoded({ alg: "RSA-OAEP", enc: "A256GCM" }), "a2V5", "aXY", reversed(payload), signature].join(
    ".",
  );
});

/** Refreshed access tokens hold the user and whole seconds alone: two of one second are the same. */
const tokenOfTheSecond: () => Tamper = () => {
  const last = new Map<unknown, string>();
  return async (wire) => {
    const answer = await wire.send();
    if (wire.operationId !== "login" && wire.operationId !== "refreshSession") return answer;
    return changed(answer, (body) => {
      const holder = body.authResponse ?? body;
      const { sub, org, iat } = readClaims(holder.accessToken as string);
      const moment = `${sub} ${org} ${String(iat)}`;
      holder.accessToken = last.get(moment) ?? holder.accessToken;
      last.set(moment, holder.accessToken as string);
    });
  };
};

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function payloadOf(token: string): string {
  return token.split(".")[1] ?? "";
}

function reversed(text: string): string {
  return Array.from(text).reverse().join("");
}

/** Generates slugs of another form. */
const digestedSlugs: () => Tamper = () => {
  const slugs = new Map<string, string>();
  return async (wire) => {
    const answer = await wire.send();
    const id = String(answer.body?.organizationId);
    if (answer.status === 201 && wire.body.slug === undefined) {
      const digest = createHash("sha256").update(String(wire.body.name)).digest("hex");
      slugs.set(id, `${digest.slice(0, 12)}-${slugs.size + 1}`);
    }
    return changed(answer, (body) => (body.slug = slugs.get(id) ?? body.slug));
  };
};

/** A new database passes through another status on its way. */
const restoredFirst: () => Tamper = () => {
  const looks = new Map<string, number>();
  return async (wire) => {
    const { databaseId = "" } = wire.path;
    const seen = (looks.get(databaseId) ?? 0) + 1;
    looks.set(databaseId, seen);
    const answer = await wire.send();
    return seen > 2
      ? answer
      : changed(answer, (body) => (body.status = seen === 1 ? "Creating" : "Restoring"));
  };
};

/** What is the same in other words, and what passes by itself. */
export const spellingVariants: readonly Variant[] = [
  variant("everywhere/instants-respelled", operationIds).by(() => rewriting({ text: respelled() })()),
  ...variantIn(["organizations", "databases", "repositories", "sql"], "members-that-change", operationIds).by(
    () => rewriting({ object: withMore() })(),
  ),
  ...variantIn(["session", "access"], "unsigned-tokens", operationIds).by(unsignedTokens),
  ...variantIn(["session", "access"], "encrypted-tokens", operationIds).by(encryptedTokens),
  variant("session/tokens-without-times", operationIds).by(
    disguisingTokens(withClaims((claims) => without(claims, "iat", "exp"))),
  ),
  variant("session/tokens-with-leeway", operationIds).by(
    disguisingTokens(
      withClaims(({ iat, exp, ...rest }) => ({ ...rest, iat: (iat - 60) * 1000, exp: String(exp * 1000) })),
    ),
  ),
  variant("session/token-of-the-second", operationIds).by(tokenOfTheSecond),
  variant("organizations/digested-names", ["createOrganization", "getOrganization", "updateOrganization"]).by(
    digestedSlugs,
  ),
  variant("databases/restored-first", ["getDatabase"]).by(restoredFirst),
  variant("billing/prices-in-yen", ["getPaymentInfo"]).answering((body) => {
    for (const priced of [body, body.latestOrder, ...body.product.prices])
      Object.assign(priced, { currency: "JPY", amount: Math.round(priced.amount / 100) });
  }),
  variant("billing/canceled-to-the-end", ["getPaymentStatus"]).answering((body) => {
    if (body.status === "canceled") body.isActive = true;
  }),
  variant("sql/no-rows-affected", ["executeSql"]).replacing("affectedRows", -1),
];
