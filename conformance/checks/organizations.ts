import fc from "fast-check";
import { limits, planTerms } from "../../openapi/clauses/limits.js";
import { getClauseRange } from "../../openapi/clauses/register.js";
import type { components } from "../../openapi/generated/service-types.js";
import { anonymous, type ApiResponse, type CallOptions, type Caller } from "../client/client.js";
import { isClientError } from "../client/is-client-error.js";
import { isSuccess } from "../client/is-success.js";
import { defineChecks } from "../check/check.js";
import type { CheckContext } from "../check/context.js";
import { listPossibleMemberIds } from "../resources/member-ids.js";
import { startOwnerSession } from "../steps/create-new-user.js";
import { type Member, MemberClient } from "../steps/member-client.js";
import { assertCurrentTime, assertSameCreation, assertSameInstant } from "../steps/timestamps.js";
import { readUntil } from "../steps/read-until.js";
import { assertRevealsNothing } from "../steps/assert-reveals-nothing.js";
import { assertNotAtOrganizationLimit } from "../steps/assert-not-at-organization-limit.js";

const { minimum, maximum } = limits.organizationNameLength;

type Organization = Readonly<components["schemas"]["Organization"]>;

/** Requests a new organization; ends the check if the user may have too many. */
async function create(
  context: CheckContext,
  body: components["schemas"]["CreateOrganizationRequest"],
  call: CallOptions = {},
): Promise<ApiResponse> {
  const response = await context.call("createOrganization", { ...call, body });
  assertNotAtOrganizationLimit(response);
  return response;
}

/**
 * Generates the characters of a name. Each counts as one character in every way of counting. The specification does not
 * say which characters are allowed, so characters other than plain letters may be refused.
 */
const nameCharacters = fc.oneof(
  ...[
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "abcxyzABCXYZ0123456789 .,&-_äöüßéñçøłżШжΩλ你好東京한글עבا",
  ].map((characters) =>
    fc.array(fc.constantFrom(...Array.from(characters)), { minLength: maximum, maxLength: maximum }),
  ),
);

/** Returns the characters of a text that is repeated until it is long enough for every name. */
const repeatText = (text: string) => Array.from(text.repeat(maximum));

/** Generates valid lengths of names; the bounds are more frequent. */
const nameLength = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(minimum, minimum + 1, maximum - 1, maximum) },
  { weight: 2, arbitrary: fc.integer({ min: minimum, max: maximum }) },
);

/** Generates the part of a slug after the run id, which is "URL-friendly" in every interpretation. */
const slugSuffix = fc
  .array(fc.string({ unit: fc.constantFrom(...Array.from("abcxyz019")), minLength: 1, maxLength: 6 }), {
    maxLength: 3,
  })
  .map((parts) => parts.join("-"));

/** Generates texts that must be encoded in a URL. */
const unfriendlyText = fc
  .string({ unit: fc.constantFrom(...Array.from("abzAB09-_ /?#%&äß東")), minLength: 1, maxLength: 8 })
  .filter((text) => encodeURIComponent(text) !== text);

async function get(context: CheckContext, organizationId: string): Promise<Organization> {
  const response = await context.assertSuccess("ORG-11", "getOrganization", { path: { organizationId } });
  return response.body as Organization;
}

/** Returns the entries of an organization in the caller's list; there should be at most one. */
async function findEntries(context: CheckContext, organizationId: string, as?: Caller) {
  const response = await context.assertSuccess("ORG-09", "listOrganizations", { as });
  const entries = response.body.organizations as readonly components["schemas"]["OrganizationMembership"][];
  return entries.filter((entry) => entry.organizationId === organizationId);
}

/** Asserts that the owner's list contains an organization, and returns its entry. */
async function assertListed(context: CheckContext, clause: "ORG-09" | "ORG-10", organizationId: string) {
  const [entry] = await findEntries(context, organizationId);
  context.assert(clause, entry !== undefined, `organization ${organizationId} in the owner's list`, "none");
  return entry;
}

