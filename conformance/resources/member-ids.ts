/** A member in the list of members. */
export type ListedMember = Readonly<Record<string, unknown>> & {
  readonly userId: string | null;
  readonly email: string;
};

/** Fields of part 2 that contain ids other than that of the member. */
const otherIdFields = ["userId", "invitedBy", "organizationId"];

/**
 * Lists the possible values of `{memberId}`: an id that the deployment shows in addition to the fields of part 2, the user
 * id, or the email address. The specification does not say which of these it is.
 */
export function listPossibleMemberIds(member: ListedMember): readonly string[] {
  const own = Object.entries(member).filter(
    ([name]) => /(^id|Id|_id)$/.test(name) && !otherIdFields.includes(name),
  );
  // A deployment may accept the id of something else and delete nothing, so the likeliest ids come first.
  const isLikely = ([name]: readonly [string, unknown]) => /^(?:_?id|member_?id)$/i.test(name);
  const likely = own.filter(isLikely);
  const others = own.filter((entry) => !isLikely(entry));
  const all = [...likely, ["", member.userId], ["", member.email], ...others].map(([, value]) => value);
  return [...new Set(all.filter((id): id is string => typeof id === "string" && id !== ""))];
}
