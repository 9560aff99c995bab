import type { Profile } from "../../openapi/gaps/profile.js";

/** An empty list as the profile answers it: `[]` or null (gap `empty-list-members`). */
export function convertEmptyListToNull<Entry>(entries: Entry[], profile: Profile): Entry[] | null {
  return entries.length === 0 && profile["empty-list-members"] === "as-null" ? null : entries;
}