/** Lists all sequences of four letters and digits in a text, ignoring other characters. */
function listPieces(text = ""): readonly string[] {
  const letters = text.toLowerCase().replace(/[^a-z0-9]/g, "");
  return Array.from({ length: Math.max(0, letters.length - 3) }, (_, at) => letters.slice(at, at + 4));
}

/**
 * Asserts that a slug was generated from the name in some way: it contains a part of the name or, like a digest, a part
 * that recurs with the same name but not with other names. Letters other than a-z are ignored.
 */
async function assertFromName(context: CheckContext, name: string, slug: string): Promise<void> {
  const namePieces = listPieces(name);
  const pieces = listPieces(slug);
  if (namePieces.length === 0 || pieces.some((piece) => namePieces.includes(piece))) return;
  const listSlugPieces = async (givenName: string) => {
    const body = { name: givenName };
    const response = await context.call("createOrganization", { body, intent: "may-be-refused" });
    return response.status === 201 ? listPieces((response.body as Organization).slug) : undefined;
  };
  const sameName = await listSlugPieces(name);
  const otherName = await listSlugPieces(context.resources.createPlainName());
  // Names may have to be unique.
  if (sameName === undefined || otherName === undefined) return;
  const recurs = pieces.some((piece) => sameName.includes(piece) && !otherName.includes(piece));
  context.assert("ORG-08", recurs, `a slug generated from the name ${name}`, slug);
}

/**
 * Whether the owner can require a second factor from members and still use the organization afterward. The owner may then
 * need a second factor, too: the specification leaves the effect of the setting open.
 */
async function canRequireMfa(context: CheckContext): Promise<boolean> {
  const organizationId = await context.resources.createOrganization();
  const path = { organizationId };
  const body = { settings: { requireMfa: true } };
  // The deployment may accept or refuse the request.
  const response = await context.call("updateOrganization", { path, body, intent: "may-be-refused" });
  if (isClientError(response)) return false;
  context.assertStatus("ORG-14", response, 200);
  context.assertEqual(
    "ORG-14",
    response.body.settings.requireMfa,
    true,
    "settings.requireMfa in the response",
  );
  return (await context.call("getOrganization", { path, intent: "may-be-refused" })).status === 200;
}

