import type { OperationId } from "../../openapi/operations/register.js";
import { parseClaims } from "../client/claims.js";
import {
  type AnyJson,
  type InterceptedRequest,
  type InterceptedResponse,
  changeBody,
  createErrorResponse,
  createSuccessResponse,
  isErrorResponse,
  noContentResponse,
} from "./intercept.js";
import { addReads } from "./add-reads.js";
import { type Mutant, mutant } from "./mutant.js";

const create: readonly OperationId[] = ["createOrganization"];
const update: readonly OperationId[] = ["updateOrganization"];
const get: readonly OperationId[] = ["getOrganization"];
const list: readonly OperationId[] = ["listOrganizations"];

/** Faults in organizations and in the list of a user's organizations. */
export const organizationMutants: readonly Mutant[] = [
  mutant("organizations/name-escapes-ampersand", "ORG-01", create).rewriteText("name", "&", "&amp;"),
  mutant("organizations/create-answers-updated-at", "ORG-02", create).changeResponseBody(
    (body) => (body.updatedAt = body.createdAt),
  ),
  mutant("organizations/creation-time-unset", "GEN-01", create).replaceField(
    "createdAt",
    "0001-01-01T00:00:00Z",
  ),
  mutant("members/invitation-time-unset", "GEN-01", "inviteMember").replaceField(
    "invitedAt",
    "0001-01-01T00:00:00Z",
  ),
  mutant("organizations/unknown-plan-at-birth", "ORG-04", create).replaceField("plan", "gold"),
  mutant("organizations/owner-as-admin", "ORG-05", "listMembers").replaceField("members", (members) =>
    members.length === 1 ? [{ ...members[0], role: "admin" }] : members,
  ),
  mutant("organizations/name-of-one-letter-taken", "ORG-06", [...create, ...update]).rewriteText(
    "name",
    /^(.)$/su,
    "$1$1",
  ),
  mutant("organizations/name-of-100-bytes", "ORG-06", create).rejectRequests(
    ({ body }) => Buffer.byteLength(String(body?.name)) > 100,
  ),
  mutant("organizations/name-made-up", "ORG-07", create).addDefaultParameters({
    name: "Unnamed organization",
  }),
  mutant("organizations/given-slug-changed", "ORG-08", create).rewriteText("slug", /$/, "-1"),
  mutant(
    "organizations/cached-for-each-caller",
    "ORG-14",
    /^(?:get|update)Organization/,
  ).cacheUntilOwnWrite(),
  mutant("members/list-cached-for-each-caller", "ORG-27", /Member/).cacheUntilOwnWrite(),
  mutant("organizations/stale-list", "ORG-09", list).freezeField(
    "organizations",
    ({ credential }) => credential,
  ),
  mutant("organizations/list-shows-others", "ORG-09", list).accumulateList("organizations", "organizationId"),
  mutant("organizations/list-shows-role-owner", "ORG-09", list).replaceField("organizations.*.role", "owner"),
  mutant("organizations/list-hides-personal", "ORG-10", list).replaceField(
    "organizations",
    (shown, { memory }) => {
      const personal: unknown = memory.keepFirst("personal", shown[0]?.organizationId);
      return shown.filter(({ organizationId }: AnyJson) => organizationId !== personal);
    },
  ),
  mutant("organizations/name-hides-settings", "ORG-14", update).ignoreFields(
    ["settings"],
    ({ body }) => body.name !== undefined,
  ),
  mutant("organizations/update-answers-old-creation", "ORG-14", update).replaceField(
    "createdAt",
    "2020-01-01T00:00:00Z",
  ),
  mutant("organizations/creation-is-time-of-read", "ORG-11", get).replaceField("createdAt", addReads),
  mutant("organizations/updater-becomes-owner", "ORG-14", [...update, ...get]).replaceField(
    "ownerUserId",
    (owner, { body, credential, memory, path }) => {
      if (body !== undefined) memory.set(path, parseClaims(credential).sub);
      return memory.get(path) ?? owner;
    },
  ),
  mutant("organizations/deleted-can-be-chosen", "ORG-16", ["switchOrganization"]).repeatLastSuccess(
    ({ body }) => body?.organizationId,
    isErrorResponse,
  ),
  mutant("organizations/suspended-if-created-by-readonly", "ORG-03", create).replaceField(
    "status",
    async (status, request) => ((await hasRole("readonly")(request)) ? "suspended" : status),
  ),
  mutant("organizations/readonly-everywhere", "AUTH-13", ["switchOrganization", "createDatabase"]).by(
    async ({ operationId, credential, memory, send }) => {
      const { sub } = parseClaims(credential);
      if (operationId === "createDatabase" && memory.get(sub)?.includes("readonly") === true)
        return createErrorResponse(403);
      return changeBody(send(), ({ roles }) => memory.keepFirst(sub, roles));
    },
  ),
  mutant("organizations/deleted-is-active", "ORG-16", get).repeatLastSuccess(
    ({ credential, path }) => [credential, path],
    isErrorResponse,
  ),
  mutant("organizations/strangers-list-members", "ORG-18", "listMembers").repeatLastSuccess(
    ({ path }) => path,
    (response, { credential }) => isErrorResponse(response) && credential !== undefined,
  ),
];

