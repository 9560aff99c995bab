import { planTypes } from "../../openapi/clauses/limits.js";
import type { organizationGaps } from "../../openapi/gaps/organizations.js";
import { findMember, type Member } from "../steps/member-calls.js";
import type { ApiResponse, Caller } from "../client/client.js";
import { isSuccess } from "../client/is-success.js";
import { readUntil } from "../steps/read-until.js";
import {
  createAcceptanceObserver,
  isSameInstant,
  findMatchingAnswer,
  createObserver,
  createChoiceObserver,
} from "./create-observers.js";
import type { GapObservers } from "./observer.js";
import { type ObserverContext, formatAnswer } from "./observer-context.js";

async function membersOf(
  context: ObserverContext,
  organizationId: string,
  caller: { readonly as?: Caller } = {},
): Promise<readonly Member[]> {
  const call = { path: { organizationId }, ...caller };
  return (await context.must("listMembers", call)).body.members as Member[];
}

function setRole(
  context: ObserverContext,
  organizationId: string,
  memberId: string,
  role: string,
  caller: { readonly as?: Caller } = {},
): Promise<ApiResponse> {
  const path = { organizationId, memberId };
  return context.provoke("updateMember", { path, body: { role }, ...caller });
}

/** The kinds of ids that a member may have. */
const idKinds = ["own-id", "user-id", "email"] as const;
type IdKind = (typeof idKinds)[number];

function idOf({ memberId, userId, email }: Member, kind: IdKind): string | undefined {
  if (kind === "own-id") return typeof memberId === "string" ? memberId : undefined;
  return kind === "user-id" ? (userId ?? undefined) : email;
}

/** Finds the ids that work for a member by setting its current role again. */
async function workingIds(
  context: ObserverContext,
  organizationId: string,
  member: Member,
  caller: { readonly as?: Caller } = {},
): Promise<readonly IdKind[]> {
  const working: IdKind[] = [];
  for (const kind of idKinds) {
    const id = idOf(member, kind);
    if (id === undefined) continue;
    const answer = await setRole(context, organizationId, id, member.role, caller);
    if (context.isAccepted(answer)) working.push(kind);
  }
  return working;
}

async function memberNamed(
  context: ObserverContext,
  name: "owner" | "admin" | "member" | "disposable",
  organizationId: string,
  caller: { readonly as?: Caller } = {},
): Promise<Member | undefined> {
  const { email } = await context.check.actors.getLogin(name);
  return findMember(await membersOf(context, organizationId, caller), email);
}

/** Returns the owner's organization, and the id that works for a user as a member. */
async function ownerAsMember(context: ObserverContext) {
  const organizationId = await context.getOrganizationId("owner");
  const member = await memberNamed(context, "owner", organizationId);
  const admin = await memberNamed(context, "admin", organizationId);
  if (member === undefined || admin === undefined)
    return context.undecided("the list of members does not include the owner or the admin");
  // found out on the admin: who may not change the own role goes by no id
  const [kind] = await workingIds(context, organizationId, admin);
  const memberId = kind && idOf(member, kind);
  return {
    organizationId,
    memberId: memberId ?? context.undecided("none of the ids tried as `{memberId}` identifies the owner"),
  };
}

