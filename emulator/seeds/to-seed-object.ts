import type { JsonValue } from "../json/json-value.js";
import type { OrganizationRow } from "../store/organizations.js";
import type { UserRow } from "../store/users.js";
import { formatTimestamp } from "../time/timestamp.js";
import { getEmailLocalPart } from "./seed-defaults.js";

/** Fields of an object. Undefined fields are omitted. */
export type OptionalFields = Readonly<Record<string, JsonValue | undefined>>;

/** Creates an object with the fields that are not undefined. */
export function toSeedObject(fields: OptionalFields): JsonValue {
  return new Map(
    Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}

/** Creates an object with the fields that are not undefined; returns undefined if there are none. */
export function toSeedObjectUnlessEmpty(fields: OptionalFields): JsonValue | undefined {
  return Object.values(fields).every((value) => value === undefined) ? undefined : toSeedObject(fields);
}

/** Returns the value, unless it is the default. */
export function omitDefault<Value extends JsonValue>(
  defaultValue: JsonValue | undefined,
  value: Value,
): Value | undefined {
  return value === defaultValue ? undefined : value;
}

/** Formats a time, unless it is null or the default. */
export function formatTimeUnlessDefault(defaultTime: number | null, time: number | null): string | undefined {
  return time === null || time === defaultTime ? undefined : formatTimestamp(time);
}

/** Formats the times of a row, unless they are the defaults. */
export function describeTimes(
  { createdAt, updatedAt }: { readonly createdAt: number; readonly updatedAt: number },
  defaultCreatedAt: number,
) {
  return {
    createdAt: formatTimeUnlessDefault(defaultCreatedAt, createdAt),
    updatedAt: formatTimeUnlessDefault(createdAt, updatedAt),
  };
}

/** Returns a list, unless it is empty. */
export function omitEmptyList(values: readonly JsonValue[]): readonly JsonValue[] | undefined {
  return values.length === 0 ? undefined : values;
}

/** Refers to users and organizations of a seed by the shortest name that is unique. */
export type SeedReferences = ReturnType<typeof createSeedReferences>;

export function createSeedReferences(users: readonly UserRow[], organizations: readonly OrganizationRow[]) {
  const emails = new Map(users.map(({ userId, email }) => [userId, email]));
  const idsAndEmails = new Set([...emails].flat());
  const localParts = countValues([...emails.values()].map(getEmailLocalPart));
  const shared = organizations.filter(({ isPersonal }) => !isPersonal);
  const names = new Map(shared.map(({ organizationId, name }) => [organizationId, name]));
  const nameCounts = countValues([...names.values()]);
  const organizationIds = new Set(organizations.map(({ organizationId }) => organizationId));
  return {
    /** Returns undefined if the user does not exist. */
    user: (userId: string) => {
      const email = emails.get(userId);
      if (email === undefined) return undefined;
      const localPart = getEmailLocalPart(email);
      const isUnique = localParts.get(localPart) === 1 && !idsAndEmails.has(localPart);
      if (localPart !== "" && isUnique) return localPart;
      return emails.has(email) ? userId : email;
    },
    organization: (organizationId: string) => {
      const name = names.get(organizationId) ?? "";
      return nameCounts.get(name) === 1 && !organizationIds.has(name) ? name : organizationId;
    },
  };
}

export function countValues<Value>(values: readonly Value[]): ReadonlyMap<Value, number> {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
