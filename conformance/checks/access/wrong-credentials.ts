import fc from "fast-check";

/** A valid access token and its parts. */
interface Token {
  readonly whole: string;
  readonly header: string;
  readonly payload: string;
  readonly signature: string;
}

/** Generated values from which credentials are built. */
interface Detail {
  /** The made-up credential. */
  readonly text: string;
  /** Index of the letter that is replaced, modulo the length. */
  readonly letter: number;
}

/** Builds an `Authorization` header; undefined for no header. */
type BuildHeader = (token: Token, detail: Detail) => string | undefined;

/** Headers without an access token (AUTH-16). */
const headersWithoutToken = {
  "no credential": () => undefined,
  "an empty credential": () => "Bearer",
  "a credential with another scheme": () => `Basic ${Buffer.from("user:password").toString("base64")}`,
  "an unknown key": () => "Bearer dsk_no_such_key",
  "a made-up credential": (_, { text }) => `Bearer ${text}`,
} as const satisfies Readonly<Record<string, BuildHeader>>;

const headerWithoutAlgorithm = encode({ alg: "none", typ: "JWT" });
const headerInMixedCase = encode({ alg: "nOnE", typ: "JWT" });

/** Headers with an altered access token (AUTH-17). */
const headersWithAlteredToken = {
  "a truncated token": ({ whole }) => `Bearer ${whole.slice(0, -8)}`,
  "a token without a signature": ({ header, payload }) => `Bearer ${header}.${payload}.`,
  "a token with the algorithm none": ({ payload }) => `Bearer ${headerWithoutAlgorithm}.${payload}.`,
  "a token with the algorithm nOnE": ({ payload }) => `Bearer ${headerInMixedCase}.${payload}.`,
  "a token with the algorithm none and its original signature": ({ payload, signature }) =>
    `Bearer ${headerWithoutAlgorithm}.${payload}.${signature}`,
  "a token with a later expiration time": ({ header, payload, signature }) =>
    `Bearer ${header}.${extendExpiration(payload)}.${signature}`,
  "a token with an altered payload": ({ header, payload, signature }, { letter }) =>
    `Bearer ${header}.${replaceInnerLetter(payload, letter)}.${signature}`,
  "a token with an altered signature": ({ header, payload, signature }, { letter }) =>
    `Bearer ${header}.${payload}.${replaceInnerLetter(signature, letter)}`,
} as const satisfies Readonly<Record<string, BuildHeader>>;

const kinds = { ...headersWithoutToken, ...headersWithAlteredToken };
const kindNames = Object.keys(kinds) as (keyof typeof kinds)[];

/** Describes an invalid credential without the token, because tokens differ between runs and failures must be reproducible. */
export interface WrongCredential extends Detail {
  readonly what: keyof typeof kinds;
}

/** One invalid credential of every kind. */
export const exampleWrongCredentials = kindNames.map((what): WrongCredential => ({
  what,
  text: "x",
  letter: 0,
}));

/** Generates credentials that are invalid in one of many ways. */
export const wrongCredentialArbitrary: fc.Arbitrary<WrongCredential> = fc.record({
  what: fc.constantFrom(...kindNames),
  text: fc
    .string({ unit: "grapheme-ascii", minLength: 1, maxLength: 60 })
    .map((text) => text.trim())
    .filter((text) => text !== ""),
  letter: fc.nat({ max: 9999 }),
});

/**
 * Builds an invalid credential from a valid access token: its clause, and its `Authorization` header, or undefined for no
 * header. Returns undefined if the credential may be valid: a token without a signature may only identify data that the
 * deployment stores, so an altered token may identify other data.
 */
export function buildWrongCredential(
  { what, ...detail }: WrongCredential,
  whole: string,
): { readonly clause: "AUTH-16" | "AUTH-17"; readonly header: string | undefined } | undefined {
  const [header = "", payload = "", signature] = whole.split(".");
  const clause = what in headersWithAlteredToken ? "AUTH-17" : "AUTH-16";
  if (signature === "" && clause === "AUTH-17" && what !== "a truncated token") return undefined;
  const buildHeader: BuildHeader = kinds[what];
  return { clause, header: buildHeader({ whole, header, payload, signature: signature ?? "" }, detail) };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function extendExpiration(payload: string): string {
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

/** Replaces one letter other than the last two, because a decoder may ignore some bits of the last base64url letter. */
function replaceInnerLetter(text: string, letter: number): string {
  return replaceLetter(text, letter % Math.max(1, text.length - 2));
}
