import fc from "fast-check";

/** A credential that is not valid, and the clause that refuses it. */
export interface WrongCredential {
  readonly what: string;
  readonly clause: "AUTH-16" | "AUTH-17";
  /** The `Authorization` header; nothing for a request without one. */
  readonly header: string | undefined;
}

interface WrongCredentials {
  (token: string): fc.Arbitrary<WrongCredential>;
  /** Those that are tried on every run. */
  readonly examples: (token: string) => WrongCredential[];
}

function wrong(what: string, clause: WrongCredential["clause"], header?: string): WrongCredential {
  return { what, clause, header };
}

function fixed(token: string): WrongCredential[] {
  const [header = "", payload = "", signature = ""] = token.split(".");
  const none = encode({ alg: "none", typ: "JWT" });
  return [
    wrong("no credential", "AUTH-16"),
    wrong("an empty credential", "AUTH-16", "Bearer"),
    wrong("another scheme", "AUTH-16", `Basic ${Buffer.from("user:password").toString("base64")}`),
    wrong("an unknown key", "AUTH-16", "Bearer dsk_no_such_key"),
    wrong("a token cut short", "AUTH-17", `Bearer ${token.slice(0, -8)}`),
    wrong("a token without signature", "AUTH-17", `Bearer ${header}.${payload}.`),
    wrong("a token of algorithm none", "AUTH-17", `Bearer ${none}.${payload}.`),
    wrong(
      "a token of algorithm none that keeps its signature",
      "AUTH-17",
      `Bearer ${none}.${payload}.${signature}`,
    ),
    wrong(
      "a token that lasts longer than it was issued for",
      "AUTH-17",
      `Bearer ${header}.${prolonged(payload)}.${signature}`,
    ),
  ];
}

/** Credentials that are wrong in one of many ways, made from a valid access token. */
export const wrongCredentials: WrongCredentials = Object.assign(
  (token: string): fc.Arbitrary<WrongCredential> => {
    const [header = "", payload = "", signature = ""] = token.split(".");
    // a letter in the middle: the last one of base64url may carry bits that nobody reads
    const letter = (text: string) => fc.nat({ max: Math.max(0, text.length - 3) });
    return fc.oneof(
      fc.constantFrom(...fixed(token)),
      fc
        .string({ unit: "grapheme-ascii", minLength: 1, maxLength: 60 })
        .filter((text) => text.trim() !== "")
        .map((text) => wrong("a credential made up", "AUTH-16", `Bearer ${text.trim()}`)),
      letter(payload).map((at) =>
        wrong(
          "a token with another payload",
          "AUTH-17",
          `Bearer ${header}.${alter(payload, at)}.${signature}`,
        ),
      ),
      letter(signature).map((at) =>
        wrong(
          "a token with another signature",
          "AUTH-17",
          `Bearer ${header}.${payload}.${alter(signature, at)}`,
        ),
      ),
    );
  },
  { examples: fixed },
);

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function prolonged(payload: string): string {
  try {
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
    return encode({ ...claims, exp: Number(claims.exp ?? 0) + 86_400 });
  } catch {
    return alter(payload, 0);
  }
}

/** The text with another letter in one place. */
export function alter(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
}
