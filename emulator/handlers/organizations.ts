import { Problem } from "../domain/problem.js";
import { findUnusedSlug, toSlug } from "../organizations/slug.js";
import { clearOrganization } from "../store/clear-organization.js";
import { insertFirstOwner, insertOrganization } from "../organizations/insert-organization.js";
import type { OrganizationRow } from "../store/organizations.js";
import { formatTimestamp } from "../time/timestamp.js";
import { getCallingUser } from "./calling-user.js";
import type { HandlerContext, Handler } from "./handler.js";

/** POST /api/v1/organizations. */
export const createOrganization: Handler<"createOrganization"> = ({ body }, context) => {
  const { store, ids, now, profile } = context;
  const user = getCallingUser(context);
  const organizationId = ids.next("org");
  const given = profile["new-organization-plan"];
  insertOrganization(store, {
    organizationId,
    name: body.name,
    slug: chooseSlug(body, context),
    plan: given,
    ownerUserId: user.userId,
    billingEmail: body.billingEmail ?? user.email,
    isPersonal: false,
    now,
  });
  insertFirstOwner(store, organizationId, user, now);
  const { plan, status, updatedAt, ...rest } = describeOrganization(
    getPathOrganization(organizationId, context),
  );
  if (plan !== given || status !== "active" || updatedAt !== formatTimestamp(now))
    throw new Error("a new organization is not active or has another plan than the profile gives it");
  return { status: 201, body: { ...rest, plan, status } };
};

/** GET /api/v1/organizations: in the order of joining, with deleted ones if the profile shows them. */
export const listOrganizations: Handler<"listOrganizations"> = (_request, context) => {
  const { store, profile } = context;
  const showsDeleted = profile["deleted-organization"] === "shown";
  const joined = store.organizations
    .joinedBy(getCallingUser(context).userId)
    .filter(({ status }) => showsDeleted || status !== "deleted");
  return {
    status: 200,
    body: {
      organizations: joined.map(({ organizationId, organizationName, role, joinedAt }) => ({
        organizationId,
        organizationName,
        role,
        joinedAt: formatTimestamp(joinedAt),
      })),
    },
  };
};

/** GET /api/v1/organizations/{organizationId}. */
export const getOrganization: Handler<"getOrganization"> = ({ path }, context) => ({
  status: 200,
  body: describeOrganization(getPathOrganization(path.organizationId, context)),
});

/** PUT /api/v1/organizations/{organizationId}: changes only the fields that are given, and that part 4.6 names. */
export const updateOrganization: Handler<"updateOrganization"> = ({ path, body }, context) => {
  const before = getPathOrganization(path.organizationId, context);
  const after: OrganizationRow = {
    ...before,
    name: body.name ?? before.name,
    billingEmail: body.billingEmail ?? before.billingEmail,
    requireMfa: body.settings?.requireMfa ?? before.requireMfa,
    updatedAt: context.now,
  };
  context.store.organizations.update(after);
  return { status: 200, body: describeOrganization(after) };
};

/** DELETE /api/v1/organizations/{organizationId}: only a row with the status deleted remains. */
export const deleteOrganization: Handler<"deleteOrganization"> = ({ path }, context) => {
  const { store, now, profile } = context;
  const organization = getPathOrganization(path.organizationId, context);
  if (organization.isPersonal)
    throw new Problem(
      "personal-organization",
      "This is your personal organization, which cannot be deleted.",
    );
  const keepMembers = profile["deleted-organization"] === "shown";
  clearOrganization(store, organization.organizationId, { keepMembers });
  store.organizations.update({ ...organization, status: "deleted", updatedAt: now });
  return { status: 204 };
};

/** Returns the organization of the path, of which the caller is a member. */
function getPathOrganization(organizationId: string, { store }: HandlerContext): OrganizationRow {
  const organization = store.organizations.byId(organizationId);
  if (organization === undefined) throw new Error("an organization with members has no row");
  return organization;
}

/** @throws a problem `conflict` */
export function rejectTakenSlug({ organizations }: HandlerContext["store"], slug: string): void {
  if (organizations.hasSlug(slug))
    throw new Problem(
      "conflict",
      `Another organization has the slug ${slug}. Choose another slug, or omit the slug.`,
    );
}

/** Returns the requested slug, or a slug made from the name (gap `duplicate-slug`). */
function chooseSlug(
  { name, slug }: { readonly name: string; readonly slug?: string },
  { store, ids, profile }: HandlerContext,
): string {
  if (slug !== undefined && profile["duplicate-slug"] === "reject") {
    rejectTakenSlug(store, slug);
    return slug;
  }
  return findUnusedSlug(slug ?? toSlug(name), store.organizations.hasSlug, () =>
    ids.next("slug", 6).replace("slug_", ""),
  );
}

function describeOrganization(organization: OrganizationRow) {
  const { organizationId, name, slug, ownerUserId, plan, status, billingEmail } = organization;
  const { maxDatabases, maxApiKeys, maxMembers, allowedRegions, requireMfa, ssoEnabled } = organization;
  return {
    organizationId,
    name,
    slug,
    ownerUserId,
    plan,
    status,
    billingEmail,
    createdAt: formatTimestamp(organization.createdAt),
    settings: {
      maxDatabases,
      maxApiKeys,
      maxMembers,
      allowedRegions: allowedRegions === null ? null : [...allowedRegions],
      requireMfa,
      ssoEnabled,
    },
    updatedAt: formatTimestamp(organization.updatedAt),
  };
}
