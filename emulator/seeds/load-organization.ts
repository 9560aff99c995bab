import { unlimited } from "../../openapi/clauses/limits.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { dueAt } from "../billing/billing-period.js";
import { planCeilings } from "../billing/plan-ceilings.js";
import {
  changeStatus,
  setCancelAtPeriodEnd,
  startSubscription,
  subscriptionOf,
} from "../billing/subscription.js";
import { addOrganization } from "../handlers/organizations.js";
import { emptyOrganization } from "../store/empty-organization.js";
import type { OrganizationRow } from "../store/organizations.js";
import type { SubscriptionRow } from "../store/subscriptions.js";
import { storedEmail } from "../store/users.js";
import type { Seed, SeedMember, SeedOrganization, SeedPersonalOrganization } from "../../fixtures/seed.js";
import type { Role } from "../../openapi/schemas/roles.js";
import { idWord, inFull, timeOf } from "./seed-defaults.js";
import type { SeedNames } from "./seed-names.js";
import { type SeedService, bodyOf } from "./seed-service.js";

interface SeededMember {
  readonly pointer: string;
  /** Null for an invitation. */
  readonly userId: string | null;
  readonly email: string;
  readonly role: Role;
  readonly joinedAt: number | null;
  readonly invitedAt: number | null;
  readonly invitedBy: string | null;
}

/** An organization of a seed in which nothing is left to be guessed. */
export interface SeededOrganization extends Omit<SeedPersonalOrganization, "members" | "createdAt"> {
  readonly pointer: string;
  readonly id: string;
  readonly createdAt: number;
  readonly isPersonal: boolean;
  /** Who invites the others. */
  readonly founder: string;
  readonly ownerUserId: string;
  readonly members: readonly SeededMember[];
  /** Whether the seed says who the members are. */
  readonly hasOwnMembers: boolean;
}

/** Reads the organizations beside the personal ones. */
export function readOrganizations(seed: Seed, names: SeedNames, usual: number): SeededOrganization[] {
  const first = names.users.slice(0, 1).map(({ id }) => id);
  return inFull(seed.organizations, (name): SeedOrganization => ({ name })).map((given, index) => {
    const id = given.id ?? names.make("organization", `org_${idWord(given.name)}`);
    const createdAt = timeOf(given.createdAt) ?? usual;
    return readOrganization(given, { pointer: `/organizations/${index}`, id, createdAt }, first, names);
  });
}

/** @param usual its members where the seed does not say, and `person` whose own it is, if it is somebody's */
export function readOrganization(
  given: SeedPersonalOrganization,
  place: Pick<SeededOrganization, "pointer" | "id" | "createdAt">,
  usual: readonly string[],
  names: SeedNames,
  person?: string,
): SeededOrganization {
  const { pointer, createdAt } = place;
  const named = given.owner === undefined ? undefined : names.user(given.owner, `${pointer}/owner`)?.id;
  const members = (given.members ?? usual).map((member, index) =>
    readMember(member, index, `${pointer}/members/${index}`, createdAt, names),
  );
  const owners = members.flatMap(({ role, userId }) => (role === "owner" && userId !== null ? [userId] : []));
  const [first] = owners;
  if (first === undefined) {
    const todo = usual.length === 0 ? "add a user to the seed" : "give one of its users the role owner";
    names.mistake(pointer, `has no owner: ${todo}`);
  }
  if (named !== undefined && !owners.includes(named))
    names.mistake(`${pointer}/owner`, "must be one of its members with the role owner");
  const ownerUserId = named ?? owners.find((userId) => userId === person) ?? first ?? "";
  const founder = person ?? ownerUserId;
  names.organizations.push({
    id: place.id,
    isPersonal: person !== undefined,
    ...(given.name === undefined ? {} : { name: given.name }),
  });
  return {
    ...given,
    ...place,
    isPersonal: person !== undefined,
    founder,
    ownerUserId,
    hasOwnMembers: given.members !== undefined,
    members: members.map((member) =>
      member.userId === null && member.invitedBy === null ? { ...member, invitedBy: founder } : member,
    ),
  };
}

