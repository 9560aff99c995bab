import fc from "fast-check";

/** A valid access token and its parts. */
interface Token {
  readonly whole: string;
  readonly header: string;
  readonly payload: string;
  readonly signature: string;
}

/** A kind of invalid credential: its clause, and its `Authorization` header, which is undefined if omitted. */
interface Way {
  readonly clause: "AUTH-16" | "AUTH-17";
  readonly header: (token: Token, detail: Pick<WrongCredential, "text" | "letter">) => string | undefined;
}

const none = encode({ alg: "none", typ: "JWT" });

/** Invalid credentials that are derived from a token alone, each tried in every run. */
const fixedWays = {
  "no credential": { clause: "AUTH-16", header: () => undefined },
  "an empty credential": { clause: "AUTH-16", header: () => "Bearer" },
  "a credential with another scheme": {
    clause: "AUTH-16",
    header: () => `Basic ${Buffer.from("user:password").toString("base64")}`,
  },
  "an unknown key": { clause: "AUTH-16", header: () => "Bearer dsk_no_such_key" },
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
} as const satisfies Readonly<Record<string, Way>>;

const ways = {
  ...fixedWays,
  "a made-up credential": { clause: "AUTH-16", header: (_, { text = "" }) => `Bearer ${text}` },
  "a token with an altered payload": {
    clause: "AUTH-17",
    header: ({ header, payload, signature }, { letter = 0 }) =>
      `Bearer ${header}.${alterInside(payload, letter)}.${signature}`,
  },
  "a token with an altered signature": {
    clause: "AUTH-17",
    header: ({ header, payload, signature }, { letter = 0 }) =>
      `Bearer ${header}.${payload}.${alterInside(signature, letter)}`,
  },
} as const satisfies Readonly<Record<string, Way>>;

/** Describes an invalid credential without naming a token: tokens differ between runs, and failures must be reproducible. */
export interface WrongCredential {
  readonly what: keyof typeof ways;
  readonly clause: Way["clause"];
  /** The credential itself, if it is made up. */
  readonly text?: string;
  /** Index of the letter that is replaced, modulo the length. */
  readonly letter?: number;
}

function wrong(
  what: WrongCredential["what"],
  detail: Pick<WrongCredential, "text" | "letter"> = {},
): WrongCredential {
  return { what, clause: ways[what].clause, ...detail };
}

/** Invalid credentials that every run tries. */
export const exampleWrongCredentials: readonly WrongCredential[] = (
  Object.keys(fixedWays) as (keyof typeof fixedWays)[]
).map((what) => wrong(what));

/** Generates credentials that are invalid in one of many ways. */
export const wrongCredentialArbitrary: fc.Arbitrary<WrongCredential> = fc.oneof(
  fc.constantFrom(...exampleWrongCredentials),
  fc
    .string({ unit: "grapheme-ascii", minLength: 1, maxLength: 60 })
    .filter((text) => text.trim() !== "")
    .map((text) => wrong("a made-up credential", { text: text.trim() })),
  fc.nat({ max: 9999 }).map((letter) => wrong("a token with an altered payload", { letter })),
  fc.nat({ max: 9999 }).map((letter) => wrong("a token with an altered signature", { letter })),
);

/**
 * Whether a deployment can recognize an altered token as invalid. A token without a signature may only identify data that
 * the deployment stores, so an altered token may also be valid.
 */
export function isRecognizablyInvalid({ what, clause }: WrongCredential, token: string): boolean {
  const [, , signature] = token.split(".");
  return signature !== "" || clause !== "AUTH-17" || what === "a truncated token";
}

/** Builds the `Authorization` header of an invalid credential from a valid access token; undefined if the header is omitted. */
export function buildAuthorizationHeader(wrong: WrongCredential, token: string): string | undefined {
  const [header = "", payload = "", signature = ""] = token.split(".");
  const way: Way = ways[wrong.what];
  return way.header({ whole: token, header, payload, signature }, wrong);
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
