/** What a mutant reads of an access token: whose it is, and until when it holds (seconds since 1970). */
export interface Claims {
  readonly sub?: string;
  readonly exp?: number;
}

/** The claims of a JWT; none for anything else. */
export function claimsOf(token: string | undefined): Claims {
  try {
    return JSON.parse(Buffer.from(token?.split(".")[1] ?? "", "base64url").toString()) as Claims;
  } catch {
    return {};
  }
}