export const organizationObservers = {
  "new-organization-plan": createObserver(["create-organizations"], async (context) => {
    const made = await context.ok(context.tryOrganization({}));
    const { plan } = made.body as { plan: string };
    return (
      planTypes.find((planType) => planType === plan) ??
      context.other(`the plan ${plan}`, `one of ${planTypes.join(", ")}`)
    );
  }),
  "duplicate-slug": createObserver(["create-organizations"], async (context) => {
    const slug = context.resources.createName();
    await context.ok(context.tryOrganization({ slug }));
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
  "slug-form": createChoiceObserver(
    ["create-organizations"],
    { "kebab-case": [false, false], unreserved: [true, false], any: [true, true] },
    async (context) => {
      const name = context.resources.createName();
      await context.ok(context.tryOrganization({ slug: `${name}-kebab` }));
      const unreserved = context.isAccepted(await context.tryOrganization({ slug: `${name}.U_x~` }));
      const any = context.isAccepted(await context.tryOrganization({ slug: `${name} / \u00e4!` }));
      return [unreserved, any];
    },
  ),
  "deleted-organization": createObserver(
    { needs: ["create-organizations"], after: ["missing-resource-status"] },
    async (context) => {
      const path = { organizationId: await context.resources.createOrganization() };
      await context.must("deleteOrganization", { path });
      const organization = await context.provoke("getOrganization", { path });
      const isShown = context.isAccepted(organization);
      const members = await context.provoke("listMembers", { path });
      const { organizations } = (await context.must("listOrganizations")).body;
      const isListed = (organizations as readonly { organizationId: string }[]).some(
        ({ organizationId }) => organizationId === path.organizationId,
      );
      // gone is what answers as one that never was
      const missing = context.answerTo("missing-resource-status") ?? 404;
      return findMatchingAnswer(context, { gone: [missing, missing], shown: ["deleted", 200, true] }, [
        isShown ? organization.body.status : organization.status,
        members.status,
        ...(isShown ? [isListed] : []),
      ]);
    },
  ),
  "organization-with-databases": createObserver(
    ["create-organizations", "create-databases"],
    async (context) => {
      const { resources } = context;
      const organizationId = await resources.createOrganization();
      const as = await context.ownerIn(organizationId);
      const { databaseId } = await resources.createDatabase({ as });
      const path = { organizationId };
      const withIt = context.isAccepted(await context.provoke("deleteOrganization", { path }));
      // where another deployment is asked side by side, it may have answered otherwise
      await context.provoke("deleteDatabase", { as, path: { databaseId } });
      await resources.waitUntilGone(databaseId, { as });
      resources.recordRemoval("database", databaseId);
      const withoutIt = context.isAccepted(await context.provoke("deleteOrganization", { path }));
      if (withIt) return "with-them";
      return withoutIt
        ? "refused"
        : context.undecided("an organization without databases cannot be deleted either");
    },
  ),
  "member-id": createObserver(["member"], async (context) => {
    const organizationId = await context.getOrganizationId("owner");
    const member = await memberNamed(context, "member", organizationId);
    if (member === undefined)
      return context.undecided("the list of members does not include the user who was added");
    const working = await workingIds(context, organizationId, member);
    const [only] = working;
    return only !== undefined && working.length === 1
      ? only
      : context.other(working, "exactly one kind of id works");
  }),
  "pending-member-id": createObserver(["situation crowded"], async (context) => {
    const as = await context.actor("crowded");
    const organizationId = await context.getOrganizationId("crowded");
    const member = (await membersOf(context, organizationId, { as })).find(
      ({ status }) => status === "pending",
    );
    if (member === undefined)
      return context.undecided("the organization in the situation `crowded` has no pending member");
    const working = await workingIds(context, organizationId, member, { as });
    if (working.length > 1) context.other(working, "exactly one kind of id works");
    const [only = "none"] = working;
    return only === "user-id" ? context.other("a pending member has a user id", "none") : only;
  }),
  "pending-members-count": createAcceptanceObserver(
    { needs: ["situation crowded", "invitations"], after: ["pending-member-id"] },
    ["not-counted", "counted"],
    async (context) => {
      const as = await context.actor("crowded");
      const organizationId = await context.getOrganizationId("crowded");
      const members = await membersOf(context, organizationId, { as });
      const path = { organizationId };
      const { maxMembers } = (await context.must("getOrganization", { as, path })).body.settings;
      const active = members.filter(({ status }) => status === "active").length;
      if (!(active < maxMembers && maxMembers <= members.length))
        context.undecided(
          `${active} of ${members.length} members are active, and the organization can have ${maxMembers} members`,
        );
      const email = context.resources.createInviteAddress();
      return context.provoke("inviteMember", { as, path, body: { email, role: "readonly" } });
    },
  ),
  "repeated-invitation": createChoiceObserver(
    {
      needs: ["invitations"],
      hidden: [
        {
          by: "pending-member-id",
          when: (id) => id === "none",
          because:
            "the observer sends no invitation, because it could not revoke an invitation without an id",
        },
      ],
    },
    { reject: [false, "member", true], renew: [true, "readonly", false] },
    async (context) => {
      const organizationId = await context.getOrganizationId("owner");
      const path = { organizationId };
      const email = context.resources.createInviteAddress();
      const invite = (role: string) => context.provoke("inviteMember", { path, body: { email, role } });
      const listed = async () => {
        const named = async () =>
          (await membersOf(context, organizationId)).filter(
            (member) => member.email.toLowerCase() === email.toLowerCase(),
          );
        const entries = await readUntil(context.check, named, ({ length }) => length === 1);
        const [entry] = entries;
        return entries.length === 1 && entry !== undefined
          ? entry
          : context.other(`${entries.length} entries for one address`, "one");
      };
      await context.ok(invite("member"));
      const before = await listed();
      await context.pauseForStamps();
      const isTaken = context.isAccepted(await invite("readonly"));
      const after = await listed();
      return [isTaken, after.role, isSameInstant(after.invitedAt, before.invitedAt)];
    },
  ),
  "admin-over-owners": createAcceptanceObserver(["admin"], ["allowed", "refused"], async (context) => {
    const { organizationId, memberId } = await ownerAsMember(context);
    // the role that the owner has: nothing changes
    return setRole(context, organizationId, memberId, "owner", { as: await context.actor("admin") });
  }),
  "last-owner": createObserver(["situation disposable"], async (context) => {
    const as = await context.actor("disposable");
    const organizationId = await context.getOrganizationId("disposable");
    const member = await memberNamed(context, "disposable", organizationId, { as });
    // whoever looked before this one has done it already
    if (member?.role !== "owner") {
      const { organizations } = (await context.must("listOrganizations", { as })).body;
      const own = (organizations as readonly { organizationId: string; role: string }[]).find(
        (membership) => membership.organizationId === organizationId,
      );
      if (own === undefined || own.role !== member?.role)
        context.undecided(`a user has the role ${own?.role} in one list and ${member?.role} in another`);
      return "allow";
    }
    const [kind] = await workingIds(context, organizationId, member, { as });
    const memberId = kind && idOf(member, kind);
    if (memberId === undefined)
      return context.undecided("none of the ids tried as `{memberId}` identifies the owner");
    return context.isAccepted(await setRole(context, organizationId, memberId, "admin", { as }))
      ? "allow"
      : "reject";
  }),
  "require-mfa": createAcceptanceObserver(
    ["create-organizations"],
    ["stored-only", "switch-refused"],
    async (context) => {
      const organizationId = await context.resources.createOrganization();
      await context.ownerIn(organizationId);
      const body = { settings: { requireMfa: true } };
      const set = await context.provoke("updateOrganization", { path: { organizationId }, body });
      if (!context.isAccepted(set)) context.other(formatAnswer(set), "a success, with the setting stored");
      const answer = await context.provoke("switchOrganization", { body: { organizationId } });
      if (isSuccess(answer))
        context.check.actors.registerTokens(answer.body, "owner in another organization");
      return answer;
    },
  ),
} as const satisfies GapObservers<typeof organizationGaps>;