/** Checks of organizations (parts 2, 3 and 4.6), except their members. */
export const organizationChecks = defineChecks(
  {
    id: "organizations/create",
    title:
      "A new organization has the requested fields, is active and on the free plan, and is owned by its creator",
    clauses: [
      ...getClauseRange("ORG-01", "ORG-06"),
      ...getClauseRange("ORG-08", "ORG-09"),
      ...getClauseRange("ORG-11", "ORG-13"),
      "GEN-01",
    ],
    needs: ["owner", "create-organizations"],
    run: async (context) => {
      const { userId } = await context.actors.getSession("owner");
      await context.property(
        {
          letters: nameCharacters,
          length: nameLength,
          suffix: fc.option(fc.oneof(slugSuffix, unfriendlyText), { nil: undefined }),
          withEmail: fc.boolean(),
        },
        async ({ letters, length, suffix, withEmail }) => {
          const unique = context.resources.createPlainName();
          // A short name does not contain the run id, so a later cleanup could not find the organization.
          const isShort = length < unique.length + 2;
          if (isShort && !context.offers("control-plane")) return;
          const characters = isShort ? letters : Array.from(unique + letters.join(""));
          const name = characters.slice(0, length).join("").replace(/^ | $/g, "x");
          const withSlug = suffix !== undefined;
          const slug = [unique, suffix].filter((part) => part).join("-");
          const isUnfriendly = withSlug && encodeURIComponent(suffix) !== suffix;
          const billingEmail = context.resources.createInviteAddress();
          const body = { name, ...(withSlug ? { slug } : {}), ...(withEmail ? { billingEmail } : {}) };
          const response = await create(context, body, isUnfriendly ? { intent: "may-be-refused" } : {});
          // A slug that cannot be used in a URL is rejected or corrected.
          if (isUnfriendly && isClientError(response)) return;
          if (isClientError(response) && !/^[A-Za-z]+$/.test(name)) {
            // The letters may be refused. But if a shorter name with the same letters is accepted, the length was wrong.
            const shorter = { name: [...new Set(name)].join("") };
            const areLettersRefused =
              !/^\p{Letter}+$/u.test(name) ||
              isClientError(await create(context, shorter, { intent: "may-be-refused" }));
            const expected = `an accepted name of ${length} characters`;
            context.assert("ORG-06", areLettersRefused, expected, response.text);
            return;
          }
          context.assertStatus(length === minimum || length === maximum ? "ORG-06" : "ORG-01", response, 201);
          const created = response.body as Organization;
          const given = { name, ...(withEmail ? { billingEmail } : {}) };
          context.assertFields("ORG-01", created, given, "the response");
          context.assert("ORG-02", !("updatedAt" in created), "no updatedAt", created);
          await assertCurrentTime(context, created.createdAt, "createdAt");
          context.assertEqual("ORG-03", created.status, "active", "the status");
          context.assert(
            "ORG-04",
            Object.hasOwn(planTerms, created.plan),
            "a plan type in `plan`",
            created.plan,
          );
          context.markExercised("ORG-08", "ORG-12");
          if (!withSlug) await assertFromName(context, name, created.slug);
          else if (!isUnfriendly) context.assertEqual("ORG-08", created.slug, slug, "the slug");
          const { organizationId } = created;
          const members = await new MemberClient(context, organizationId).list();
          const owners = members.filter((one) => one.userId === created.ownerUserId && one.role === "owner");
          context.assertEqual("ORG-05", owners.length, 1, "entries for the ownerUserId with the role owner");
          const entries = await findEntries(context, organizationId);
          context.assertEqual("ORG-09", entries.length, 1, "entries in the creator's list");
          const role = members.find((one) => one.userId === userId)?.role;
          const entry = { organizationName: name, role };
          context.assertFields("ORG-09", entries[0], entry, "the creator's list");
          const got = await get(context, organizationId);
          const lasting = ["name", "slug", "ownerUserId", "plan", "billingEmail"] as const;
          context.assertFields("ORG-11", got, created, "the organization as read afterwards", lasting);
          context.assertEqual("ORG-13", got.status, "active", "the status");
          await context.call("deleteOrganization", { path: { organizationId } });
        },
        {
          share: 0.5,
          examples: [
            { letters: repeatText("x"), length: 40, suffix: "", withEmail: true },
            { letters: repeatText("Xy"), length: maximum, suffix: undefined, withEmail: false },
            { letters: repeatText("É b"), length: maximum, suffix: undefined, withEmail: false },
            { letters: repeatText("x"), length: minimum, suffix: undefined, withEmail: true },
            { letters: repeatText("東京"), length: maximum - 1, suffix: "a1-b2", withEmail: false },
            { letters: repeatText("東京"), length: minimum, suffix: undefined, withEmail: true },
            { letters: repeatText("R&D's "), length: 40, suffix: "a-b", withEmail: false },
            { letters: repeatText("x"), length: 40, suffix: " b", withEmail: false },
            { letters: repeatText("x"), length: 40, suffix: "/ä", withEmail: false },
          ],
        },
      );
    },
  },
  {
    id: "organizations/created-by-readonly",
    title: "A user with the role readonly in one organization can own another",
    clauses: ["ORG-03", "ORG-05", "ORG-16"],
    needs: ["readonly", "create-organizations"],
    run: async (context) => {
      const { resources, actors } = context;
      const body = { name: resources.createPlainName() };
      const by = await context.actor("readonly");
      const created = await context.call("createOrganization", { as: by, body, intent: "may-be-refused" });
      // The access checks test whether readonly users may create organizations.
      if (isClientError(created)) context.notOffered("the user cannot create another organization");
      const { organizationId, ownerUserId, status } = created.body as Organization;
      context.assertEqual("ORG-03", status, "active", "the status");
      const path = { organizationId };
      const as = await actors.getCallerIn("readonly", organizationId);
      const listed = await context.assertSuccess("ORG-05", "listMembers", { as, path });
      const owner = (listed.body.members as Member[]).find(({ userId }) => userId === ownerUserId);
      context.assertEqual("ORG-05", owner?.role, "owner", "the role of the ownerUserId");
      // The specification does not say that the owner is the creator.
      if (ownerUserId !== (await actors.getSession("readonly")).userId) return;
      if (context.offers("create-databases")) {
        const database = { name: resources.createName(), region: resources.region };
        const made = await context.assertSuccess("AUTH-13", "createDatabase", { as, body: database }, 201);
        const { databaseId } = made.body as { readonly databaseId: string };
        await resources.waitUntilReady(databaseId, { as });
        await context.assertSuccess("AUTH-13", "deleteDatabase", { as, path: { databaseId } }, 204);
        await resources.waitUntilGone(databaseId, { as });
        resources.recordRemoval("database", databaseId);
      }
      await context.assertSuccess("ORG-16", "deleteOrganization", { as, path }, 204);
    },
  },
  {
    id: "organizations/refused-names",
    title: "A request to create an organization without a valid name is rejected",
    clauses: ["ORG-06", "ORG-07"],
    needs: ["owner", "create-organizations"],
    run: async (context) => {
      const count = async () => (await context.call("listOrganizations")).body.organizations.length as number;
      const before = await count();
      for (const body of [{}, { slug: context.resources.createName() }])
        await context.assertRefusal("ORG-07", "createOrganization", { body }, "the name is missing");
      await context.property(
        { length: fc.oneof(fc.nat(minimum - 1), fc.integer({ min: maximum + 1, max: 5 * maximum })) },
        async ({ length }) => {
          const name = context.resources.createPlainName().padEnd(length, "x").slice(0, length);
          const because = `the name has ${length} characters`;
          await context.assertRefusal("ORG-06", "createOrganization", { body: { name } }, because);
        },
        { share: 0.3, examples: [{ length: 0 }, { length: minimum - 1 }, { length: maximum + 1 }] },
      );
      context.assertEqual("ORG-06", await count(), before, "organizations after the refusals");
    },
  },
  {
    id: "organizations/update",
    title: "An update sets the fields that it contains and leaves all other fields unchanged",
    clauses: ["ORG-06", "ORG-09", "ORG-11", "ORG-14"],
    needs: ["owner", "create-organizations"],
    run: async (context) => {
      // A slug that was generated from the name may follow it.
      const slug = context.resources.createPlainName();
      const organizationId = await context.resources.createOrganization({ slug });
      const path = { organizationId };
      const canRequire = await canRequireMfa(context);
      await context.property(
        {
          changes: fc.record(
            {
              name: fc.constantFrom(minimum, minimum + 1, 40, maximum - 1, maximum),
              billingEmail: fc.nat({ max: 999 }),
              requireMfa: fc.boolean(),
            },
            { requiredKeys: [] },
          ),
        },
        async ({ changes: { name, billingEmail, requireMfa } }) => {
          const before = await get(context, organizationId);
          const body = {
            ...(name === undefined
              ? {}
              : { name: context.resources.createPlainName().slice(0, name).padEnd(name, "y") }),
            ...(billingEmail === undefined ? {} : { billingEmail: context.resources.createInviteAddress() }),
            ...(requireMfa === undefined ? {} : { settings: { requireMfa: requireMfa && canRequire } }),
          };
          const response = await context.call("updateOrganization", { path, body });
          // An update without fields may be refused.
          if (isClientError(response) && Object.keys(body).length === 0) return;
          context.assertStatus(name === undefined ? "ORG-14" : "ORG-06", response, 200);
          const after = await get(context, organizationId);
          const expected = { ...before, ...body, settings: { ...before.settings, ...body.settings } };
          assertSameFields(context, "ORG-14", response.body as Organization, expected, "the response");
          assertSameFields(context, "ORG-14", after, expected, "the organization as read afterwards");
          assertSameInstant(context, "ORG-14", response.body.createdAt, before.createdAt, "createdAt");
          assertSameCreation(context, "ORG-11", after, before);
          const readEntry = async () => (await findEntries(context, organizationId))[0];
          const entry = await readUntil(context, readEntry, (now) => now?.organizationName === after.name);
          context.assertEqual("ORG-09", entry?.organizationName, after.name, "the name in the owner's list");
        },
        {
          examples: [
            { changes: { name: 40 } },
            { changes: { billingEmail: 1 } },
            { changes: { requireMfa: true, name: maximum - 1 } },
            { changes: { name: 40, billingEmail: 2 } },
            { changes: { billingEmail: 3, requireMfa: false } },
            { changes: { requireMfa: true } },
            { changes: { name: maximum, billingEmail: 4, requireMfa: false } },
            { changes: {} },
          ],
        },
      );
      const as = await startOwnerSession(context, "owner in another session", { organizationId });
      const last = { name: context.resources.createPlainName(), settings: { requireMfa: false } };
      await context.assertSuccess("ORG-14", "updateOrganization", { as, path, body: last });
      const read = () => get(context, organizationId);
      const before = await readUntil(context, read, ({ name }) => name === last.name);
      context.assertEqual("ORG-14", before.name, last.name, "the name after an update by another caller");
      for (const name of ["", "x".repeat(minimum - 1), "x".repeat(maximum + 1)]) {
        const body = { name, billingEmail: "changed@certify.example" };
        const response = await context.call("updateOrganization", { path, body, intent: "invalid" });
        context.assertRefused("ORG-06", response, `the name has ${name.length} characters`);
        const after = await get(context, organizationId);
        assertSameFields(context, "ORG-06", after, before, "the organization as read after the refusal");
      }
    },
  },
  {
    id: "organizations/delete",
    title: "An organization deleted by its owner no longer exists",
    clauses: ["ORG-09", "ORG-16"],
    needs: ["owner", "create-organizations"],
    run: async (context) => {
      const organizationId = await context.resources.createOrganization();
      const kept = await context.resources.createOrganization();
      await assertListed(context, "ORG-09", organizationId);
      const path = { organizationId };
      await get(context, organizationId);
      await context.assertSuccess("ORG-16", "deleteOrganization", { path }, 204);
      await assertOrganizationDeleted(context, organizationId);
      const again = await context.call("deleteOrganization", { path, intent: "may-be-refused" });
      context.assert("ORG-16", again.status < 500, "no server error", again.text);
      const ids = (await context.call("listOrganizations")).body.organizations.map(
        (entry: { organizationId: string }) => entry.organizationId,
      );
      // The list may contain a deleted organization that its former members can still read. A refusal shows that they
      // cannot, if the same token gives access to another organization.
      const as = await context.actor("owner");
      const getAsOwner = (id: string) =>
        context.call("getOrganization", { as, path: { organizationId: id }, intent: "may-be-refused" });
      if (isClientError(await getAsOwner(organizationId)) && isSuccess(await getAsOwner(kept)))
        context.assert("ORG-16", !ids.includes(organizationId), "no entry in the owner's list", ids);
      context.assert("ORG-16", ids.includes(kept), `the other organization ${kept} still listed`, ids);
    },
  },
  {
    id: "organizations/personal",
    title: "A personal organization is listed only for its own user",
    clauses: ["ORG-09", "ORG-10"],
    needs: ["owner"],
    run: async (context) => {
      const { personalOrgId } = await context.actors.getSession("owner");
      await assertListed(context, "ORG-10", personalOrgId);
      if (!context.offers("outsider")) return;
      const { personalOrgId: other } = await context.actors.getSession("outsider");
      const own = await findEntries(context, other, await context.actor("outsider"));
      context.assertEqual(
        "ORG-09",
        own.length,
        1,
        "entries for the personal organization in its user's list",
      );
      const foreign = await findEntries(context, other);
      context.assertEqual("ORG-09", foreign.length, 0, "entries for another user's personal organization");
    },
  },
  {
    id: "organizations/strangers",
    title: "A user who is not a member can neither read nor change an organization",
    clauses: ["ORG-18"],
    needs: ["owner", "outsider", "create-organizations", "invitations"],
    run: async (context) => {
      const organizationId = await context.resources.createOrganization();
      const path = { organizationId };
      const members = new MemberClient(context, organizationId);
      const before = await get(context, organizationId);
      const listRoles = async () => (await members.list()).map(({ role }) => role).sort();
      const rolesBefore = await listRoles();
      const { userId } = await context.actors.getSession("owner");
      const [memberId = userId] = listPossibleMemberIds(
        (await members.list()).find((member) => member.userId === userId) ?? { userId, email: "" },
      );
      for (const as of [await context.actor("outsider"), anonymous]) {
        const calls = [
          ["getOrganization", { path }],
          ["updateOrganization", { path, body: { name: "Stolen" } }],
          ["listMembers", { path }],
          ["inviteMember", { path, body: { email: "intruder@certify.example", role: "owner" } }],
          ["updateMember", { path: { ...path, memberId }, body: { role: "readonly" } }],
          ["removeMember", { path: { ...path, memberId } }],
          ["switchOrganization", { body: { organizationId } }],
          ["deleteOrganization", { path }],
        ] as const;
        for (const [operation, call] of calls) {
          const response = await context.call(operation, { ...call, as, intent: "invalid" });
          context.assertRefused("ORG-18", response, `${as.name} is not a member`);
          const isHidden = !response.text.includes(before.name);
          context.assert("ORG-18", isHidden, "none of the organization's data", response.text);
        }
      }
      const after = await get(context, organizationId);
      context.assertEqual("ORG-18", after.name, before.name, "the name afterwards");
      context.assertEqual("ORG-18", await listRoles(), rolesBefore, "the roles of the members afterwards");
    },
  },
);

