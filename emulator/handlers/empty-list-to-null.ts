import type { Profile } from "../../openapi/gaps/profile.js";

/** A list of an answer, in the form that it has when there is nothing to list (gap `empty-list-members`). */
export function emptyListToNull<Entry>(entries: Entry[], profile: Profile): Entry[] | null {
  return entries.length === 0 && profile["empty-list-members"] === "as-null" ? null : entries;
}
