import { createHash } from "node:crypto";

/**
 * The stored form of a password. One quick hash is enough here: it keeps passwords out of exported files in plain
 * sight, while the accounts of an emulator protect nothing.
 */
export function hashPassword(userId: string, password: string): string {
  return createHash("sha256").update(`${userId}:${password}`).digest("base64url");
}
