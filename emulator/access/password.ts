import { createHash } from "node:crypto";

/** Hashes a password. A fast hash is enough, because state files also contain the passwords, for the greeting and for seeds. */
export function hashPassword(userId: string, password: string): string {
  return createHash("sha256").update(`${userId}:${password}`).digest("base64url");
}
