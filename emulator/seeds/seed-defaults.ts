import { slugOf } from "../organizations/slug.js";
import { parseTimestamp } from "../time/parse-timestamp.js";

export const defaultPassword = "password";
export const defaultRegion = "eu-west-1";

/** What an id has behind its prefix where none is given: the name in letters that ids may have. */
export function idWord(name: string): string {
  return slugOf(name).replaceAll("-", "_").slice(0, 64);
}

/** What stands before the @ of an address. */
export function localPart(email: string): string {
  return email.trim().split("@")[0] ?? "";
}

/** The elements of a list, which is null where it is left empty in YAML, in full. */
export function inFull<Full>(
  list: readonly (string | Full)[] | null | undefined,
  make: (name: string) => Full,
): Full[] {
  return (list ?? []).map((given) => (typeof given === "string" ? make(given) : given));
}

/** The time that a text says, which was looked at before. */
export function timeOf(text: string | null | undefined): number | undefined {
  return typeof text === "string" ? parseTimestamp(text) : undefined;
}
