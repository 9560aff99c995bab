import { createHash } from "node:crypto";

/**
 * The stored form of a password. A fast hash is enough here: accounts of an emulator protect nothing, and a state
 * file also contains their passwords, for the greeting and for seeds.
 */
export function hashPassword(userId: string, password: string): string {
  return createHash("sha256").update(`${userId}:${password}`).digest("base64url");
}