function readMember(
  given: string | SeedMember,
  index: number,
  pointer: string,
  createdAt: number,
  names: SeedNames,
): SeededMember {
  const member = typeof given === "string" ? { user: given } : given;
  const { user, invite, invitedBy, role = index === 0 && invite === undefined ? "owner" : "member" } = member;
  if ((user === undefined) === (invite === undefined)) names.mistake(pointer, "has either user or invite");
  const found =
    user === undefined
      ? undefined
      : names.user(user, typeof given === "string" ? pointer : `${pointer}/user`);
  const isInvited = user === undefined;
  return {
    pointer,
    userId: found?.id ?? null,
    email: found?.email ?? invite ?? "",
    role,
    joinedAt: isInvited ? null : (timeOf(member.joinedAt) ?? createdAt),
    invitedAt: timeOf(member.invitedAt) ?? (isInvited ? createdAt : null),
    invitedBy: invitedBy === undefined ? null : (names.user(invitedBy, `${pointer}/invitedBy`)?.id ?? null),
  };
}

/** Has the founder found an organization and invite the others; a personal one is there already. */
export function beginOrganization(service: SeedService, organization: SeededOrganization): boolean {
  const { pointer, isPersonal, aboveCeilings = false, hasOwnMembers } = organization;
  const isMade = service.try(pointer, () => {
    if (isPersonal) changePersonal(service, organization);
    else found(service, organization);
    if (aboveCeilings) liftCeilings(service, organization);
    else applySettings(service, organization);
  });
  const hasOthers = !isPersonal || hasOwnMembers;
  return isMade && (!hasOthers || loadMembers(service, organization));
}

/** Puts in force what would have hindered the rest: its status, what it pays, and a plan that allows less. */
export function finishOrganization(
  service: SeedService,
  organization: SeededOrganization,
  now: number,
): void {
  const { store } = service;
  const { id, ownerUserId, createdAt, status = "active" } = organization;
  finishSubscription(service, organization, now);
  applySettings(service, organization);
  if (status === "deleted") emptyOrganization(store, id);
  const updatedAt = timeOf(organization.updatedAt) ?? createdAt;
  store.organizations.update({ ...rowOf(service, organization), ownerUserId, status, updatedAt });
}

function found(service: SeedService, organization: SeededOrganization): void {
  const { id, name = "", slug, billingEmail, plan = "free", createdAt: at } = organization;
  const { body } = service.request("createOrganization", {}, bodyOf({ name, slug, billingEmail }));
  addOrganization(body, plan, service.context({ at, by: founderOf(organization), ids: { org: id } }));
}

function founderOf({ id, founder }: SeededOrganization) {
  return { kind: "user", userId: founder, organizationId: id, role: "owner" } as const;
}

/** What a personal organization is called of its own accord, and the seed otherwise. */
function changePersonal(service: SeedService, organization: SeededOrganization): void {
  const row = rowOf(service, organization);
  const { name = row.name, slug = row.slug, billingEmail = row.billingEmail, createdAt } = organization;
  service.store.organizations.update({ ...row, name, slug, billingEmail, createdAt, updatedAt: createdAt });
  beginPersonalSubscription(service, organization, row.createdAt);
}

/** Lets it hold as much as anybody may, until it is finished. */
function liftCeilings(service: SeedService, organization: SeededOrganization): void {
  const ceilings = { maxDatabases: unlimited, maxApiKeys: unlimited, maxMembers: unlimited };
  const row = rowOf(service, organization);
  service.store.organizations.update({ ...row, ...ceilings, plan: "enterprise", allowedRegions: null });
}

