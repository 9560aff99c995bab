import type { Profile } from "../../openapi/gaps/profile.js";

/** A list of an answer, in the form that it has when there is nothing to list (gap `nothing-to-list`). */
export function listOrNothing<Entry>(entries: Entry[], profile: Profile): Entry[] | null {
  return entries.length === 0 && profile["nothing-to-list"] === "null" ? null : entries;
}
