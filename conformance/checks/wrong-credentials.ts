import fc from "fast-check";

/** A valid access token and its parts. */
interface Token {
  readonly whole: string;
  readonly header: string;
  readonly payload: string;
  readonly signature: string;
}

/** Values for the credentials that are not derived from the token alone. */
interface Detail {
  /** The made-up credential. */
  readonly text: string;
  /** Index of the letter that is replaced, modulo the length. */
  readonly letter: number;
}

/** A kind of invalid credential: its clause, and its `Authorization` header, which is undefined if omitted. */
interface Way {
  readonly clause: "AUTH-16" | "AUTH-17";
  readonly header: (token: Token, detail: Detail) => string | undefined;
}

const none = encode({ alg: "none", typ: "JWT" });

const ways = {
  "no credential": { clause: "AUTH-16", header: () => undefined },
  "an empty credential": { clause: "AUTH-16", header: () => "Bearer" },
  "a credential with another scheme": {
    clause: "AUTH-16",
    header: () => `Basic ${Buffer.from("user:password").toString("base64")}`,
  },
  "an unknown key": { clause: "AUTH-16", header: () => "Bearer dsk_no_such_key" },
  "a made-up credential": { clause: "AUTH-16", header: (_, { text }) => `Bearer ${text}` },
  "a truncated token": {
    clause: "AUTH-17",
    header: ({ whole }) => `Bearer ${whole.slice(0, -8)}`,
  },
  "a token without a signature": {
    clause: "AUTH-17",
    header: ({ header, payload }) => `Bearer ${header}.${payload}.`,
  },
  "a token with the algorithm none": {
    clause: "AUTH-17",
    header: ({ payload }) => `Bearer ${none}.${payload}.`,
  },
  "a token with the algorithm none and its original signature": {
    clause: "AUTH-17",
    header: ({ payload, signature }) => `Bearer ${none}.${payload}.${signature}`,
  },
  "a token with a later expiration time": {
    clause: "AUTH-17",
    header: ({ header, payload, signature }) => `Bearer ${header}.${prolonged(payload)}.${signature}`,
  },
  "a token with an altered payload": {
    clause: "AUTH-17",
    header: ({ header, payload, signature }, { letter }) =>
      `Bearer ${header}.${alterInside(payload, letter)}.${signature}`,
  },
  "a token with an altered signature": {
    clause: "AUTH-17",
    header: ({ header, payload, signature }, { letter }) =>
      `Bearer ${header}.${payload}.${alterInside(signature, letter)}`,
  },
} as const satisfies Readonly<Record<string, Way>>;

const names = Object.keys(ways) as (keyof typeof ways)[];

/** Describes an invalid credential without naming a token: tokens differ between runs, and failures must be reproducible. */
export interface WrongCredential extends Detail {
  readonly what: keyof typeof ways;
}

/** One invalid credential of every kind, which every run tries. */
export const exampleWrongCredentials = names.map((what): WrongCredential => ({ what, text: "x", letter: 0 }));

/** Generates credentials that are invalid in one of many ways. */
export const wrongCredentialArbitrary: fc.Arbitrary<WrongCredential> = fc.record({
  what: fc.constantFrom(...names),
  text: fc
    .string({ unit: "grapheme-ascii", minLength: 1, maxLength: 60 })
    .map((text) => text.trim())
    .filter((text) => text !== ""),
  letter: fc.nat({ max: 9999 }),
});

/**
 * Builds an invalid credential from a valid access token: its clause, and its `Authorization` header, which is undefined if
 * omitted. Returns undefined if a deployment cannot recognize the credential as invalid: a token without a signature may
 * only identify data that the deployment stores, so an altered token may also be valid.
 */
export function buildWrongCredential(
  { what, ...detail }: WrongCredential,
  whole: string,
): { readonly clause: Way["clause"]; readonly header: string | undefined } | undefined {
  const [header = "", payload = "", signature] = whole.split(".");
  const way: Way = ways[what];
  if (signature === "" && way.clause === "AUTH-17" && what !== "a truncated token") return undefined;
  const token = { whole, header, payload, signature: signature ?? "" };
  return { clause: way.clause, header: way.header(token, detail) };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function prolonged(payload: string): string {
  try {
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
    return encode({ ...claims, exp: Number(claims.exp ?? 0) + 86_400 });
  } catch {
    return replaceLetter(payload, 0);
  }
}

/** Replaces one letter with a different letter; changing only its case would not alter a hexadecimal token. */
export function replaceLetter(text: string, at: number): string {
  return text.slice(0, at) + (text[at]?.toUpperCase() === "A" ? "B" : "A") + text.slice(at + 1);
}

/** The text with another letter, but for the last two: the last one of base64url may carry bits that nobody reads. */
function alterInside(text: string, letter: number): string {
  return replaceLetter(text, letter % Math.max(1, text.length - 2));
}
