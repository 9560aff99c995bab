/** A member in the list of members. */
export type ListedMember = Readonly<Record<string, unknown>> & {
  readonly userId: string | null;
  readonly email: string;
};

/** Matches the names of fields with the id of the member itself; other fields may have the id of another user. */
const ownIdField = /^(_?id|uuid|(member|membership|invite|invitation)_?id)$/i;

/**
 * Lists the possible values of `{memberId}`: an id that the deployment shows in addition to the fields of part 2, the user
 * id, or the email address. The specification does not say which of these it is.
 */
export function listPossibleMemberIds(member: ListedMember): readonly string[] {
  const own = Object.entries(member).filter(([name]) => ownIdField.test(name));
  const all = [...own.map(([, value]) => value), member.userId, member.email];
  return [...new Set(all.filter((id): id is string => typeof id === "string" && id !== ""))];
}
