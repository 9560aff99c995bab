import { claimsOf } from "../client/claims.js";
import { generatingSlugs, slugOperations } from "./rewrite-answers.js";
import { type Json, withBody, changed } from "./intercept.js";
import { mutant } from "./mutant.js";
import { refusal } from "./tampers.js";

const forbidden = refusal(403);

export const organizationMutants = [
  mutant("organizations/joined-in-words", "GEN-01", ["listOrganizations"]).replacing(
    "organizations.*.joinedAt",
    "New Year 2030, 10:00Z",
  ),
  mutant("organizations/no-owner-on-create", "ORG-01", ["createOrganization"]).dropping("ownerUserId"),
  mutant("organizations/updated-on-create", "ORG-02", ["createOrganization"]).answering(
    (body) => (body.updatedAt = body.createdAt),
  ),
  mutant("organizations/suspended-at-birth", "ORG-03", ["createOrganization"]).replacing(
    "status",
    "suspended",
  ),
  mutant("organizations/gold-at-birth", "ORG-04", ["createOrganization"]).replacing("plan", "gold"),
  mutant("organizations/owner-as-admin", "ORG-05", ["listMembers"]).answering((body) => {
    if (body.members.length === 1) body.members[0].role = "admin";
  }),
  mutant("organizations/one-letter", "ORG-06", ["createOrganization", "updateOrganization"]).sending(
    (body) =>
      typeof body.name === "string" && body.name.length === 1
        ? { ...body, name: body.name.repeat(2) }
        : undefined,
  ),
  mutant("organizations/ninety-nine", "ORG-06", ["createOrganization", "updateOrganization"]).refusing(
    400,
    (wire) => wire.body?.name?.length === 100,
  ),
  mutant("organizations/cut-name", "ORG-06", ["updateOrganization"]).sending((body) =>
    body.name?.length === 101 ? { ...body, name: body.name.slice(0, 100) } : undefined,
  ),
  mutant("organizations/nameless", "ORG-07", ["createOrganization"]).sending((body) =>
    body.name === undefined ? { ...body, name: "Unnamed organization" } : undefined,
  ),
  mutant("organizations/own-slug", "ORG-08", ["createOrganization"]).by(() => async (wire) => {
    const { slug, ...rest } = wire.body ?? {};
    return wire.send({ body: slug === undefined ? wire.body : { ...rest, slug: `${String(slug)}-1` } });
  }),
  mutant("organizations/slug-with-spaces", "ORG-08", ["createOrganization"]).by(() => async (wire) => {
    const answer = await wire.send();
    return wire.body?.slug === undefined
      ? changed(answer, (body) => {
          body.slug = `${String(body.name)} é`;
        })
      : answer;
  }),
  mutant("organizations/numbered-slugs", "ORG-08", slugOperations).by(
    generatingSlugs((_, number) => `organization-${number}`),
  ),
  mutant("organizations/first-name-listed", "ORG-09", ["listOrganizations"]).by(() => {
    const names = new Map<string, string>();
    return async (wire) =>
      changed(await wire.send(), (body) => {
        for (const entry of body.organizations) {
          const { organizationId, organizationName } = entry;
          entry.organizationName = names.get(organizationId as string) ?? organizationName;
          names.set(organizationId as string, entry.organizationName as string);
        }
      });
  }),
  mutant("organizations/kept-alive", "ORG-16", ["deleteOrganization"]).by(() => async (wire) => {
    const path = `/api/v1/organizations/${wire.path.organizationId ?? ""}`;
    const { status } = await wire.ask("GET", path);
    return status === 200 ? { status: 204, headers: {}, body: undefined } : wire.send();
  }),
  mutant("organizations/stale-list", "ORG-09", ["listOrganizations"]).by(() => {
    const seen = new Map<string | undefined, Json>();
    return async (wire) => {
      const answer = await wire.send();
      if (answer.status !== 200) return answer;
      const known = seen.get(wire.credential);
      if (known === undefined) seen.set(wire.credential, answer.body);
      return withBody(answer, known ?? answer.body);
    };
  }),
  mutant("organizations/foreign-in-list", "ORG-09", ["listOrganizations"]).by(() => {
    const known = new Map<string, Json>();
    return async (wire) => {
      const answer = await wire.send();
      if (answer.status !== 200) return answer;
      for (const entry of answer.body.organizations) known.set(entry.organizationId, entry);
      return changed(answer, (body) => {
        body.organizations = [...known.values()];
      });
    };
  }),
  mutant("organizations/personal-hidden", "ORG-10", ["listOrganizations"], ["session"]).by(() => {
    let personal: string | undefined;
    return async (wire) =>
      changed(await wire.send(), (body) => {
        personal ??= body.organizations[0]?.organizationId;
        body.organizations = body.organizations.filter((entry: Json) => entry.organizationId !== personal);
      });
  }),
  mutant("organizations/get-loses-slug", "ORG-11", ["getOrganization"]).replacing(
    "slug",
    (old) => `${String(old)}-x`,
  ),
  mutant("organizations/flag-as-text", "ORG-12", ["getOrganization"]).replacing(
    "settings.requireMfa",
    (old) => String(old),
  ),
  mutant("organizations/status-in-capitals", "ORG-13", ["getOrganization"]).replacing("status", "Active"),
  mutant("organizations/update-clears", "ORG-14", ["updateOrganization"]).sending((body) =>
    body.billingEmail === undefined && body.name !== undefined
      ? { ...body, billingEmail: "cleared@certify.example" }
      : undefined,
  ),
  mutant("organizations/update-forgets-mfa", "ORG-14", ["updateOrganization"]).by(() => async (wire) => {
    const { settings, ...rest } = wire.body ?? {};
    return settings === undefined || rest.name === undefined ? wire.send() : wire.send({ body: rest });
  }),
  mutant("organizations/undead", "ORG-16", ["listOrganizations"]).by(() => {
    const known = new Map<string, Json>();
    return async (wire) =>
      changed(await wire.send(), (body) => {
        for (const entry of body.organizations)
          known.set(`${wire.credential ?? ""} ${String(entry.organizationId)}`, entry);
        body.organizations = [...known]
          .filter(([key]) => key.startsWith(wire.credential ?? ""))
          .map(([, entry]) => entry);
      });
  }),
  mutant("organizations/active-after-deletion", "ORG-16", ["getOrganization"]).by(() => {
    const known = new Map<string, Json>();
    return async (wire) => {
      const answer = await wire.send();
      const { organizationId = "" } = wire.path;
      const key = `${wire.credential ?? ""} ${organizationId}`;
      if (answer.status === 200) known.set(key, answer);
      return answer.status >= 400 ? (known.get(key) ?? answer) : answer;
    };
  }),
  mutant("organizations/open-doors", "ORG-18", ["listMembers"], ["members"]).by(() => {
    const known = new Map<string, Json>();
    return async (wire) => {
      const answer = await wire.send();
      const { organizationId = "" } = wire.path;
      if (answer.status === 200) known.set(organizationId, answer.body);
      return answer.status >= 400 && wire.credential !== undefined && known.has(organizationId)
        ? { status: 200, headers: {}, body: known.get(organizationId) }
        : answer;
    };
  }),
];

