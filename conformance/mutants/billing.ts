import { parseClaims } from "../client/claims.js";
import { type AnyJson, changeBody, createSuccessResponse, isErrorResponse } from "./intercept.js";
import { type Mutant, mutant } from "./mutant.js";

const catalog = ["listPlans", "getPlan"] as const;

const is =
  (type: string) =>
  ({ planType }: AnyJson): boolean =>
    planType === type;

const highLimits = { maxDatabases: 99, maxStorageGb: 99, maxRequestsPerMonth: 1e9, maxTeamMembers: 99 };

/** Changed plans, both in the catalog and in the response for a single plan. */
const changedPlans = [
  ["free-with-1-gb", "BILL-21", "free", (plan) => (plan.limits.maxStorageGb = 1)],
  ["pro-with-trial-of-15-days", "BILL-22", "pro", (plan) => (plan.trialDays = 15)],
  ["enterprise-with-limits", "BILL-23", "enterprise", (plan) => (plan.limits = highLimits)],
] as const satisfies readonly (readonly [string, string, string, (plan: AnyJson) => unknown])[];

/** Faults in the plan catalog. */
export const planMutants: readonly Mutant[] = [
  mutant("plans/no-enterprise", "BILL-18", "listPlans").changeResponseBody((body) =>
    body.splice(body.findIndex(is("enterprise")), 1),
  ),
  mutant("plans/unknown-is-free", "BILL-19", "getPlan").replaceResponse(isErrorResponse, async (request) =>
    createSuccessResponse((await request.ask("GET", "/api/v1/plans")).body.find(is("free"))),
  ),
  ...changedPlans.map(([name, clause, type, change]) =>
    mutant(`plans/${name}`, clause, catalog).changeResponseBody((body) =>
      [body].flat().filter(is(type)).forEach(change),
    ),
  ),
  mutant("plans/single-needs-credential", "BILL-24", "getPlan").rejectRequests(
    ({ credential }) => credential === undefined,
    401,
  ),
];

const info = ["getPaymentInfo"] as const;
const status = ["getPaymentStatus"] as const;

/** Faults in subscriptions, payment and usage. */
export const billingMutants: readonly Mutant[] = [
  mutant("billing/amounts-in-dollars", "BILL-05", info).changeResponseBody((body) => {
    for (const priced of [body, body.latestOrder, ...body.product.prices])
      priced.amount = Math.round(priced.amount / 100);
  }),
  mutant("billing/always-active-and-in-trial", "BILL-13", status).changeResponseBody((body) =>
    Object.assign(body, { isActive: true, isTrial: true }),
  ),
  // A new token of a user is for the same organization.
  mutant("billing/hundred-requests", "BILL-26", "queryItems").rejectRequests(
    ({ credential, memory }) => memory.add(parseClaims(credential).org) > 100,
    403,
  ),
  mutant("billing/info-of-other-organization", "BILL-06", info).replaceField(
    "organizationId",
    (id) => `${id}0`,
  ),
  mutant("billing/checkout-for-free-is-for-pro", "BILL-09", "createCheckout").rewriteText(
    "planType",
    /^free$/,
    "pro",
  ),
  mutant("billing/downgrade-by-checkout", "BILL-27", ["createCheckout", "getOrganization"]).by(
    async (request) => {
      const response = await request.send();
      if (request.operationId === "createCheckout" && response.status === 409)
        request.memory.set(parseClaims(request.credential).org, "pro");
      const plan: unknown = request.memory.get(request.path.organizationId);
      return plan === undefined ? response : changeBody(response, (body) => (body.plan = plan));
    },
  ),
  mutant("billing/status-of-another-plan", "BILL-14", status).replaceField("planType", (type) =>
    type === "pro" ? "enterprise" : "pro",
  ),
  mutant("billing/info-of-user", "BILL-06", info).cacheSuccess(
    ({ credential }) => parseClaims(credential).sub,
  ),
  mutant("billing/status-of-first-caller", "BILL-14", status).cacheSuccess(() => "anyone"),
  mutant("billing/plan-of-first-look", "BILL-14", status).freezeField(
    "planType",
    ({ credential }) => credential,
  ),
  mutant("billing/usage-period-reversed", "BILL-15", "getUsage").changeResponseBody((body) => {
    [body.billingPeriodStart, body.billingPeriodEnd] = [body.billingPeriodEnd, body.billingPeriodStart];
  }),
  mutant("billing/usage-counts-deleted", "BILL-16", "getUsage").neverLowerField("databaseCount"),
  mutant("billing/trial-of-15-days", "BILL-25", info).replaceField("trialEnd", (end) =>
    end === null ? null : new Date(Date.parse(end) + 86_400_000).toISOString(),
  ),
  mutant("billing/trial-goes-on", "BILL-25", status).changeResponseBody((body, { memory }) => {
    if (body.isTrial === true) memory.set("trial", { isTrial: true, status: "trialing" });
    else if (body.planType === "pro") Object.assign(body, memory.get("trial"));
  }),
];
