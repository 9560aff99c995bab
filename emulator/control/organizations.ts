import { getRequestCount } from "../access/meter.js";
import { startSubscription } from "../billing/subscription.js";
import { Problem } from "../domain/problem.js";
import { emptyOrganization } from "../store/empty-organization.js";
import type { OrganizationRow } from "../store/organizations.js";
import { formatTimestamp } from "../time/timestamp.js";
import type { World } from "../world/world.js";
import type { ControlHandler } from "./control-types.js";

/** GET /_emulator/organizations. */
export const listOrganizations: ControlHandler<"listOrganizations"> = (_request, { world: { store } }) => ({
  organizations: store.organizations
    .all()
    .map(({ organizationId, name, slug, plan, status, isPersonal, ownerUserId, createdAt }) => ({
      organizationId,
      name,
      slug,
      plan,
      status,
      isPersonal,
      ownerUserId,
      databases: store.databases.count(organizationId),
      createdAt: formatTimestamp(createdAt),
    })),
});

/** PATCH /_emulator/organizations/{organizationId}. */
export const changeOrganization: ControlHandler<"changeOrganization"> = ({ path, body }, { world }) => {
  const { store, ids, clock } = world;
  const { organizationId, plan: before, isPersonal } = findChangeableOrganization(path.organizationId, world);
  const now = clock.now();
  const { profile } = world;
  if (body.status === "deleted" && isPersonal)
    throw new Problem(
      "personal-organization",
      "Every user keeps their personal organization; delete the user.",
    );
  if (body.plan !== undefined && body.plan !== before)
    startSubscription(store, {
      organizationId,
      subscriptionId: ids.next("sub"),
      plan: body.plan,
      trial: false,
      now,
    });
  const organization = findChangeableOrganization(organizationId, world);
  const { plan } = organization;
  const { status = organization.status, settings = {} } = body;
  if (body.requestsThisPeriod !== undefined)
    getRequestCount(organizationId, world, now).requests = body.requestsThisPeriod;
  if (status === "deleted")
    emptyOrganization(store, organizationId, { keepMembers: profile["deleted-organization"] === "shown" });
  store.organizations.update({ ...organization, ...settings, status, updatedAt: now });
  return { organizationId, plan, status };
};

/** @throws a problem `organization-not-found`, for a deleted one as well */
export function findChangeableOrganization(organizationId: string, { store }: World): OrganizationRow {
  const organization = store.organizations.byId(organizationId);
  if (organization === undefined || organization.status === "deleted")
    throw new Problem("organization-not-found", "There is no organization of this id in the namespace.");
  return organization;
}