const fieldNames = ["name", "billingEmail", "slug", "ownerUserId", "plan", "status"] as const;
const settingNames = [
  ...(["maxDatabases", "maxApiKeys", "maxMembers", "requireMfa", "ssoEnabled", "allowedRegions"] as const),
];

/** Asserts that two organizations have the same values in the fields and settings that the specification names. */
function assertSameFields(
  context: CheckContext,
  clause: "ORG-06" | "ORG-14",
  actual: Organization,
  expected: Organization,
  what: string,
): void {
  context.assertFields(clause, actual, expected, what, fieldNames);
  context.assertFields(clause, actual.settings, expected.settings, `the settings in ${what}`, settingNames);
}

/**
 * Asserts that an organization is deleted (ORG-16): former members no longer find it or, because part 3 calls it
 * soft-deleted, find it with the status deleted. This holds for tokens for this organization and for others.
 */
async function assertOrganizationDeleted(context: CheckContext, organizationId: string): Promise<void> {
  const path = { organizationId };
  let isShown = false;
  for (const call of [{ path }, { path, as: await context.actor("owner") }]) {
    const response = await context.call("getOrganization", call);
    if (response.status === 200) {
      context.assertEqual("ORG-16", response.body.status, "deleted", "the status of a deleted organization");
      isShown = true;
      continue;
    }
    context.assertRefused("ORG-16", response, "the organization is deleted");
    const members = await context.call("listMembers", { ...call, intent: "invalid" });
    assertRevealsNothing(context, "ORG-16", members, "the organization is deleted");
  }
  if (isShown) return;
  const choice = { as: await context.actor("owner"), body: { organizationId } };
  await context.assertRefusal("ORG-16", "switchOrganization", choice, "the organization is deleted");
}
