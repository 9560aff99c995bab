/** What is read of an access token: whose it is, for which organization, and until when it holds (seconds since 1970). */
export interface Claims {
  readonly sub?: string;
  readonly org?: string;
  readonly exp?: number;
}

/** The claims of a JWT; none for anything else. */
export function claimsOf(token: string | undefined): Claims {
  return partOf(token, 1);
}

/** The algorithm that the header of a JWT names; nothing for anything else. */
export function algorithmOf(token: string | undefined): unknown {
  return partOf(token, 0).alg;
}

interface Header {
  readonly alg?: unknown;
}

function partOf(token: string | undefined, index: number): Header & Claims {
  try {
    const part = Buffer.from(token?.split(".")[index] ?? "", "base64url");
    return JSON.parse(part.toString()) as Header & Claims;
  } catch {
    return {};
  }
}
