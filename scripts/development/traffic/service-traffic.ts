import { type OperationDefinition, rolesOf, scopeOf } from "../../../openapi/operations/operation.js";
import type { ProblemKind } from "../../../openapi/operations/problems.js";
import { defaultProfile } from "../../../openapi/gaps/profile.js";
import { type OperationId, serviceOperations } from "../../../openapi/operations/register.js";
import { billingTraffic } from "./billing-traffic.js";
import { itemTraffic } from "./item-traffic.js";
import { organizationTraffic } from "./organization-traffic.js";
import { repositoryTraffic } from "./repository-traffic.js";
import { sqlTraffic } from "./sql-traffic.js";
import { type Call, refused, type Traffic } from "./traffic.js";
import type { World } from "./traffic-world.js";

/**
 * Traffic for every operation: what succeeds, in every way the contract knows, and the errors that are the
 * operation's own. An operation without an entry does not compile.
 */
export function serviceTraffic(world: World): Traffic<OperationId> {
  const { emulator, owner, ids } = world;
  const { organizationId } = ids;
  const sick = () =>
    void emulator.health.set({
      health: "Unhealthy",
      ready: "NotReady",
      live: "Dead",
      details: "the disk is full",
    });
  return {
    ...itemTraffic(world),
    ...repositoryTraffic(world),
    ...organizationTraffic(world),
    ...billingTraffic(world),
    ...sqlTraffic(world),
    login: [
      { status: 200 },
      { status: 200, body: { email: "owner@demo.test", password: "wrong" } },
      { status: 200, body: { email: "unverified@demo.test", password: "demo-password" } },
      { status: 200, body: { email: "mfa@demo.test", password: "demo-password" } },
    ],
    refreshSession: [
      { status: 200, body: { refreshToken: owner.refreshToken } },
      { status: refused("unauthenticated"), body: { refreshToken: "rt_unknown" } },
    ],
    switchOrganization: [
      { status: 200, body: { organizationId } },
      { status: refused("organization-not-found"), body: { organizationId: "org_unknown" } },
      { status: refused("foreign-resource"), body: { organizationId: "org_demo_free" } },
    ],
    createDatabase: [
      { status: 201 },
      { status: 201, body: { name: "with-settings", region: "eu-west-1", settings: { tier: 1 } } },
      { status: refused("conflict"), body: { name: "traffic", region: "eu-west-1" } },
    ],
    listDatabases: [
      { status: 200 },
      { status: 200, parameters: { limit: 1 } },
      { status: refused("validation-failed"), parameters: { limit: 0 } },
    ],
    getDatabase: [{ status: 200 }],
    deleteDatabase: [{ status: 204 }],
    getHealth: [{ status: 200 }, { status: 503, before: sick }],
    getReadiness: [{ status: 200 }, { status: 503, before: sick }],
    getLiveness: [{ status: 200 }, { status: 503, before: sick }],
  };
}

/** An id of the path that nothing has, and the error it leads to. */
const unknownIds: Readonly<Record<string, readonly [ProblemKind, string]>> = {
  databaseId: ["database-not-found", "db_unknown"],
  repositoryId: ["repository-not-found", "repo_unknown"],
  entityId: ["entity-not-found", "ent_unknown"],
  organizationId: ["organization-not-found", "org_unknown"],
  memberId: ["member-not-found", "user_unknown"],
  planId: ["plan-not-found", "plan_unknown"],
};

/** The errors that follow from what kind of operation it is. */
export function commonRefusals(id: OperationId, { readonly }: World): readonly Call[] {
  const { access, requestBody, routes, errorBody }: OperationDefinition = serviceOperations[id];
  const answered = (kind: ProblemKind) => (errorBody === "sql" ? 400 : refused(kind));
  const calls: Call[] = [];
  if (access.kind === "protected") {
    const scope = scopeOf(access, { kind: "strict", profile: defaultProfile });
    calls.push({ status: refused("unauthenticated"), credential: null });
    if (!rolesOf(access, { kind: "strict", profile: defaultProfile }).includes("readonly"))
      calls.push({ status: refused("forbidden"), credential: readonly });
    calls.push(
      scope === undefined
        ? { status: refused("wrong-credential-kind"), credential: "dsk_demo_all" }
        : { status: answered("forbidden"), credential: keyOfOtherScope(scope) },
    );
  }
  if (requestBody !== undefined)
    calls.push(
      { status: answered("validation-failed"), body: [] },
      { status: refused("unsupported-media-type"), contentType: "text/plain" },
    );
  const paths = JSON.stringify(routes);
  for (const [name, [kind, unknown]] of Object.entries(unknownIds))
    if (paths.includes(`{${name}}`)) {
      // gap delete-missing-entity: by default it has done what was asked for
      const status = id === "deleteEntity" && name === "entityId" ? 204 : answered(kind);
      calls.push({ status, parameters: { [name]: unknown } });
    }
  if (paths.includes("{organizationId}"))
    calls.push({ status: refused("foreign-resource"), parameters: { organizationId: "org_demo_free" } });
  return calls;
}

function keyOfOtherScope(scope: string): string {
  return scope === "any" || scope.startsWith("database:")
    ? "dsk_demo_repository_all"
    : "dsk_demo_database_all";
}