export const memberMutants = [
  mutant("members/list-hides-last", "ORG-19", ["listMembers"]).answering((body) => {
    if (body.members.length > 3) body.members.pop();
  }),
  mutant("members/readonly-may-not-look", "ORG-20", ["listMembers"], ["access"]).by(() => async (wire) => {
    const answer = await wire.send();
    if (answer.status !== 200) return answer;
    const { sub } = claimsOf(wire.credential);
    const mine = answer.body.members.find((member: Json) => member.userId === sub);
    return mine?.role === "readonly" ? forbidden : answer;
  }),
  mutant("members/invited-status", "ORG-21", ["listMembers"]).answering((body) => {
    for (const member of body.members) if (member.status === "pending") member.status = "invited";
  }),
  mutant("members/active-at-once", "ORG-22", ["inviteMember"]).replacing("status", "active"),
  mutant("members/name-from-email", "ORG-22", ["listMembers"]).answering((body) => {
    for (const member of body.members) member.name ??= String(member.email).split("@")[0];
  }),
  mutant("members/nameless", "ORG-35", ["listMembers"]).replacing("members.*.name", null),
  mutant("members/invited-by-owner", "ORG-23", ["inviteMember", "listMembers"]).by(() => async (wire) => {
    const path = `/api/v1/organizations/${wire.path.organizationId ?? ""}/members`;
    const { body: list } = await wire.ask("GET", path);
    const owner = list?.members?.find(({ role }: Json) => role === "owner");
    return changed(await wire.send(), (body) => {
      for (const member of body.members ?? [body])
        if (member.status === "pending") member.invitedBy = owner?.userId;
    });
  }),
  mutant("members/invited-by-nobody", "ORG-23", ["inviteMember"]).replacing("invitedBy", null),
  mutant("members/default-readonly", "ORG-24", ["inviteMember"]).sending((body) =>
    body.role === undefined ? { ...body, role: "readonly" } : undefined,
  ),
  mutant("members/unknown-role-is-member", "ORG-25", ["inviteMember"]).sending((body) =>
    typeof body.role === "string" && !["owner", "admin", "member", "readonly"].includes(body.role)
      ? { ...body, role: "member" }
      : undefined,
  ),
  mutant("members/roles-by-prefix", "ORG-28", ["updateMember"]).sending((body) =>
    typeof body.role === "string" ? { role: body.role.replace(/^admin.*/, "admin") } : undefined,
  ),
  mutant("members/admins-may-not-invite", "ORG-26", ["inviteMember"], ["access"]).by(() => async (wire) => {
    const list = await wire.ask("GET", `/api/v1/organizations/${wire.path.organizationId ?? ""}/members`);
    const { sub } = claimsOf(wire.credential);
    const mine = list.body?.members?.find((member: Json) => member.userId === sub);
    return mine?.role === "admin" ? forbidden : wire.send();
  }),
  mutant("members/change-unseen", "ORG-27", ["updateMember"]).by(() => async (wire) => {
    const { organizationId = "", memberId = "" } = wire.path;
    const list = await wire.ask("GET", `/api/v1/organizations/${organizationId}/members`);
    const member = list.body?.members?.find(
      (entry: Json) => entry.userId === memberId || entry.email === memberId,
    );
    const isKnown = ["owner", "admin", "member", "readonly"].includes(wire.body?.role as string);
    return member?.status === "pending" && isKnown && wire.body.role === "readonly"
      ? { status: 200, headers: {}, body: { ...member, role: wire.body.role } }
      : wire.send();
  }),
  mutant("members/owner-only-by-transfer", "ORG-31", ["updateMember"]).by(
    () => async (wire) => (wire.body?.role === "owner" ? forbidden : wire.send()),
  ),
  mutant("members/removed-stay", "ORG-29", ["removeMember"]).by(() => async (wire) => {
    const { organizationId = "", memberId = "" } = wire.path;
    const list = await wire.ask("GET", `/api/v1/organizations/${organizationId}/members`);
    const isPending = list.body?.members?.some(
      (entry: Json) => entry.email === memberId && entry.status === "pending",
    );
    return isPending ? { status: 204, headers: {}, body: undefined } : wire.send();
  }),
  mutant("members/no-way-out", "ORG-30", ["removeMember"]).by(() => async (wire) => {
    const { sub } = claimsOf(wire.credential);
    const list = await wire.ask("GET", `/api/v1/organizations/${wire.path.organizationId ?? ""}/members`);
    const mine = list.body?.members?.find((entry: Json) => entry.userId === sub);
    const isMe = [mine?.userId, mine?.email].includes(wire.path.memberId);
    return isMe && ["member", "readonly"].includes(mine?.role as string) ? forbidden : wire.send();
  }),
  mutant("members/one-above-the-ceiling", "ORG-34", ["getOrganization"]).replacing(
    "settings.maxMembers",
    (old) => Number(old) - 1,
  ),
  mutant("members/ceiling-one-short", "ORG-34", ["inviteMember"]).by(() => async (wire) => {
    const path = `/api/v1/organizations/${wire.path.organizationId ?? ""}`;
    const { body: organization } = await wire.ask("GET", path);
    const { body: list } = await wire.ask("GET", `${path}/members`);
    const isLast = list?.members?.length === organization?.settings?.maxMembers - 1;
    return isLast ? forbidden : wire.send();
  }),
];
