import { planTypes } from "../../openapi/clauses/limits.js";
import type { organizationGaps } from "../../openapi/gaps/organizations.js";
import { findMember, type Member } from "../steps/member-client.js";
import type { ApiResponse, Caller } from "../client/client.js";
import { readUntil } from "../steps/read-until.js";
import {
  createAcceptanceObserver,
  isSameInstant,
  findMatchingAnswer,
  createObserver,
  createChoiceObserver,
} from "./create-observers.js";
import type { GapObservers } from "./observer.js";
import type { ObserverContext } from "./observer-context.js";

/** An organization, and the caller of the requests about it. Defaults to the owner. */
interface OrganizationContext {
  readonly organizationId: string;
  readonly as?: Caller;
}

async function listMembers(
  context: ObserverContext,
  { organizationId, as }: OrganizationContext,
): Promise<readonly Member[]> {
  return (await context.callSuccessfully("listMembers", { path: { organizationId }, as })).body
    .members as Member[];
}

function setRole(
  context: ObserverContext,
  { organizationId, as }: OrganizationContext,
  memberId: string,
  role: string,
): Promise<ApiResponse> {
  return context.tryCall("updateMember", {
    path: { organizationId, memberId },
    body: { role },
    as,
  });
}

type IdKind = "own-id" | "user-id" | "email";

function getMemberIds({ memberId, userId, email }: Member): Readonly<Record<IdKind, unknown>> {
  return { "own-id": memberId, "user-id": userId, email };
}

/** Finds the kinds of ids that work for a member, by setting its current role again. */
async function findWorkingIdKinds(
  context: ObserverContext,
  organization: OrganizationContext,
  member: Member,
): Promise<readonly IdKind[]> {
  const working: IdKind[] = [];
  for (const [kind, id] of Object.entries(getMemberIds(member)))
    if (typeof id === "string" && context.isAccepted(await setRole(context, organization, id, member.role)))
      working.push(kind as IdKind);
  return working;
}

async function findMemberOfUser(
  context: ObserverContext,
  name: "owner" | "admin" | "member",
  organization: OrganizationContext,
): Promise<Member | undefined> {
  const { email } = await context.check.actors.getLogin(name);
  return findMember(await listMembers(context, organization), email);
}

export const organizationObservers = {
  "new-organization-plan": createObserver(["create-organizations"], async (context) => {
    const made = await context.requireSuccess(context.tryOrganization({}));
    const { plan } = made.body as { plan: string };
    return (
      planTypes.find((planType) => planType === plan) ??
      context.other(`the plan ${plan}`, `one of ${planTypes.join(", ")}`)
    );
  }),
  "duplicate-slug": createObserver(["create-organizations"], async (context) => {
    const slug = context.resources.createName();
    await context.requireSuccess(context.tryOrganization({ slug }));
    const again = await context.tryOrganization({ slug });
    if (!context.isAccepted(again)) return "reject";
    const { slug: given } = again.body as { slug: string };
    return given === slug
      ? context.other(
          `a second organization was created with the slug ${slug}`,
          "a different slug, or a rejection",
        )
      : "suffix";
  }),
  "deleted-organization": createObserver(
    { needs: ["create-organizations"], after: ["missing-resource-status"] },
    async (context) => {
      const path = { organizationId: await context.resources.createOrganization() };
      await context.callSuccessfully("deleteOrganization", { path });
      const organization = await context.tryCall("getOrganization", { path });
      const isShown = context.isAccepted(organization);
      const members = await context.tryCall("listMembers", { path });
      const { organizations } = (await context.callSuccessfully("listOrganizations")).body;
      const isListed = (organizations as readonly { organizationId: string }[]).some(
        ({ organizationId }) => organizationId === path.organizationId,
      );
      // A deleted organization must look like one that never existed.
      const missing = context.answerTo("missing-resource-status") ?? 404;
      return findMatchingAnswer(context, { gone: [missing, missing], shown: ["deleted", 200, true] }, [
        isShown ? organization.body.status : organization.status,
        members.status,
        ...(isShown ? [isListed] : []),
      ]);
    },
  ),
  "member-id": createObserver(["member"], async (context) => {
    const organization = { organizationId: await context.getOrganizationId("owner") };
    const member = await findMemberOfUser(context, "member", organization);
    if (member === undefined)
      return context.undecided("the list of members does not include the user who was added");
    const kinds = await findWorkingIdKinds(context, organization, member);
    const [kind] = kinds;
    return kind !== undefined && kinds.length === 1
      ? kind
      : context.other(kinds, "exactly one kind of id works");
  }),
  "repeated-invitation": createChoiceObserver(
    ["invitations"],
    { reject: [false, "member", true], renew: [true, "readonly", false] },
    async (context) => {
      const organizationId = await context.getOrganizationId("owner");
      const path = { organizationId };
      const email = context.resources.createInviteAddress();
      const invite = (role: string) => context.tryCall("inviteMember", { path, body: { email, role } });
      const listed = async () => {
        const findEntries = async () =>
          (await listMembers(context, path)).filter(
            (member) => member.email.toLowerCase() === email.toLowerCase(),
          );
        const entries = await readUntil(context.check, findEntries, ({ length }) => length === 1);
        const [entry] = entries;
        return entries.length === 1 && entry !== undefined
          ? entry
          : context.other(`${entries.length} entries for one address`, "one");
      };
      await context.requireSuccess(invite("member"));
      const before = await listed();
      await context.waitForLaterTimestamps();
      const isTaken = context.isAccepted(await invite("readonly"));
      const after = await listed();
      return [isTaken, after.role, isSameInstant(after.invitedAt, before.invitedAt)];
    },
  ),
  "admin-over-owners": createAcceptanceObserver(["admin"], ["allowed", "refused"], async (context) => {
    const organizationId = await context.getOrganizationId("owner");
    const owner = await findMemberOfUser(context, "owner", { organizationId });
    const admin = await findMemberOfUser(context, "admin", { organizationId });
    if (owner === undefined || admin === undefined)
      return context.undecided("the list of members does not include the owner or the admin");
    // Owners may be unable to change their own role, so the kind of id is found with the admin.
    const [kind] = await findWorkingIdKinds(context, { organizationId }, admin);
    const memberId = kind && getMemberIds(owner)[kind];
    if (typeof memberId !== "string")
      return context.undecided("none of the ids tried as `{memberId}` identifies the owner");
    // The owner already has this role, so nothing changes.
    return setRole(context, { organizationId, as: await context.actor("admin") }, memberId, "owner");
  }),
} as const satisfies GapObservers<typeof organizationGaps>;
