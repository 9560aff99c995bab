import type { JsonValue } from "../json/json-value.js";
import type { OrganizationRow } from "../store/organizations.js";
import type { UserRow } from "../store/users.js";
import { formatTimestamp } from "../time/timestamp.js";
import { getEmailLocalPart } from "./seed-defaults.js";

/** Fields of an object. Those without a value are omitted. */
export type OptionalMembers = Readonly<Record<string, JsonValue | undefined>>;

/** Creates an object with the fields that have a value. */
export function toSeedObject(members: OptionalMembers): JsonValue {
  return new Map(
    Object.entries(members).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}

/** Creates an object with the fields that have a value; undefined if there are none. */
export function toSeedObjectUnlessEmpty(members: OptionalMembers): JsonValue | undefined {
  return Object.values(members).every((value) => value === undefined) ? undefined : toSeedObject(members);
}

/** Returns the value, unless it is the default. */
export function omitDefault<Value extends JsonValue>(
  usual: JsonValue | undefined,
  value: Value,
): Value | undefined {
  return value === usual ? undefined : value;
}

/** Returns a time, unless it is the default. */
export function formatTimeUnlessDefault(usual: number | null, time: number | null): string | undefined {
  return time === null || time === usual ? undefined : formatTimestamp(time);
}

/** Returns a list, unless it is empty. */
export function omitEmptyList(values: readonly JsonValue[]): readonly JsonValue[] | undefined {
  return values.length === 0 ? undefined : values;
}

/** The references to users and organizations in a generated seed: the shortest that are unique. */
export interface SeedReferenceResolver {
  readonly user: (userId: string) => string | undefined;
  readonly organization: (organizationId: string) => string;
}

export function createSeedReferenceResolver(
  users: readonly UserRow[],
  organizations: readonly OrganizationRow[],
): SeedReferenceResolver {
  const people = new Map(users.map((user) => [user.userId, user]));
  const sure = new Set(users.flatMap(({ userId, email }) => [userId, email]));
  const parts = counted(users.map(({ email }) => getEmailLocalPart(email)));
  const ids = new Set(organizations.map(({ organizationId }) => organizationId));
  const called = organizations.filter(({ isPersonal }) => !isPersonal);
  const names = counted(called.map(({ name }) => name));
  const nameOf = new Map(called.map(({ organizationId, name }) => [organizationId, name]));
  return {
    user: (userId) => {
      const email = people.get(userId)?.email;
      if (email === undefined) return undefined;
      const part = getEmailLocalPart(email);
      if (part !== "" && parts.get(part) === 1 && !sure.has(part)) return part;
      return people.has(email) ? userId : email;
    },
    organization: (organizationId) => {
      const name = nameOf.get(organizationId);
      return name !== undefined && names.get(name) === 1 && !ids.has(name) ? name : organizationId;
    },
  };
}

function counted(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
