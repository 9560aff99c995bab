import { hashPassword } from "../access/password.js";
import { checkControlCall } from "../control/check-control-call.js";
import { addUser } from "../control/people.js";
import type { JsonValue } from "../json/json-value.js";
import type { Store } from "../store/store.js";
import type { UserRow } from "../store/users.js";
import { describeOrganization } from "./organizations.js";
import { type UserElement, writeElement } from "./seed-element.js";
import { toIdSuffix } from "./seed-names.js";
import type { SeedContext } from "./seed-context.js";

/** The defaults that a seed file sets. */
export interface FileDefaults {
  readonly password: string;
  readonly createdAt: number;
}

function getDefaults(email: string, file: FileDefaults) {
  const localPart = getLocalPart(email);
  const suffix = toIdSuffix(localPart);
  return {
    ...file,
    id: `user_${suffix}`,
    name: localPart || email,
    emailVerified: true,
    mfaRequired: false,
    personalOrganizationId: `org_personal_${suffix}`,
  };
}

/** Returns the part of an email address before the @. */
function getLocalPart(email: string): string {
  return email.split("@")[0] ?? "";
}

/** Adds a user without their personal organization, by the rules of a signup. */
export function applyUser(service: SeedContext, given: UserElement, file: FileDefaults): UserRow | undefined {
  const { names } = service;
  const email = given.email.trim();
  const user = { ...getDefaults(email, file), ...given };
  const id = given.id ?? names.generate("user", user.id);
  const organizationId =
    given.personalOrganization?.id ?? names.generate("organization", user.personalOrganizationId);
  names.users.add(id, email, getLocalPart(email));
  const { pointer, password, passwordHash, name, emailVerified, mfaRequired, createdAt: at } = user;
  const body = { email, password, name, emailVerified, mfaRequired };
  return service.try(pointer, () => {
    checkControlCall("createUser", { path: {}, query: {}, body });
    const world = service.world({ at, ids: { user: id, org: organizationId } });
    return addUser(world, { ...body, ...(passwordHash === undefined ? {} : { passwordHash }) });
  });
}

/** Describes a user with their personal organization, as in a seed. */
export function describeUser(store: Store, row: UserRow, file: FileDefaults): JsonValue | undefined {
  const { userId: id, email, name, emailVerified, mfaRequired, createdAt } = row;
  const defaults = getDefaults(email, file);
  const password = getKnownPassword(store, row);
  const passwordHash = password === undefined ? row.passwordHash : undefined;
  const organization = store.organizations.byId(row.personalOrganizationId);
  const personalOrganization =
    organization === undefined || organization.status === "deleted"
      ? { id: row.personalOrganizationId, status: "deleted" }
      : describeOrganization(store, organization, {
          id: defaults.personalOrganizationId,
          createdAt,
          member: id,
          user: row,
        });
  return writeElement(
    {
      email,
      id,
      name,
      password,
      passwordHash,
      emailVerified,
      mfaRequired,
      createdAt,
      personalOrganization,
    },
    defaults,
    "email",
  );
}

/** Returns the password if it is known and still correct. */
export function getKnownPassword(store: Store, { userId, passwordHash }: UserRow): string | undefined {
  const password = store.passwords.of(userId);
  return password !== undefined && hashPassword(userId, password) === passwordHash ? password : undefined;
}
