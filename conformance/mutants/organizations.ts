import type { OperationId } from "../../openapi/operations/register.js";
import { parseClaims } from "../client/claims.js";
import { type AnyJson, type InterceptedResponse, type InterceptedRequest, changeBody } from "./intercept.js";
import { type Mutant, createMutantBuilder, mutant } from "./mutant.js";
import {
  type InterceptorFactory,
  createErrorResponse,
  createSuccessResponse,
  noContentResponse,
  replaceField,
  isRefusal,
} from "./tampers.js";

const create: readonly OperationId[] = ["createOrganization"];
const update: readonly OperationId[] = ["updateOrganization"];
const get: readonly OperationId[] = ["getOrganization"];
const list: readonly OperationId[] = ["listOrganizations"];

const getOrganizationPath = ({ path }: InterceptedRequest) =>
  `/api/v1/organizations/${path.organizationId ?? ""}`;

/** Faults in organizations and in the list of a user's organizations. */
export const organizationMutants: readonly Mutant[] = [
  mutant("organizations/create-answers-updated-at", "ORG-02", create).changeResponseBody(
    (body) => (body.updatedAt = body.createdAt),
  ),

  mutant("organizations/unknown-plan-at-birth", "ORG-04", create).replaceField("plan", "gold"),
  mutant("organizations/owner-as-admin", "ORG-05", "listMembers").replaceField("members", (members) =>
    members.length === 1 ? [{ ...members[0], role: "admin" }] : members,
  ),
  mutant("organizations/name-of-one-letter-taken", "ORG-06", [...create, ...update]).changeRequestBody(
    (body) => (body.name?.length === 1 ? { ...body, name: body.name.repeat(2) } : undefined),
  ),
  mutant("organizations/name-of-100-bytes", "ORG-06", create).rejectRequests(
    400,
    ({ body }) => Buffer.byteLength(String(body?.name)) > 100,
  ),
  mutant("organizations/name-made-up", "ORG-07", create).addDefaultParameters({
    name: "Unnamed organization",
  }),
  mutant("organizations/given-slug-changed", "ORG-08", create).changeRequestBody((body) =>
    body.slug === undefined ? undefined : { ...body, slug: `${body.slug}-1` },
  ),

  mutant("organizations/stale-list", "ORG-09", list).freezeField(
    "organizations",
    ({ credential }) => credential,
  ),
  mutant("organizations/list-shows-others", "ORG-09", list).accumulateList("organizations", "organizationId"),
  mutant("organizations/list-shows-role-owner", "ORG-09", list).replaceField("organizations.*.role", "owner"),
  mutant("organizations/list-hides-personal", "ORG-10", list).by(() => {
    let personal: string | undefined;
    return replaceField("organizations", (organizations) => {
      personal ??= organizations[0]?.organizationId;
      return organizations.filter((entry: AnyJson) => entry.organizationId !== personal);
    })();
  }),
  mutant("organizations/name-hides-settings", "ORG-14", update).ignoreField(
    "settings",
    ({ body }) => body.name !== undefined,
  ),
  mutant("organizations/updater-becomes-owner", "ORG-14", [...update, ...get]).by(() => {
    const updaters = new Map<unknown, unknown>();
    return async (wire) => {
      const { sub } = parseClaims(wire.credential);
      const response = await wire.send();
      if (wire.body !== undefined && response.status === 200) updaters.set(getOrganizationPath(wire), sub);
      return changeBody(
        response,
        (body) => (body.ownerUserId = updaters.get(getOrganizationPath(wire)) ?? body.ownerUserId),
      );
    };
  }),
  mutant("organizations/deleted-is-active", "ORG-16", get).repeatLastSuccess(
    ({ credential, path }) => [credential, path],
    isRefusal,
  ),
  mutant("organizations/strangers-list-members", "ORG-18", "listMembers").repeatLastSuccess(
    ({ path }) => path,
    (response, { credential }) => isRefusal(response) && credential !== undefined,
  ),
];

const listMembers: readonly OperationId[] = ["listMembers"];
const invite: readonly OperationId[] = ["inviteMember"];
const updateMember: readonly OperationId[] = ["updateMember"];
const removeMember: readonly OperationId[] = ["removeMember"];

const roles: readonly unknown[] = ["owner", "admin", "member", "readonly"];

/** Lists the members of the organization in the path, as the caller. */
const fetchMembers = async (wire: InterceptedRequest): Promise<AnyJson[]> =>
  (await wire.ask("GET", `${getOrganizationPath(wire)}/members`)).body?.members ?? [];

/** Finds the caller among the members. */
async function findCaller(wire: InterceptedRequest): Promise<AnyJson> {
  const { sub } = parseClaims(wire.credential);
  return (await fetchMembers(wire)).find(({ userId }) => userId === sub);
}

