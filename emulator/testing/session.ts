/** The fields of an auth response. */
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

/** The fields of a response to a login. */
export interface LoginResponse {
  readonly status: string;
  readonly authResponse: Session;
}

/** Decodes one part of a JWT. */
export function decodeTokenPart(token: string, part: "header" | "payload"): Record<string, unknown> {
  const text = token.split(".")[part === "header" ? 0 : 1] ?? "";
  return JSON.parse(Buffer.from(text, "base64url").toString()) as Record<string, unknown>;
}
