import { Problem } from "../problem.js";
import { planCeilings } from "../store/load-fixture.js";
import type { OrganizationRow } from "../store/organizations.js";
import type { World } from "../world.js";
import type { ControlHandler } from "./control-handler.js";

/** PATCH /_emulator/organizations/{organizationId}. */
export const changeOrganization: ControlHandler<"changeOrganization"> = ({ path, body }, { world }) => {
  const organization = organizationToChange(path.organizationId, world);
  const { plan = organization.plan, status = organization.status, settings = {} } = body;
  world.store.organizations.update({
    ...organization,
    ...(plan === organization.plan ? {} : planCeilings(plan)),
    ...settings,
    plan,
    status,
    updatedAt: world.clock.now(),
  });
  return { status: 200, body: { organizationId: organization.organizationId, plan, status } };
};

/** @throws a problem `organization-not-found` */
export function organizationToChange(organizationId: string, { store }: World): OrganizationRow {
  const organization = store.organizations.byId(organizationId);
  if (organization === undefined)
    throw new Problem("organization-not-found", "There is no organization of this id in the namespace.");
  return organization;
}