/** Finds the member in the path. */
async function findMember(wire: InterceptedRequest): Promise<AnyJson> {
  const { memberId } = wire.path;
  return (await fetchMembers(wire)).find(({ userId, email }) => userId === memberId || email === memberId);
}

/** Answers some requests differently, depending on the members. */
function answerFromMembers(
  response: (wire: InterceptedRequest) => Promise<InterceptedResponse | undefined>,
): InterceptorFactory {
  return () => async (wire) => (await response(wire)) ?? wire.send();
}

const memberMutant = createMutantBuilder({ answerFromMembers });

/** Faults in members and invitations. */
export const memberMutants: readonly Mutant[] = [
  memberMutant("members/list-of-four-hides-last", "ORG-19", listMembers).changeResponseBody((body) => {
    if (body.members.length > 3) body.members.pop();
  }),
  memberMutant("members/readonly-lists-no-members", "ORG-20", listMembers).answerFromMembers(async (wire) =>
    (await findCaller(wire))?.role === "readonly" ? createErrorResponse(403) : undefined,
  ),

  memberMutant("members/nobody-with-name", "ORG-35", listMembers).replaceField("members.*.name", null),
  memberMutant("members/always-invited-by-owner", "ORG-23", [...invite, ...listMembers]).by(
    () => async (wire) => {
      const owner = (await fetchMembers(wire)).find(({ role }) => role === "owner");
      return changeBody(await wire.send(), (body) => {
        for (const member of body.members ?? [body])
          if (member.status === "pending") member.invitedBy = owner?.userId;
      });
    },
  ),
  memberMutant("members/address-of-one-organization", "ORG-22", invite).by(() => {
    const places = new Map<unknown, string>();
    return (wire) => {
      const place = places.get(wire.body?.email) ?? getOrganizationPath(wire);
      places.set(wire.body?.email, place);
      return place === getOrganizationPath(wire) ? wire.send() : Promise.resolve(createErrorResponse(409));
    };
  }),
  memberMutant("members/default-role-readonly", "ORG-24", invite).addDefaultParameters({
    role: "readonly",
  }),
  memberMutant("members/unknown-role-is-member", "ORG-25", invite).changeRequestBody((body) =>
    typeof body.role === "string" && !roles.includes(body.role) ? { ...body, role: "member" } : undefined,
  ),
  memberMutant("members/roles-by-prefix", "ORG-28", updateMember).changeRequestBody((body) =>
    typeof body.role === "string" ? { role: body.role.replace(/^admin.*/, "admin") } : undefined,
  ),
  memberMutant("members/admins-may-not-invite", "ORG-26", invite).answerFromMembers(async (wire) =>
    (await findCaller(wire))?.role === "admin" ? createErrorResponse(403) : undefined,
  ),
  memberMutant("members/change-to-readonly-pretended", "ORG-27", updateMember).answerFromMembers(
    async (wire) => {
      const member = await findMember(wire);
      return member?.status === "pending" && wire.body?.role === "readonly"
        ? createSuccessResponse({ ...member, role: "readonly" })
        : undefined;
    },
  ),
  memberMutant("members/role-changes-refused", "ORG-27", updateMember).answerFromMembers(async (wire) => {
    const { role } = (await findMember(wire)) ?? {};
    const isChange = roles.includes(wire.body?.role) && wire.body.role !== role;
    return isChange ? createErrorResponse(403) : undefined;
  }),
  memberMutant("members/nobody-becomes-readonly", "ORG-27", updateMember).rejectRequests(
    403,
    ({ body }) => body?.role === "readonly",
  ),
  memberMutant("members/nobody-becomes-owner", "ORG-31", updateMember).rejectRequests(
    403,
    ({ body }) => body?.role === "owner",
  ),
  memberMutant("members/removed-pending-stays", "ORG-29", removeMember).answerFromMembers(async (wire) =>
    (await findMember(wire))?.status === "pending" ? noContentResponse : undefined,
  ),
  memberMutant("members/nobody-leaves", "ORG-30", removeMember).answerFromMembers(async (wire) => {
    const { userId, email, role } = (await findCaller(wire)) ?? {};
    const isMe = [userId, email].includes(wire.path.memberId);
    return isMe && (role === "member" || role === "readonly") ? createErrorResponse(403) : undefined;
  }),
  memberMutant("members/removed-count-toward-ceiling", "ORG-34", [...invite, ...removeMember]).by(() => {
    const full = new Set<string>();
    return async (wire) => {
      const response = full.has(getOrganizationPath(wire)) ? createErrorResponse(403) : await wire.send();
      if (response.status === 403) full.add(getOrganizationPath(wire));
      return response;
    };
  }),
  memberMutant("members/ceiling-one-short", "ORG-34", invite).answerFromMembers(async (wire) => {
    const { body } = await wire.ask("GET", getOrganizationPath(wire));
    return (await fetchMembers(wire)).length === body?.settings?.maxMembers - 1
      ? createErrorResponse(403)
      : undefined;
  }),
];
