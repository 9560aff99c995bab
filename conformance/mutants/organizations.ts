import { changed, type Json, withBody } from "./intercept.js";
import { claimsOf } from "../client/claims.js";
import { mutant } from "./mutant.js";
import { refusal } from "./refusal.js";
import { generatingSlugs, slugOperations } from "./rewrite-answers.js";

const forbidden = refusal(403);

export const organizationMutants = [
  mutant(
    "organizations/joined-in-words",
    "GEN-01",
    "joinedAt in the list of one's own organizations is a date in words",
    ["listOrganizations"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        for (const entry of body.organizations) entry.joinedAt = "New Year 2030, 10:00Z";
      }),
  ),
  mutant(
    "organizations/no-owner-on-create",
    "ORG-01",
    "The create answer lacks ownerUserId",
    ["createOrganization"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        delete body.ownerUserId;
      }),
  ),
  mutant(
    "organizations/updated-on-create",
    "ORG-02",
    "The create answer has updatedAt",
    ["createOrganization"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.updatedAt = body.createdAt;
      }),
  ),
  mutant(
    "organizations/suspended-at-birth",
    "ORG-03",
    "A new organization is suspended",
    ["createOrganization"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.status = "suspended";
      }),
  ),
  mutant(
    "organizations/gold-at-birth",
    "ORG-04",
    "A new organization has a plan that there is none of",
    ["createOrganization"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.plan = "gold";
      }),
  ),
  mutant(
    "organizations/owner-as-admin",
    "ORG-05",
    "Who creates an organization is listed as its admin",
    ["listMembers"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (body.members.length === 1) body.members[0].role = "admin";
      }),
  ),
  mutant(
    "organizations/one-letter",
    "ORG-06",
    "A name of one letter is taken",
    ["createOrganization", "updateOrganization"],
    () => async (wire) =>
      typeof wire.body?.name === "string" && wire.body.name.length === 1
        ? wire.send({ body: { ...wire.body, name: wire.body.name.repeat(2) } })
        : wire.send(),
  ),
  mutant(
    "organizations/ninety-nine",
    "ORG-06",
    "A name of 100 letters is refused",
    ["createOrganization", "updateOrganization"],
    () => async (wire) => (wire.body?.name?.length === 100 ? refusal(400) : wire.send()),
  ),
  mutant(
    "organizations/cut-name",
    "ORG-06",
    "A name of 101 letters is cut",
    ["updateOrganization"],
    () => async (wire) =>
      wire.body?.name?.length === 101
        ? wire.send({ body: { ...wire.body, name: wire.body.name.slice(0, 100) } })
        : wire.send(),
  ),
  mutant(
    "organizations/nameless",
    "ORG-07",
    "A name is made up where there is none",
    ["createOrganization"],
    () => async (wire) =>
      wire.body?.name === undefined
        ? wire.send({ body: { ...wire.body, name: "Unnamed organization" } })
        : wire.send(),
  ),
  mutant(
    "organizations/own-slug",
    "ORG-08",
    "A slug that is given is not kept",
    ["createOrganization"],
    () => async (wire) => {
      const { slug, ...rest } = wire.body ?? {};
      return wire.send({ body: slug === undefined ? wire.body : { ...rest, slug: `${String(slug)}-1` } });
    },
  ),
  mutant(
    "organizations/slug-with-spaces",
    "ORG-08",
    "A generated slug is the name",
    ["createOrganization"],
    () => async (wire) => {
      const answer = await wire.send();
      return wire.body?.slug === undefined
        ? changed(answer, (body) => {
            body.slug = `${String(body.name)} é`;
          })
        : answer;
    },
  ),
  mutant(
    "organizations/numbered-slugs",
    "ORG-08",
    "A generated slug is a number",
    slugOperations,
    generatingSlugs((_, number) => `organization-${number}`),
  ),
  mutant(
    "organizations/first-name-listed",
    "ORG-09",
    "The own list keeps the name that an organization was created with",
    ["listOrganizations"],
    () => {
      const names = new Map<string, string>();
      return async (wire) =>
        changed(await wire.send(), (body) => {
          for (const entry of body.organizations) {
            const { organizationId, organizationName } = entry;
            entry.organizationName = names.get(organizationId as string) ?? organizationName;
            names.set(organizationId as string, entry.organizationName as string);
          }
        });
    },
  ),
  mutant(
    "organizations/kept-alive",
    "ORG-16",
    "A deletion is answered and not made",
    ["deleteOrganization"],
    () => async (wire) => {
      const path = `/api/v1/organizations/${wire.path.organizationId ?? ""}`;
      const { status } = await wire.ask("GET", path);
      return status === 200 ? { status: 204, headers: {}, body: undefined } : wire.send();
    },
  ),
  mutant("organizations/stale-list", "ORG-09", "The own list is a minute old", ["listOrganizations"], () => {
    const seen = new Map<string | undefined, Json>();
    return async (wire) => {
      const answer = await wire.send();
      if (answer.status !== 200) return answer;
      const known = seen.get(wire.credential);
      if (known === undefined) seen.set(wire.credential, answer.body);
      return withBody(answer, known ?? answer.body);
    };
  }),
  mutant(
    "organizations/foreign-in-list",
    "ORG-09",
    "The own list shows somebody else's organization",
    ["listOrganizations"],
    () => {
      const known = new Map<string, Json>();
      return async (wire) => {
        const answer = await wire.send();
        if (answer.status !== 200) return answer;
        for (const entry of answer.body.organizations) known.set(entry.organizationId, entry);
        return changed(answer, (body) => {
          body.organizations = [...known.values()];
        });
      };
    },
  ),
  mutant(
    "organizations/personal-hidden",
    "ORG-10",
    "The own list leaves the first organization out",
    ["listOrganizations"],
    () => {
      let personal: string | undefined;
      return async (wire) =>
        changed(await wire.send(), (body) => {
          personal ??= body.organizations[0]?.organizationId;
          body.organizations = body.organizations.filter((entry: Json) => entry.organizationId !== personal);
        });
    },
    ["session"],
  ),
  mutant(
    "organizations/get-loses-slug",
    "ORG-11",
    "Get answers another slug than create",
    ["getOrganization"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.slug = `${String(body.slug)}-x`;
      }),
  ),
  mutant(
    "organizations/flag-as-text",
    "ORG-12",
    "requireMfa is a text",
    ["getOrganization"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.settings.requireMfa = String(body.settings.requireMfa);
      }),
  ),
  mutant(
    "organizations/status-in-capitals",
    "ORG-13",
    "The status is spelled Active",
    ["getOrganization"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.status = "Active";
      }),
  ),
  mutant(
    "organizations/update-clears",
    "ORG-14",
    "An update without billingEmail clears it",
    ["updateOrganization"],
    () => async (wire) =>
      wire.body?.billingEmail === undefined && wire.body?.name !== undefined
        ? wire.send({ body: { ...wire.body, billingEmail: "cleared@certify.example" } })
        : wire.send(),
  ),
  mutant(
    "organizations/update-forgets-mfa",
    "ORG-14",
    "An update ignores settings.requireMfa when there is a name",
    ["updateOrganization"],
    () => async (wire) => {
      const { settings, ...rest } = wire.body ?? {};
      return settings === undefined || rest.name === undefined ? wire.send() : wire.send({ body: rest });
    },
  ),
  mutant(
    "organizations/undead",
    "ORG-16",
    "A deleted organization is still listed",
    ["listOrganizations"],
    () => {
      const known = new Map<string, Json>();
      return async (wire) =>
        changed(await wire.send(), (body) => {
          for (const entry of body.organizations)
            known.set(`${wire.credential ?? ""} ${String(entry.organizationId)}`, entry);
          body.organizations = [...known]
            .filter(([key]) => key.startsWith(wire.credential ?? ""))
            .map(([, entry]) => entry);
        });
    },
  ),
  mutant(
    "organizations/active-after-deletion",
    "ORG-16",
    "A deleted organization can be read, and is active",
    ["getOrganization"],
    () => {
      const known = new Map<string, Json>();
      return async (wire) => {
        const answer = await wire.send();
        const { organizationId = "" } = wire.path;
        const key = `${wire.credential ?? ""} ${organizationId}`;
        if (answer.status === 200) known.set(key, answer);
        return answer.status >= 400 ? (known.get(key) ?? answer) : answer;
      };
    },
  ),
  mutant(
    "organizations/open-doors",
    "ORG-18",
    "Strangers may list the members",
    ["listMembers"],
    () => {
      const known = new Map<string, Json>();
      return async (wire) => {
        const answer = await wire.send();
        const { organizationId = "" } = wire.path;
        if (answer.status === 200) known.set(organizationId, answer.body);
        return answer.status >= 400 && wire.credential !== undefined && known.has(organizationId)
          ? { status: 200, headers: {}, body: known.get(organizationId) }
          : answer;
      };
    },
    ["members"],
  ),
];

