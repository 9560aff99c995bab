import { unlimited } from "../../openapi/clauses/limits.js";
import { planCeilings } from "../billing/plan-ceilings.js";
import { addOrganization } from "../handlers/organizations.js";
import type { JsonValue } from "../json/json-value.js";
import { emptyOrganization } from "../store/empty-organization.js";
import type { OrganizationRow } from "../store/organizations.js";
import type { Attempts } from "./attempts.js";
import { timeOf } from "./complete-seed.js";
import type { WholeOrganization } from "./whole-seed.js";
import { loadMembers } from "./load-members.js";
import { beginPersonalSubscription, finishSubscription } from "./load-subscription.js";
import type { SeedService } from "./seed-service.js";

/** Has the founder found an organization and invite the others; a personal one is there already. */
export function beginOrganization(
  service: SeedService,
  attempts: Attempts,
  organization: WholeOrganization,
): boolean {
  const { pointer, given, isPersonal } = organization;
  const isMade = attempts.try(pointer, () => {
    if (isPersonal) changePersonal(service, organization);
    else found(service, organization);
    if (given.aboveCeilings === true) liftCeilings(service, organization);
    else applySettings(service, organization);
  });
  const hasOthers = !isPersonal || given.members !== undefined;
  return isMade && (!hasOthers || loadMembers(service, attempts, organization));
}

/** Puts in force what would have hindered the rest: its status, what it pays, and a plan that allows less. */
export function finishOrganization(service: SeedService, organization: WholeOrganization, now: number): void {
  const { store } = service;
  const { given, organizationId, ownerUserId, createdAt } = organization;
  finishSubscription(service, organization, now);
  applySettings(service, organization);
  const { status = "active" } = given;
  if (status === "deleted") emptyOrganization(store, organizationId);
  const updatedAt = timeOf(given.updatedAt) ?? createdAt;
  store.organizations.update({ ...rowOf(service, organization), ownerUserId, status, updatedAt });
}

function found(service: SeedService, organization: WholeOrganization): void {
  const { given, organizationId, founder, createdAt } = organization;
  const { name = "", slug, billingEmail, plan = "free" } = given;
  const members = Object.entries({ name, slug, billingEmail }).filter(([, value]) => value !== undefined);
  const { body } = service.request("createOrganization", {}, new Map(members as [string, JsonValue][]));
  const by = { kind: "user", userId: founder, organizationId, role: "owner" } as const;
  addOrganization(body, plan, service.context({ at: createdAt, by, ids: { org: organizationId } }));
}

/** What a personal organization is called of its own accord, and the seed otherwise. */
function changePersonal(service: SeedService, organization: WholeOrganization): void {
  const row = rowOf(service, organization);
  const { given, createdAt } = organization;
  const { name = row.name, slug = row.slug, billingEmail = row.billingEmail } = given;
  service.store.organizations.update({ ...row, name, slug, billingEmail, createdAt, updatedAt: createdAt });
  beginPersonalSubscription(service, organization, row.createdAt);
}

/** Lets it hold as much as anybody may, until it is finished. */
function liftCeilings(service: SeedService, organization: WholeOrganization): void {
  const ceilings = { maxDatabases: unlimited, maxApiKeys: unlimited, maxMembers: unlimited };
  const row = rowOf(service, organization);
  service.store.organizations.update({ ...row, ...ceilings, plan: "enterprise", allowedRegions: null });
}

/** The plan with its ceilings, and what the settings say beyond it. */
function applySettings(service: SeedService, organization: WholeOrganization): void {
  const { given } = organization;
  const plan = given.subscription?.status === "canceled" ? "free" : (given.plan ?? "free");
  const row = rowOf(service, organization);
  service.store.organizations.update({ ...row, plan, ...planCeilings(plan), ...given.settings });
}

function rowOf({ store }: SeedService, { organizationId }: WholeOrganization): OrganizationRow {
  const row = store.organizations.byId(organizationId);
  if (row === undefined) throw new Error("an organization that was made has a row");
  return row;
}
