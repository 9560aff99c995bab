import { parseClaims } from "../client/claims.js";
import { type AnyJson, changeBody } from "./intercept.js";
import { type Mutant, createMutantBuilder } from "./mutant.js";
import {
  type InterceptorFactory,
  createSuccessResponse,
  changeResponseBody,
  replaceField,
  isRefusal,
  rejectRequests,
} from "./tampers.js";

/** Changes a plan in the catalog and in the response for the single plan. */
function changePlan(planType: string, change: (plan: AnyJson) => void): InterceptorFactory {
  return changeResponseBody((body) => {
    for (const plan of [body].flat()) if (plan.planType === planType) change(plan);
  });
}

const catalog = ["listPlans", "getPlan"] as const;

const mutant = createMutantBuilder({ changePlan });

/** Faults in the plan catalog. */
export const planMutants: readonly Mutant[] = [
  mutant("plans/no-enterprise", "BILL-18", "listPlans").changeResponseBody((body) => {
    body.splice(
      body.findIndex((plan: AnyJson) => plan.planType === "enterprise"),
      1,
    );
  }),
  mutant("plans/unknown-is-free", "BILL-19", "getPlan").replaceResponse(isRefusal, async (wire) => {
    const { body } = await wire.ask("GET", "/api/v1/plans");
    return createSuccessResponse(body.find(({ planType }: AnyJson) => planType === "free"));
  }),
  mutant("plans/free-with-1-gb", "BILL-21", catalog).changePlan(
    "free",
    (plan) => (plan.limits.maxStorageGb = 1),
  ),
  mutant("plans/pro-with-trial-of-15-days", "BILL-22", catalog).changePlan(
    "pro",
    (plan) => (plan.trialDays = 15),
  ),
  mutant("plans/enterprise-with-limits", "BILL-23", catalog).changePlan("enterprise", (plan) => {
    plan.limits = { maxDatabases: 1000, maxStorageGb: 1000, maxRequestsPerMonth: 1e9, maxTeamMembers: 1000 };
  }),
  mutant("plans/single-needs-credential", "BILL-24", "getPlan").rejectRequests(
    401,
    ({ credential }) => credential === undefined,
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
  mutant("billing/hundred-requests", "BILL-26", "queryItems").by(() => {
    const counts = new Map<string | undefined, number>();
    return rejectRequests(403, ({ credential }) => {
      // A new token of a user is for the same organization.
      const { org } = parseClaims(credential);
      const count = (counts.get(org) ?? 0) + 1;
      counts.set(org, count);
      return count > 100;
    })();
  }),
  mutant("billing/info-of-other-organization", "BILL-06", info).replaceField(
    "organizationId",
    (id) => `${id}0`,
  ),
  mutant("billing/checkout-for-free-is-for-pro", "BILL-09", "createCheckout").changeRequestBody((body) =>
    body.planType === "free" ? { planType: "pro" } : undefined,
  ),
  mutant("billing/downgrade-by-checkout", "BILL-27", ["createCheckout", "getOrganization"]).by(() => {
    const lowered = new Set<string | undefined>();
    return async (wire) => {
      const response = await wire.send();
      if (wire.operationId === "createCheckout" && response.status === 409)
        lowered.add(parseClaims(wire.credential).org);
      return lowered.has(wire.path.organizationId)
        ? changeBody(response, (body) => (body.plan = "pro"))
        : response;
    };
  }),
  mutant("billing/status-of-another-plan", "BILL-14", status).replaceField("planType", (type) =>
    type === "pro" ? "enterprise" : "pro",
  ),
  mutant("billing/plan-of-first-look", "BILL-14", status).freezeField(
    "planType",
    ({ credential }) => credential,
  ),
  mutant("billing/usage-period-reversed", "BILL-15", "getUsage").changeResponseBody((body) => {
    [body.billingPeriodStart, body.billingPeriodEnd] = [body.billingPeriodEnd, body.billingPeriodStart];
  }),
  mutant("billing/usage-counts-deleted", "BILL-16", "getUsage").by(() => {
    let most = 0;
    return replaceField("databaseCount", (count) => (most = Math.max(most, count)))();
  }),
  mutant("billing/trial-of-15-days", "BILL-25", info).replaceField("trialEnd", (end) =>
    end === null ? null : new Date(Date.parse(end) + 86_400_000).toISOString(),
  ),
  mutant("billing/trial-goes-on", "BILL-25", status).by(() => {
    let wasTrial = false;
    return changeResponseBody((body) => {
      if (wasTrial && body.planType === "pro") Object.assign(body, { isTrial: true, status: "trialing" });
      wasTrial ||= body.isTrial === true;
    })();
  }),
];
