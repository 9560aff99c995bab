import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import type { ProblemKind } from "../../openapi/operations/problems.js";

/** An invalid call of the control plane. */
export interface InvalidControlCall {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The kind of the problem. Defaults to `validation-failed`. */
  readonly kind?: ProblemKind;
  /** JSON pointers to the mistakes, optionally followed by a space and the beginning of the message. */
  readonly mistakes?: readonly string[];
}

const bodies = (
  given: readonly (readonly [unknown, readonly string[]])[],
  path: Readonly<Record<string, string>> = {},
): readonly InvalidControlCall[] => given.map(([body, mistakes]) => ({ path, body, mistakes }));

const fault = (effect: object, ...mistakes: string[]) => [{ effect }, mistakes] as const;
const createMatchCall = (match: object, effect: object, ...mistakes: string[]) =>
  [{ match, effect }, mistakes] as const;
const when = (given: object, ...mistakes: string[]) =>
  [{ effect: { kind: "drop" }, when: given }, mistakes] as const;
const apiKey = { organizationId: "org_demo_pro", name: "reader", scopes: ["database:read"] };
const names = (id: string, kind: ProblemKind): readonly InvalidControlCall[] => [
  { path: { [id]: "nowhere" }, kind },
];

/** Calls that the control plane rejects, over HTTP and in-process. They change nothing. */
export const invalidControlCalls: Readonly<
  Partial<Record<ControlOperationId, readonly InvalidControlCall[]>>
