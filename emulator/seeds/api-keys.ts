import { checkControlCall } from "../control/check-control-call.js";
import { addApiKey } from "../control/organizations.js";
import type { JsonValue } from "../json/json-value.js";
import type { ApiKeyRow } from "../store/credentials.js";
import { formatTimestampOrNull } from "../time/timestamp.js";
import { type ApiKeyElement, writeElement } from "./seed-element.js";
import { toIdSuffix } from "./seed-names.js";
import type { SeedContext } from "./seed-context.js";

function getDefaults(name: string, createdAt: number) {
  const suffix = toIdSuffix(name.replace(/^dsk_/, ""));
  return { id: `key_${suffix}`, key: `dsk_${suffix}`, scopes: ["*" as const], expiresAt: null, createdAt };
}

/** The scope in which the keys themselves are unique, because one may equal an id. */
export const keyScope = "/key";

/** Adds an API key, by the rules of the dashboard. @param index the position in the list of keys */
export function applyApiKey(
  service: SeedContext,
  given: ApiKeyElement,
  index: number,
  organizationId: string,
  defaultCreatedAt: number,
): void {
  const { pointer, name = given.key ?? `key ${index + 1}` } = given;
  const { names } = service;
  const apiKey = { ...getDefaults(name, defaultCreatedAt), ...given };
  const id = given.id ?? names.generate("API key", apiKey.id);
  const key = given.key ?? names.generate("API key", apiKey.key, keyScope);
  const { createdAt: at, scopes, expiresAt } = apiKey;
  const body = { organizationId, name, scopes: [...scopes], expiresAt: formatTimestampOrNull(expiresAt) };
  service.try(pointer, () => {
    checkControlCall("createApiKey", { path: {}, query: {}, body });
    addApiKey(service.world({ at, ids: { key: id, dsk: key } }), body);
  });
}

/** Describes an API key as in a seed. */
export function describeApiKey(row: ApiKeyRow, defaultCreatedAt: number): JsonValue | undefined {
  const { key, name, apiKeyId: id, organizationId: organization, scopes, expiresAt, createdAt } = row;
  return writeElement(
    { key, name, id, organization, scopes, expiresAt, createdAt },
    // The name is the key by default.
    { ...getDefaults(name, defaultCreatedAt), name: key, key: undefined },
  );
}
