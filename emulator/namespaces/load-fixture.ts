import type { Fixture, FixtureDatabase, FixtureRepository, FixtureUser } from "../../fixtures/fixture.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { hashPassword } from "../access/password.js";
import { itemBytes, writeUnitsOf } from "../domain/item-size.js";
import type { SqlContext } from "../sql/sql-request.js";
import { startOfTime } from "../time/clock.js";
import { insertOrganization, insertPersonalOrganization } from "../organizations/insert-organization.js";
import { timestamp } from "../time/timestamp.js";
import type { Store } from "../store/store.js";

/** Writes a fixture into an empty store. Everything in it was made when time began. */
export function loadFixture(store: Store, fixture: Fixture): void {
  store.meta.write("fixture", fixture.name);
  for (const user of fixture.users) insertUser(store, user);
  for (const { organizationId, name, slug, plan, members } of fixture.organizations) {
    const owner = fixture.users.find(({ userId }) => userId === members[0]?.userId);
    if (owner === undefined)
      throw new Error(`organization ${organizationId} of fixture ${fixture.name} has no owner`);
    insertOrganization(store, {
      organizationId,
      name,
      slug,
      plan,
      ownerUserId: owner.userId,
      billingEmail: owner.email,
      isPersonal: false,
      now: startOfTime,
    });
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
  const { databaseId, organizationId, name, region, items, tables } = database;
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
  const ref = store.databases.find(databaseId)?.ref;
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
  const context: SqlContext = {
    databaseId,
    may: "admin",
    now: timestamp(startOfTime),
    profile: defaultProfile,
  };
  for (const { definitions, inserts } of tables) {
    for (const sql of definitions) store.sql.execute(sql, context);
    for (const sql of inserts) {
      const { affectedRows, bytesDelta } = store.sql.query({ sql }, context);
      store.databases.addWrite(ref, { items: 0, bytes: bytesDelta, writeUnits: affectedRows }, startOfTime);
    }
  }
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
    store.repositories.change(repositoryId, { created: 1, deleted: 0, bytes }, startOfTime);
    store.databases.addWrite(databaseRef, { items: 0, bytes, writeUnits: writeUnitsOf(bytes) }, startOfTime);
  });
}
