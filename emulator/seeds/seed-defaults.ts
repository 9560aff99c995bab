import { toSlug } from "../organizations/slug.js";

export const defaultPassword = "password";
export const defaultRegion = "eu-west-1";

/** What an id has behind its prefix where none is given: the name in letters that ids may have. */
export function toIdSuffix(name: string): string {
  return toSlug(name).replaceAll("-", "_").slice(0, 64);
}

/** What stands before the @ of an address. */
export function getLocalPart(email: string): string {
  return email.trim().split("@")[0] ?? "";
}

/** Whether a text is the path of a seed file, and no name of a fixture. */
export function isSeedPath(text: string): boolean {
  return /[\\/]/.test(text) || /\.(?:ya?ml|json)$/i.test(text);
}
