/** Claims of an access token: user, organization, issue and expiration time. */
interface Claims {
  readonly sub?: string;
  readonly org?: string;
  readonly iat?: unknown;
  readonly exp?: unknown;
}

/** Returns the claims of a JWT; empty for other texts. */
export function parseClaims(token: string | undefined): Claims {
  return decodePart(token, 1) ?? {};
}

/** Converts the time in a claim to milliseconds since 1970; NaN if there is none. */
export function parseClaimTime(time: unknown): number {
  // Claims are in seconds since 1970 (RFC 7519); larger numbers are milliseconds.
  return Number(time) > 1e11 ? Number(time) : Number(time) * 1000;
}

/** Whether a token is a JWT, whose claims are either signed and readable or encrypted (RFC 7519). */
export function isJwt(token: string): boolean {
  const parts = token.split(".").length;
  const header = decodePart(token, 0);
  if (typeof header?.alg !== "string") return false;
  // With `cty`, the claims are a JWT themselves.
  return parts === 5 || (parts === 3 && ("cty" in header || decodePart(token, 1) !== undefined));
}

function decodePart(
  token: string | undefined,
  index: number,
): (Claims & { readonly alg?: unknown }) | undefined {
  try {
    const value = JSON.parse(Buffer.from(token?.split(".")[index] ?? "", "base64url").toString()) as unknown;
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
