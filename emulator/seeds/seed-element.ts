import { isDeepStrictEqual } from "node:util";
import type { Seed } from "../../fixtures/seed.js";
import { isObject } from "../../openapi/text/is-object.js";
import type { JsonObject, JsonValue } from "../json/json-value.js";
import { parseTimestamp } from "../time/parse-timestamp.js";
import { formatTimestamp } from "../time/timestamp.js";
import type { SeedMistakes } from "./seed-error.js";

/** Fields that contain a text in a seed file, and milliseconds in an element. */
const timeFields = [
  "now",
  "createdAt",
  "updatedAt",
  "joinedAt",
  "invitedAt",
  "startedAt",
  "trialStart",
  "trialEnd",
  "expiresAt",
  "readyAt",
] as const;
type TimeField = (typeof timeFields)[number];
const timeFieldNames: ReadonlySet<string> = new Set(timeFields);

/** The field that the short form of an element contains, by the field that contains the element. */
const shortForms: ReadonlyMap<string, string> = new Map([
  ["users", "email"],
  ["personalOrganization", "id"],
  ["organizations", "name"],
  ["members", "user"],
  ["apiKeys", "key"],
  ["databases", "name"],
  ["repositories", "name"],
]);

/** Matches the pointers of values of any form: data, schemas, rows and settings of databases. */
export const freeFormPointer = /\/(?:data|schema|rows\/\d+)$|^\/databases\/\d+\/settings$/;

/**
 * A part of a seed: objects instead of short forms, milliseconds instead of texts, and no fields that are null. Each object
 * in a list has the JSON pointer of its place.
 */
export type SeedElement<Part> = string extends keyof Part
  ? JsonObject
  : Part extends readonly (infer Item)[]
    ? readonly PositionedElement<WithoutShortForm<Item>>[]
    : Part extends object
      ? {
          [Name in keyof Part]: Name extends TimeField
            ? number
            : SeedElement<WithoutShortForm<NonNullable<Part[Name]>>>;
        }
      : Part;
type WithoutShortForm<Part> = [Extract<Part, object>] extends [never] ? Part : Extract<Part, object>;
type PositionedElement<Item> = SeedElement<Item> &
  (Item extends string ? unknown : { readonly pointer: string });

type Items<List> = NonNullable<List> extends readonly (infer Item)[] ? Item : never;
export type SeedRoot = SeedElement<Seed>;
export type UserElement = Items<SeedRoot["users"]>;
/** A shared organization, or a personal one, whose name has a default. */
export type OrganizationElement = NonNullable<UserElement["personalOrganization"]> & {
  readonly pointer: string;
};
export type MemberElement = Items<OrganizationElement["members"]>;
export type ApiKeyElement = Items<SeedRoot["apiKeys"]>;
export type DatabaseElement = Items<SeedRoot["databases"]>;
export type RepositoryElement = Items<DatabaseElement["repositories"]>;
export type TableElement = Items<DatabaseElement["tables"]>;

/** Converts a value that matches the schema to an element. Records times that are invalid. */
export function readElement(value: unknown, mistakes: SeedMistakes, pointer = "", field = ""): unknown {
  if (freeFormPointer.test(pointer)) return value;
  if (Array.isArray(value))
    return value.map((item, index) => readElement(item, mistakes, `${pointer}/${index}`, field));
  const shortForm = shortForms.get(field);
  const object = typeof value === "string" && shortForm !== undefined ? { [shortForm]: value } : value;
  if (isObject(object)) {
    const fields = Object.entries(object)
      .filter(([, given]) => given !== null)
      .map(([name, given]) => [name, readElement(given, mistakes, `${pointer}/${name}`, name)]);
    return Object.fromEntries(/\/\d+$/.test(pointer) ? [...fields, ["pointer", pointer]] : fields);
  }
  if (typeof value !== "string" || !timeFieldNames.has(field)) return value;
  const time = parseTimestamp(value);
  if (time === undefined)
    mistakes.add(pointer, "must be an ISO 8601 time with a time zone, such as 2030-06-01T00:00:00Z");
  return time;
}

/**
 * Converts an element to its form in a seed file: without fields that are null or have their default values.
 *
 * @param shortForm the field that the short form contains
 * @returns undefined if no field is left
 */
export function writeElement(
  element: Readonly<Record<string, JsonValue | undefined | readonly (JsonValue | undefined)[]>>,
  defaults: Readonly<Record<string, unknown>> = {},
  shortForm?: string,
): JsonValue | undefined {
  const fields = new Map<string, JsonValue>();
  for (const [name, value] of Object.entries(element))
    if (value !== undefined && value !== null && !isDeepStrictEqual(value, defaults[name]))
      fields.set(
        name,
        typeof value === "number" && timeFieldNames.has(name) ? formatTimestamp(value) : (value as JsonValue),
      );
  if (fields.size === 0) return undefined;
  return (fields.size === 1 && shortForm !== undefined ? fields.get(shortForm) : undefined) ?? fields;
}
