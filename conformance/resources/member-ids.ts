/** A member in the list of members. */
export type ListedMember = Readonly<Record<string, unknown>> & {
  readonly userId: string | null;
  readonly email: string;
};

/** Fields of part 2 that contain ids other than that of the member. */
const idsOfOthers = ["userId", "invitedBy", "organizationId"];

/**
 * Lists the possible values of `{memberId}`: an id that the deployment shows in addition to the fields of part 2, the user
 * id, or the email address. The specification does not say which of these it is.
 */
export function listPossibleMemberIds(member: ListedMember): readonly string[] {
  const own = Object.entries(member).filter(
    ([name]) => /(^id|Id|_id)$/.test(name) && !idsOfOthers.includes(name),
  );
  // a deletion with the id of something else may be answered as if there had been nothing to delete
  const isFirst = ([name]: readonly [string, unknown]) => /^(?:_?id|member_?id)$/i.test(name);
  const [first, others] = [own.filter(isFirst), own.filter((entry) => !isFirst(entry))].map((entries) =>
    entries.map(([, value]) => value),
  );
  const all = [...(first ?? []), member.userId, member.email, ...(others ?? [])];
  return [...new Set(all.filter((id): id is string => typeof id === "string" && id !== ""))];
}
