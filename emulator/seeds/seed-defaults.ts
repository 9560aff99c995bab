import { toSlug } from "../organizations/slug.js";

export const defaultPassword = "password";
export const defaultRegion = "eu-west-1";

/** Converts a name to the suffix of a default id, with only the characters that ids may have. */
export function toIdSuffix(name: string): string {
  return toSlug(name).replaceAll("-", "_").slice(0, 64);
}

/** Returns the part of an email address before the @. */
export function getEmailLocalPart(email: string): string {
  return email.trim().split("@")[0] ?? "";
}