export const memberMutants = [
  mutant(
    "members/list-hides-last",
    "ORG-19",
    "The list of members leaves the last one out, if there are more than three",
    ["listMembers"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (body.members.length > 3) body.members.pop();
      }),
  ),
  mutant(
    "members/readonly-may-not-look",
    "ORG-20",
    "Readonly members may not list the members",
    ["listMembers"],
    () => async (wire) => {
      const answer = await wire.send();
      if (answer.status !== 200) return answer;
      const { sub } = claimsOf(wire.credential);
      const mine = answer.body.members.find((member: Json) => member.userId === sub);
      return mine?.role === "readonly" ? forbidden : answer;
    },
    ["access"],
  ),
  mutant(
    "members/invited-status",
    "ORG-21",
    "The list shows an invited member with the status invited",
    ["listMembers"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        for (const member of body.members) if (member.status === "pending") member.status = "invited";
      }),
  ),
  mutant(
    "members/active-at-once",
    "ORG-22",
    "An invited member is active at once",
    ["inviteMember"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.status = "active";
      }),
  ),
  mutant(
    "members/name-from-email",
    "ORG-22",
    "A pending member has a name",
    ["listMembers"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        for (const member of body.members) member.name ??= String(member.email).split("@")[0];
      }),
  ),
  mutant(
    "members/nameless",
    "ORG-35",
    "The list shows nobody's name",
    ["listMembers"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        for (const member of body.members) member.name = null;
      }),
  ),
  mutant(
    "members/invited-by-owner",
    "ORG-23",
    "invitedBy is the owner, whoever invites",
    ["inviteMember", "listMembers"],
    () => async (wire) => {
      const path = `/api/v1/organizations/${wire.path.organizationId ?? ""}/members`;
      const { body: list } = await wire.ask("GET", path);
      const owner = list?.members?.find(({ role }: Json) => role === "owner");
      return changed(await wire.send(), (body) => {
        for (const member of body.members ?? [body])
          if (member.status === "pending") member.invitedBy = owner?.userId;
      });
    },
  ),
  mutant(
    "members/invited-by-nobody",
    "ORG-23",
    "invitedBy is null",
    ["inviteMember"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.invitedBy = null;
      }),
  ),
  mutant(
    "members/default-readonly",
    "ORG-24",
    "Without a role an invitation is for readonly",
    ["inviteMember"],
    () => async (wire) =>
      wire.body?.role === undefined ? wire.send({ body: { ...wire.body, role: "readonly" } }) : wire.send(),
  ),
  mutant(
    "members/unknown-role-is-member",
    "ORG-25",
    "An unknown role counts as member",
    ["inviteMember"],
    () => async (wire) =>
      typeof wire.body?.role === "string" &&
      !["owner", "admin", "member", "readonly"].includes(wire.body.role)
        ? wire.send({ body: { ...wire.body, role: "member" } })
        : wire.send(),
  ),
  mutant(
    "members/roles-by-prefix",
    "ORG-28",
    "Roles are taken by their first letters",
    ["updateMember"],
    () => async (wire) =>
      typeof wire.body?.role === "string"
        ? wire.send({ body: { role: wire.body.role.replace(/^admin.*/, "admin") } })
        : wire.send(),
  ),
  mutant(
    "members/admins-may-not-invite",
    "ORG-26",
    "Only owners may invite",
    ["inviteMember"],
    () => async (wire) => {
      const list = await wire.ask("GET", `/api/v1/organizations/${wire.path.organizationId ?? ""}/members`);
      const { sub } = claimsOf(wire.credential);
      const mine = list.body?.members?.find((member: Json) => member.userId === sub);
      return mine?.role === "admin" ? forbidden : wire.send();
    },
    ["access"],
  ),
  mutant(
    "members/change-unseen",
    "ORG-27",
    "A role change is answered and not made",
    ["updateMember"],
    () => async (wire) => {
      const { organizationId = "", memberId = "" } = wire.path;
      const list = await wire.ask("GET", `/api/v1/organizations/${organizationId}/members`);
      const member = list.body?.members?.find(
        (entry: Json) => entry.userId === memberId || entry.email === memberId,
      );
      const isKnown = ["owner", "admin", "member", "readonly"].includes(wire.body?.role as string);
      return member?.status === "pending" && isKnown && wire.body.role === "readonly"
        ? { status: 200, headers: {}, body: { ...member, role: wire.body.role } }
        : wire.send();
    },
  ),
  mutant(
    "members/owner-only-by-transfer",
    "ORG-31",
    "Nobody may be made an owner",
    ["updateMember"],
    () => async (wire) => (wire.body?.role === "owner" ? forbidden : wire.send()),
  ),
  mutant(
    "members/removed-stay",
    "ORG-29",
    "A pending member who is removed stays in the list",
    ["removeMember"],
    () => async (wire) => {
      const { organizationId = "", memberId = "" } = wire.path;
      const list = await wire.ask("GET", `/api/v1/organizations/${organizationId}/members`);
      const isPending = list.body?.members?.some(
        (entry: Json) => entry.email === memberId && entry.status === "pending",
      );
      return isPending ? { status: 204, headers: {}, body: undefined } : wire.send();
    },
  ),
  mutant(
    "members/no-way-out",
    "ORG-30",
    "Members may not remove themselves",
    ["removeMember"],
    () => async (wire) => {
      const { sub } = claimsOf(wire.credential);
      const list = await wire.ask("GET", `/api/v1/organizations/${wire.path.organizationId ?? ""}/members`);
      const mine = list.body?.members?.find((entry: Json) => entry.userId === sub);
      const isMe = [mine?.userId, mine?.email].includes(wire.path.memberId);
      return isMe && ["member", "readonly"].includes(mine?.role as string) ? forbidden : wire.send();
    },
  ),
  mutant(
    "members/one-above-the-ceiling",
    "ORG-34",
    "There is room for one member more than the settings tell",
    ["getOrganization"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.settings.maxMembers = Number(body.settings.maxMembers) - 1;
      }),
  ),
  mutant(
    "members/ceiling-one-short",
    "ORG-34",
    "The ceiling of members is one lower than told",
    ["inviteMember"],
    () => async (wire) => {
      const path = `/api/v1/organizations/${wire.path.organizationId ?? ""}`;
      const { body: organization } = await wire.ask("GET", path);
      const { body: list } = await wire.ask("GET", `${path}/members`);
      const isLast = list?.members?.length === organization?.settings?.maxMembers - 1;
      return isLast ? forbidden : wire.send();
    },
  ),
];