/** The plan with its ceilings, and what the settings say beyond it. */
function applySettings(service: SeedService, organization: SeededOrganization): void {
  const { subscription, settings } = organization;
  const plan = subscription?.status === "canceled" ? "free" : (organization.plan ?? "free");
  const row = rowOf(service, organization);
  service.store.organizations.update({ ...row, plan, ...planCeilings(plan), ...settings });
}

function rowOf({ store }: SeedService, { id }: SeededOrganization): OrganizationRow {
  const row = store.organizations.byId(id);
  if (row === undefined) throw new Error("an organization that was made has a row");
  return row;
}

/**
 * Has the founder invite all others, so that the service can refuse them, and writes down who accepted.
 *
 * @returns whether all are members
 */
function loadMembers(service: SeedService, organization: SeededOrganization): boolean {
  const { id: organizationId, founder, members, createdAt } = organization;
  const by = founderOf(organization);
  const invited = members
    .filter(({ userId }) => userId !== founder)
    .map(({ pointer, email, role, invitedAt }) =>
      service.try(pointer, () => {
        const making = { by, at: invitedAt ?? createdAt };
        service.call("inviteMember", { organizationId }, bodyOf({ email, role }), making);
      }),
    );
  const { organizations } = service.store;
  const founding = members.filter(({ userId }) => userId === founder);
  for (const { pointer, email } of founding.slice(1))
    service.mistakes.push({ pointer, detail: `${email} is a member already` });
  organizations.removeMembersOf(organizationId);
  const rows = new Map(members.map((member) => [storedEmail(member.email, defaultProfile), member]));
  for (const [email, { userId, role, joinedAt, invitedAt, invitedBy }] of rows) {
    const status = userId === null ? "pending" : "active";
    const times = { joinedAt, invitedAt };
    organizations.insertMember({ organizationId, userId, email, role, status, ...times, invitedBy });
  }
  return founding.length < 2 && invited.every((isMember) => isMember);
}

/** Begins the subscription of a personal organization again, where it is not the one that came with its user. */
function beginPersonalSubscription(
  { store }: SeedService,
  { id: organizationId, plan = "free", createdAt }: SeededOrganization,
  madeAt: number,
): void {
  if (plan === "free" && createdAt === madeAt) return;
  const { subscriptionId } = subscriptionOf(store, organizationId);
  store.orders.removeAllOf(organizationId);
  store.subscriptions.remove(organizationId);
  startSubscription(store, { organizationId, subscriptionId, plan, trial: false, now: createdAt });
}

/** Brings the subscription to where the seed has it, by the rules of billing and then by what it says of times. */
function finishSubscription(
  { store }: SeedService,
  { id: organizationId, subscription = {}, orders, createdAt }: SeededOrganization,
  now: number,
): void {
  const { status = "active", cancelAtPeriodEnd = false } = subscription;
  let row = changeStatus(store, subscriptionOf(store, organizationId), status, createdAt);
  if (cancelAtPeriodEnd) row = setCancelAtPeriodEnd(store, row, true, createdAt);
  const told: SubscriptionRow = {
    ...row,
    subscriptionId: subscription.id ?? row.subscriptionId,
    anchor: timeOf(subscription.startedAt) ?? row.anchor,
    trialStart: timeOf(subscription.trialStart) ?? row.trialStart,
    trialEnd: timeOf(subscription.trialEnd) ?? row.trialEnd,
    trialUsed: subscription.trialUsed ?? row.trialUsed,
  };
  // a list that is left empty in YAML is null
  const areTold = orders !== undefined && orders !== null;
  // orders that are told are all up to now; others follow from what has passed since
  store.subscriptions.put({ ...told, dueAt: dueAt(told, areTold ? now : told.anchor) });
  if (!areTold) return;
  store.orders.removeAllOf(organizationId);
  for (const order of orders) {
    const orderId = `order_${organizationId.replace(/^org_/, "")}_${order.number}`;
    store.orders.insert({
      ...order,
      orderId,
      organizationId,
      createdAt: timeOf(order.createdAt) ?? createdAt,
    });
  }
}