> = {
  resetEmulator: bodies([
    [{ fixture: "production" }, ["/fixture"]],
    [{ fixture: 1 }, ["/fixture"]],
  ]),
  changeClock: bodies([
    [{}, [""]],
    [{ advance: "10 minutes" }, ["/advance"]],
    [{ advance: "" }, ["/advance"]],
    [{ advance: 600 }, ["/advance must be a string"]],
    [{ now: "tomorrow" }, ["/now"]],
    [{ now: "2030-02-30T00:00:00Z" }, ["/now"]],
    [{ mode: "fast" }, ["/mode"]],
    [{ forward: "PT1S" }, ["/forward is not a known field"]],
    [{ advance: "P8000Y" }, [""]],
    [{ advance: "P9999999999999999Y" }, [""]],
    [{ mode: "system", advance: "nonsense" }, ["/advance"]],
    [{ mode: "system", now: "nonsense" }, ["/now"]],
    [{ mode: "system", advance: "P9000Y" }, [""]],
  ]),
  setProfile: bodies([
    [
      { "validation-status": 500, "page-limit-max": 0, "no-such-gap": true },
      ["/no-such-gap", "/page-limit-max", "/validation-status"],
    ],
    [[], [""]],
  ]),
  createUser: bodies([
    [{}, ["/email", "/password"]],
    [{ email: "a@b.test" }, ["/password is required"]],
    [{ email: "ada", password: "p" }, ["/email"]],
    [{ email: "a@b", password: "" }, ["/password"]],
    [{ email: "a@b", password: "p", admin: true }, ["/admin"]],
    [{ email: "a@b", password: "p", mfaRequired: "yes" }, ["/mfaRequired"]],
  ]),
  deleteUser: names("userId", "user-not-found"),
  createApiKey: bodies([
    [{}, ["/name", "/organizationId", "/scopes"]],
    [{ ...apiKey, scopes: [] }, ["/scopes"]],
    [{ ...apiKey, scopes: ["everything"] }, ["/scopes/0"]],
    [{ ...apiKey, scopes: ["*", "*"] }, ["/scopes"]],
    [{ ...apiKey, expiresAt: "tomorrow" }, ["/expiresAt"]],
    [{ ...apiKey, expiresAt: "2030-02-30T00:00:00Z" }, ["/expiresAt"]],
  ]),
  deleteApiKey: names("apiKeyId", "api-key-not-found"),
  changeOrganization: bodies(
    [
      [{}, [""]],
      [{ plan: "gold" }, ["/plan"]],
      [{ status: "gone" }, ["/status"]],
      [{ requestsThisPeriod: -1 }, ["/requestsThisPeriod"]],
      [{ requestsThisPeriod: 1.5 }, ["/requestsThisPeriod"]],
      [{ settings: { maxDatabases: -1 } }, ["/settings/maxDatabases"]],
      [{ settings: { allowedRegions: "x" } }, ["/settings/allowedRegions"]],
      [{ settings: { colour: 1 } }, ["/settings/colour"]],
    ],
    { organizationId: "org_demo_free" },
  ),
  changeDatabase: bodies(
    [
      [{}, ["/status"]],
      [{ status: "Gone" }, ["/status"]],
    ],
    { databaseId: "db_demo" },
  ),
  acceptInvitation: bodies([
    [{}, ["/email", "/organizationId"]],
    [{ organizationId: "org_demo_pro", email: "a@b.test", role: "owner" }, ["/role"]],
  ]),
  createSession: [
    ...bodies([
      [{}, ["/userId is required"]],
      [{ userId: "user_demo_owner", organizationId: 1 }, ["/organizationId"]],
    ]),
    { body: { userId: "nobody" }, kind: "user-not-found" },
    { body: { userId: "user_demo_owner", organizationId: "nowhere" }, kind: "organization-not-found" },
    { body: { userId: "user_demo_outsider", organizationId: "org_demo_pro" }, kind: "member-not-found" },
  ],
  getCheckout: names("checkoutId", "checkout-not-found"),
  completeCheckout: [
    ...names("checkoutId", "checkout-not-found"),
    ...bodies([[{ after: 10 }, ["/after"]]], { checkoutId: "nowhere" }),
  ],
  setReturnAddresses: bodies([
    [{ successUrl: "/done" }, ["/successUrl"]],
    [{ cancelUrl: "javascript:alert(1)", portalReturnUrl: 1 }, ["/cancelUrl", "/portalReturnUrl"]],
    [{ successUrl: "http://[" }, ["/successUrl must be an absolute http or https URL"]],
    [{ returnUrl: "http://localhost:3000/" }, ["/returnUrl"]],
  ]),
  getSubscription: names("organizationId", "organization-not-found"),
  listOrders: names("organizationId", "organization-not-found"),
  changeSubscription: bodies(
    [
      [{}, [""]],
      [{ status: "paused" }, ["/status"]],
      [{ plan: "gold" }, ["/plan"]],
      [{ cancelAtPeriodEnd: "yes" }, ["/cancelAtPeriodEnd"]],
    ],
    { organizationId: "org_demo_pro" },
  ),
  setHealth: bodies([
    [{}, [""]],
    [{ health: "Fine" }, ["/health"]],
    [{ mood: 1 }, ["/mood"]],
  ]),
  setNamespace: [
    ...bodies(
      [
        [{}, ["/idleSeconds"]],
        [{ idleSeconds: 0 }, ["/idleSeconds"]],
        [{ idleSeconds: -1 }, ["/idleSeconds"]],
        [{ idleSeconds: 0.5 }, ["/idleSeconds"]],
        [{ idleSeconds: "60" }, ["/idleSeconds"]],
      ],
      { name: "brief" },
    ),
    { path: { name: "default" }, body: { idleSeconds: 60 }, kind: "default-namespace" },
    { path: { name: ".brief" }, body: { idleSeconds: 60 }, kind: "malformed-request" },
  ],
  deleteNamespace: [
    ...names("name", "namespace-not-found"),
    { path: { name: "default" }, kind: "default-namespace" },
  ],
  forkNamespace: [
    ...bodies(
      [
        [{ to: "a/b" }, ["/to"]],
        [{}, ["/to is required"]],
      ],
      { name: "default" },
    ),
    { path: { name: "default" }, body: { to: "default" }, kind: "conflict" },
  ],
  saveSnapshot: [{ path: { name: ".s" }, kind: "malformed-request" }],
  getSnapshot: names("name", "snapshot-not-found"),
  compareSnapshot: names("name", "snapshot-not-found"),
  restoreSnapshot: names("name", "snapshot-not-found"),
  forkSnapshot: [
    { path: { name: "nowhere" }, body: { to: "copy" }, kind: "snapshot-not-found" },
    { path: { name: "nowhere" }, body: { to: "-" }, mistakes: ["/to"] },
  ],
  deleteSnapshot: names("name", "snapshot-not-found"),
  createFault: bodies([
    [{}, ["/effect is required"]],
    fault({ kind: "explode" }, '/effect/kind must be one of "status"'),
    [{ effect: { kind: "drop" }, then: 1 }, ["/then is not a known field"]],
    fault({ kind: "status", status: 200 }, "/effect/status must be >= 400"),
    fault({ kind: "status", status: 99 }, "/effect/status must be >= 400"),
    fault({ kind: "latency", delayMs: 60_001 }, "/effect/delayMs must be <= 60000"),
    fault(
      { kind: "latency", status: 500 },
      "/effect/status is not allowed for the kind latency, which allows only delayMs",
    ),
    fault({ kind: "partial", count: 0 }, "/effect/count must be >= 1 for partial"),
    createMatchCall({ operation: "putItem" }, { kind: "drop" }, "/match/operation is not a known field"),
    createMatchCall({ operationId: "putItm" }, { kind: "drop" }, "/match/operationId must be one of"),
    createMatchCall(
      { operationId: "getItem" },
      { kind: "unprocessed" },
      "/match/operationId does not support this effect; expected one of batchGetItems",
    ),
    createMatchCall(
      { operationId: "runSqlQuery" },
      { kind: "error", errorType: "ValidationError" },
      "/match/operationId does not support this effect; expected one of transactWriteItems",
    ),
    fault(
      { kind: "error", code: "ACCESS_DENIED", loginStatus: "Error" },
      "/effect/loginStatus must not be combined with code; use two rules instead",
    ),
    fault(
      { kind: "error", code: "ACCESS_DENIED", count: 2 },
      "/effect/count requires errorType, because only rules with errorType make transactions fail",
    ),
    createMatchCall(
      { operationId: "login", caller: "user_1" },
      { kind: "drop" },
      "/match/caller must be omitted, because login needs no credential",
    ),
    createMatchCall({ path: "/a?b" }, { kind: "drop" }, "/match/path must be a path without a query"),
    createMatchCall(
      { path: "/%zz" },
      { kind: "drop" },
      "/match/path has a percent escape that is not valid UTF-8",
    ),
    when({ nth: 0 }, "/when/nth must be >= 1"),
    when({ probability: 2 }, "/when/probability must be <= 1"),
  ]),
  getFault: names("faultId", "fault-not-found"),
  deleteFault: names("faultId", "fault-not-found"),
  getJournal: [
    { query: { limit: "0" }, mistakes: ["/limit"] },
    { query: { since: "x" }, mistakes: ["/since"] },
    { query: { operationId: "nothing" }, mistakes: ["/operationId"] },
    { query: { format: "xml" }, mistakes: ["/format"] },
    { query: { status: "1000" }, mistakes: ["/status"] },
    {
      query: { operation: "getItem" },
      mistakes: ["/operation is not a parameter of this operation; the parameters are operationId"],
    },
  ],
};
