import type { Fixture, FixtureDatabase, FixtureRepository, FixtureUser } from "../../fixtures/fixture.js";
import { planNumbers, unlimited, type PlanType } from "../../openapi/limits.js";
import { hashPassword } from "../access/password.js";
import { itemBytes, writeUnitsOf } from "../domain/item-size.js";
import { startOfTime } from "../time/clock.js";
import type { OrganizationRow } from "./organizations.js";
import type { Store } from "./store.js";

/** Writes a fixture into an empty store. Everything in it was made when time began. */
export function loadFixture(store: Store, fixture: Fixture): void {
  for (const user of fixture.users) insertUser(store, user);
  for (const { organizationId, name, slug, plan, members } of fixture.organizations) {
    const owner = fixture.users.find(({ userId }) => userId === members[0]?.userId);
    if (owner === undefined)
      throw new Error(`organization ${organizationId} of fixture ${fixture.name} has no owner`);
    store.organizations.insert(
      newOrganization({
        organizationId,
        name,
        slug,
        plan,
        ownerUserId: owner.userId,
        billingEmail: owner.email,
        isPersonal: false,
        now: startOfTime,
      }),
    );
    for (const { userId, role } of members) {
      const user = fixture.users.find((candidate) => candidate.userId === userId);
      if (user === undefined)
        throw new Error(`member ${userId} of ${organizationId} is no user of the fixture`);
      insertActiveMember(store, organizationId, user, role);
    }
  }
  for (const key of fixture.apiKeys)
    store.credentials.insertApiKey({ ...key, expiresAt: null, createdAt: startOfTime });
  for (const database of fixture.databases) insertDatabase(store, database);
}

/** A new organization with the ceilings of its plan. */
export function newOrganization(given: {
  readonly organizationId: string;
  readonly name: string;
  readonly slug: string;
  readonly plan: PlanType;
  readonly ownerUserId: string;
  readonly billingEmail: string;
  readonly isPersonal: boolean;
  readonly now: number;
}): OrganizationRow {
  const { now, ...rest } = given;
  return {
    ...rest,
    ...planCeilings(given.plan),
    status: "active",
    allowedRegions: null,
    requireMfa: false,
    ssoEnabled: false,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * The ceilings that an organization's settings take from its plan; one without limit is the largest 32-bit
 * integer. Part 8 limits no API keys.
 */
export function planCeilings(
  plan: PlanType,
): Pick<OrganizationRow, "maxDatabases" | "maxApiKeys" | "maxMembers"> {
  const { limits } = planNumbers[plan];
  return {
    maxDatabases: limits?.maxDatabases ?? unlimited,
    maxApiKeys: unlimited,
    maxMembers: limits?.maxTeamMembers ?? unlimited,
  };
}

function insertUser(store: Store, user: FixtureUser): void {
  store.users.insert({
    userId: user.userId,
    email: user.email,
    name: user.name,
    avatarUrl: null,
    passwordHash: hashPassword(user.userId, user.password),
    emailVerified: user.emailVerified ?? true,
    mfaRequired: user.mfaRequired ?? false,
    personalOrganizationId: user.personalOrganizationId,
    createdAt: startOfTime,
  });
  insertPersonalOrganization(store, user.personalOrganizationId, user, startOfTime);
}

/** The organization that every user has from signup on (clause AUTH-27). */
export function insertPersonalOrganization(
  store: Store,
  organizationId: string,
  user: Pick<FixtureUser, "userId" | "email" | "name">,
  now: number,
): void {
  store.organizations.insert(
    newOrganization({
      organizationId,
      name: `Personal organization of ${user.name}`.slice(0, 100),
      slug: organizationId.replaceAll("_", "-"),
      plan: "free",
      ownerUserId: user.userId,
      billingEmail: user.email,
      isPersonal: true,
      now,
    }),
  );
  store.organizations.insertMember({
    organizationId,
    userId: user.userId,
    email: user.email,
    role: "owner",
    status: "active",
    joinedAt: now,
    invitedAt: null,
    invitedBy: null,
  });
}

function insertActiveMember(
  store: Store,
  organizationId: string,
  user: FixtureUser,
  role: "owner" | "admin" | "member" | "readonly",
): void {
  store.organizations.insertMember({
    organizationId,
    userId: user.userId,
    email: user.email,
    role,
    status: "active",
    joinedAt: startOfTime,
    invitedAt: null,
    invitedBy: null,
  });
}

function insertDatabase(store: Store, database: FixtureDatabase): void {
  const { databaseId, organizationId, name, region, items } = database;
  store.databases.insert({
    databaseId,
    organizationId,
    name,
    region,
    status: "Active",
    readyAt: null,
    settings: null,
    createdAt: startOfTime,
    updatedAt: startOfTime,
  });
  const ref = store.databases.byId(databaseId)?.ref;
  if (ref === undefined) throw new Error("an inserted database has a row");
  for (const { pk, sk, data } of items) {
    const text = JSON.stringify(data);
    const bytes = itemBytes(pk, sk ?? "", text);
    store.items.put(ref, {
      pk,
      sk: sk ?? "",
      data: text,
      bytes,
      createdAt: startOfTime,
      updatedAt: startOfTime,
    });
    store.databases.addWrite(ref, { items: 1, bytes, writeUnits: writeUnitsOf(bytes) }, startOfTime);
  }
  for (const repository of database.repositories) insertRepository(store, ref, repository);
}

function insertRepository(store: Store, databaseRef: number, repository: FixtureRepository): void {
  const { repositoryId, name, entityName, schema = {}, entities } = repository;
  store.repositories.insert(
    { repositoryId, databaseRef, name, entityName, schema: JSON.stringify(schema) },
    startOfTime,
  );
  const ref = store.repositories.byId(repositoryId)?.ref;
  if (ref === undefined) throw new Error("an inserted repository has a row");
  entities.forEach(({ id, data }, index) => {
    const text = JSON.stringify(data);
    const bytes = itemBytes(id, "", text);
    const times = { createdAt: startOfTime, updatedAt: startOfTime };
    store.entities.insert(ref, { sequence: index + 1, id, data: text, bytes, version: 1, ...times });
    store.repositories.change(ref, { created: 1, deleted: 0, bytes }, startOfTime);
    store.databases.addWrite(databaseRef, { items: 0, bytes, writeUnits: writeUnitsOf(bytes) }, startOfTime);
  });
}
