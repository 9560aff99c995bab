import { controlCallViolations } from "../control/check-control-call.js";
import { addApiKey } from "../control/api-keys.js";
import { addUser } from "../control/users.js";
import { invalid } from "../domain/problem.js";
import type { Attempts } from "./attempts.js";
import type { WholeApiKey, WholeUser } from "./whole-seed.js";
import type { SeedService } from "./seed-service.js";

/** Adds a user with their personal organization, by the rules of a signup. */
export function loadUser(service: SeedService, attempts: Attempts, user: WholeUser): void {
  const { pointer, email, name, password, userId, personalOrganizationId, createdAt, given } = user;
  const { emailVerified = true, mfaRequired = false, passwordHash } = given;
  const body = { email, password, name, emailVerified, mfaRequired };
  attempts.try(pointer, () => {
    check("createUser", body);
    const world = service.world({ at: createdAt, ids: { user: userId, org: personalOrganizationId } });
    addUser(world, { ...body, ...(passwordHash === undefined ? {} : { passwordHash }) });
  });
}

/** Adds an API key, by the rules of the dashboard. */
export function loadApiKey(service: SeedService, attempts: Attempts, key: WholeApiKey): void {
  const { pointer, apiKeyId, key: text, name, organizationId, createdAt, given } = key;
  const { scopes = ["*"], expiresAt = null } = given;
  const body = { organizationId, name, scopes: [...scopes], expiresAt };
  attempts.try(pointer, () => {
    check("createApiKey", body);
    addApiKey(service.world({ at: createdAt, ids: { key: apiKeyId, dsk: text } }), body);
  });
}

/** @throws a problem `validation-failed` */
function check(id: "createUser" | "createApiKey", body: object): void {
  const violations = controlCallViolations(id, { path: {}, query: {}, body });
  if (violations.length > 0) throw invalid(...violations);
}
