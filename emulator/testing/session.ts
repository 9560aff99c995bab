/** An auth response as tests look at it. */
export interface Session {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly avatarUrl: string | null;
  readonly personalOrgId: string;
  readonly permissions: readonly string[];
  readonly roles: readonly string[];
}

/** A login answer as tests look at it. */
export interface LoginAnswer {
  readonly status: string;
  readonly authResponse: Session;
}

/** One part of a JWT, as an object. */
export function decodeTokenPart(token: string, part: "header" | "payload"): Record<string, unknown> {
  const text = token.split(".")[part === "header" ? 0 : 1] ?? "";
  return JSON.parse(Buffer.from(text, "base64url").toString()) as Record<string, unknown>;
}