const listMembers: readonly OperationId[] = ["listMembers"];
const invite: readonly OperationId[] = ["inviteMember"];
const updateMember: readonly OperationId[] = ["updateMember"];
const removeMember: readonly OperationId[] = ["removeMember"];

const roles: readonly unknown[] = ["owner", "admin", "member", "readonly"];

/** Lists the members of the organization in the path, or of that of the token, as the caller. */
async function fetchMembers({ path, credential, ask }: InterceptedRequest): Promise<AnyJson[]> {
  const organizationId = path.organizationId ?? parseClaims(credential).org ?? "";
  return (await ask("GET", `/api/v1/organizations/${organizationId}/members`)).body?.members ?? [];
}

/** Finds the caller among the members. */
async function findCaller(request: InterceptedRequest): Promise<AnyJson> {
  const { sub } = parseClaims(request.credential);
  return (await fetchMembers(request)).find(({ userId }) => userId === sub);
}

/** Returns a condition: whether the caller has a role. */
export const hasRole =
  (role: string) =>
  async (request: InterceptedRequest): Promise<boolean> =>
    (await findCaller(request))?.role === role;

/** Whether the member is named by a parameter of a path. */
const isNamed = ({ userId, email }: AnyJson, memberId: string | undefined): boolean =>
  memberId === userId || memberId === email;

/** Finds the member in the path. */
export async function findMember(request: InterceptedRequest): Promise<AnyJson> {
  return (await fetchMembers(request)).find((member) => isNamed(member, request.path.memberId));
}

/** Faults in members and invitations. */
export const memberMutants: readonly Mutant[] = [
  mutant("members/list-of-four-hides-last", "ORG-19", listMembers).changeResponseBody((body) => {
    if (body.members.length > 3) body.members.pop();
  }),
  mutant("members/readonly-lists-no-members", "ORG-20", listMembers).rejectRequests(hasRole("readonly")),
  mutant("members/readonly-lists-only-self", "ORG-19", listMembers).changeResponseBody(
    async (body, request) => {
      const caller = await findCaller(request);
      if (caller?.role === "readonly") body.members = [caller];
    },
  ),
  mutant("members/nobody-with-name", "ORG-35", listMembers).replaceField("members.*.name", null),
  mutant("members/always-invited-by-owner", "ORG-23", [...invite, ...listMembers]).by(async (request) => {
    const owner = (await fetchMembers(request)).find(({ role }) => role === "owner");
    return changeBody(request.send(), (body) => {
      for (const member of body.members ?? [body])
        if (member.status === "pending") member.invitedBy = owner?.userId;
    });
  }),
  mutant("members/address-of-one-organization", "ORG-22", invite).rejectRequests(
    ({ body, path: { organizationId }, memory }) =>
      memory.keepFirst(body?.email, organizationId) !== organizationId,
  ),
  mutant("members/default-role-readonly", "ORG-24", invite).addDefaultParameters({ role: "readonly" }),
  mutant("members/unknown-role-is-member", "ORG-25", invite).replaceRequestField("role", (role) =>
    typeof role !== "string" || roles.includes(role) ? role : "member",
  ),
  mutant("members/roles-by-prefix", "ORG-28", updateMember).rewriteText("role", /^admin.*/, "admin"),
  mutant("members/admins-may-not-invite", "ORG-26", invite).rejectRequests(hasRole("admin")),
  mutant("members/role-change-loses-invitation", "ORG-27", updateMember).changeResponseBody((body) => {
    if (body.status === "pending") body.invitedAt = body.invitedBy = null;
  }),
  mutant("members/change-to-readonly-pretended", "ORG-27", updateMember).by(async (request) => {
    const member = await findMember(request);
    return member?.status === "pending" && request.body?.role === "readonly"
      ? createSuccessResponse({ ...member, role: "readonly" })
      : request.send();
  }),
  mutant("members/nobody-becomes-readonly", "ORG-27", updateMember).rejectRequests(
    ({ body }) => body?.role === "readonly",
  ),
  mutant("members/nobody-becomes-owner", "ORG-31", updateMember).rejectRequests(
    ({ body }) => body?.role === "owner",
  ),
  mutant("members/removed-pending-stays", "ORG-29", removeMember).respondToRequest(
    async (request) => (await findMember(request))?.status === "pending",
    noContentResponse,
  ),
  mutant("members/nobody-leaves", "ORG-30", removeMember).rejectRequests(async (request) => {
    const caller = await findCaller(request);
    return (
      isNamed(caller ?? {}, request.path.memberId) && /^(?:member|readonly)$/.test(caller.role as string)
    );
  }),
  mutant("members/removed-count-toward-ceiling", "ORG-34", invite).by(async (request) => {
    const { organizationId } = request.path;
    const response: InterceptedResponse = request.memory.get(organizationId) ?? (await request.send());
    return response.status === 403 ? request.memory.set(organizationId, response) : response;
  }),
  mutant("members/ceiling-one-short", "ORG-34", invite).rejectRequests(async (request) => {
    const { body } = await request.ask("GET", `/api/v1/organizations/${request.path.organizationId}`);
    return (await fetchMembers(request)).length === body?.settings?.maxMembers - 1;
  }),
];
