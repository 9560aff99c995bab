import type { billingGaps } from "../../openapi/gaps/billing.js";
import { describe } from "../check/context.js";
import { plansOf } from "../checks/plan-list.js";
import type { Answer, Call, Caller } from "../client/client.js";
import { databaseOf } from "./databases.js";
import { isSameInstant } from "./is-same-instant.js";
import { eitherWay, fitting, oneOf, seen } from "./makers.js";
import { objectIn } from "./objects-in.js";
import type { ObserversOf } from "./observer.js";
import type { ObserverContext } from "./observer-context.js";
import { routeAnswer } from "./route-answer.js";

/** Whether each of some callers is let in. */
async function letIn(
  context: ObserverContext,
  operation: "getPaymentPortal" | "getUsage" | "getPaymentStatus",
  names: readonly ("owner" | "admin" | "member" | "readonly")[],
): Promise<readonly boolean[]> {
  const seenOf: boolean[] = [];
  for (const name of names)
    seenOf.push(context.accepted(await context.provoke(operation, { as: await context.actor(name) })));
  return seenOf;
}

/** The owner in an organization made for this. */
async function inNewOrganization(
  context: ObserverContext,
): Promise<{ readonly as: Caller; readonly organizationId: string }> {
  const organizationId = await context.resources.newOrganization();
  return { as: await context.ownerIn(organizationId), organizationId };
}

/** The owner in an organization of the free plan: one made for this, or the personal one. */
async function inFreeOrganization(context: ObserverContext): Promise<Caller> {
  const { as, organizationId } = await inNewOrganization(context);
  const plan = await planOf(context, as, organizationId);
  if (plan === "free") return as;
  const { personalOrgId } = await context.check.actors.details("owner");
  const personally = await context.ownerIn(personalOrgId);
  const personal = await planOf(context, personally, personalOrgId);
  if (personal === "free") return personally;
  return context.undecided(
    `no organization has the free plan: a new one has the plan ${plan}, the owner's personal one ${personal}`,
  );
}

async function planOf(context: ObserverContext, as: Caller, organizationId: string): Promise<string> {
  return (await context.must("getOrganization", { as, path: { organizationId } })).body.plan as string;
}

function checkout(context: ObserverContext, as: Caller, planType = "pro"): Promise<Answer> {
  return context.provoke("createCheckout", { as, body: { planType } });
}

/** Whether `isActive` is true for a status of the subscription. */
function activeWhile(situation: "trialing" | "pastDue", status: string) {
  return oneOf([`situation ${situation}`], { yes: true, no: false }, async (context) => {
    const { body } = await context.must("getPaymentStatus", { as: await context.actor(situation) });
    if (body.status !== status) context.undecided(`the subscription is ${body.status}, not ${status}`);
    return body.isActive as unknown;
  });
}

async function usage(context: ObserverContext, call: Call = {}) {
  return (await context.must("getUsage", call)).body as Readonly<Record<string, unknown>>;
}

export const billingObservers = {
  "plans-route": seen([], (context) => routeAnswer(context, "plans-route", "listPlans", {})),
  "plan-route": seen(
    [],
    async (context) => {
      const { body, text } = await context.must("listPlans");
      const [plan] = plansOf(body) ?? context.undecided(`no plans with a planId are in ${describe(text)}`);
      if (plan === undefined) return context.undecided("there is no plan");
      return routeAnswer(context, "plan-route", "getPlan", { path: { planId: plan.planId } });
    },
    { after: ["plans-route"] },
  ),
  "plan-list-form": seen(
    [],
    async (context) => {
      const answer = await context.must("listPlans");
      const body: unknown = answer.body;
      if (Array.isArray(body)) return "array";
      const { plans } = objectIn(context, body, "the list of plans");
      return Array.isArray(plans) ? "object" : context.other(body, "an array, or an object with plans");
    },
    { after: ["plans-route"] },
  ),
  "billing-readers": seen(["admin", "member", "readonly"], async (context) => {
    const names = ["admin", "member", "readonly"] as const;
    const [byUsage, byStatus] = [
      await letIn(context, "getUsage", names),
      await letIn(context, "getPaymentStatus", names),
    ];
    if (byUsage.join() !== byStatus.join())
      context.other({ usage: byUsage, status: byStatus }, "the same for both");
    const answers = {
      members: [true, true, true],
      "owner-and-admin": [true, false, false],
      owner: [false, false, false],
    };
    return fitting(context, answers, byUsage);
  }),
  "billing-managers": oneOf(
    ["checkout", "admin", "member", "readonly"],
    { owner: [true, false, false, false], "owner-and-member": [true, false, true, false] },
    (context) => letIn(context, "getPaymentPortal", ["owner", "admin", "member", "readonly"]),
  ),
  "checkout-effect": oneOf(
    ["checkout", "create-organizations"],
    { nothing: "as before", plan: "as checked out" },
    async (context) => {
      const { as, organizationId } = await inNewOrganization(context);
      const before = await planOf(context, as, organizationId);
      const other = before === "pro" ? "enterprise" : "pro";
      context.succeeded(await checkout(context, as, other), "createCheckout");
      const after = await planOf(context, as, organizationId);
      if (after === before) return "as before";
      return after === other ? "as checked out" : after;
    },
  ),
  "payment-credential": eitherWay(
    ["key *"],
    { accepted: "jwt-or-api-key", refused: "jwt" },
    async (context) => {
      await context.must("getPaymentStatus");
      await context.must("getUsage");
      const as = await context.check.actors.key("*");
      return [
        await context.provoke("getPaymentStatus", { as, asIs: true }),
        await context.provoke("getUsage", { as, asIs: true }),
      ];
    },
  ),
  "free-subscription": seen(["create-organizations"], async (context) => {
    const as = await inFreeOrganization(context);
    const answer = await context.provoke("getPaymentInfo", { as });
    if (answer.status === 404) return 404;
    const { amount } = context.succeeded(answer, "getPaymentInfo").body;
    return amount === 0 ? "zero-amount" : context.other(answer.text, "an amount of 0, or 404");
  }),
  "free-plan-expiry": seen(["create-organizations"], async (context) => {
    const as = await inFreeOrganization(context);
    const { body } = await context.must("getPaymentStatus", { as });
    if (body.expiresAt === null) return "null";
    const { billingPeriodEnd } = await usage(context, { as });
    return isSameInstant(body.expiresAt, billingPeriodEnd)
      ? "period-end"
      : context.other(body, `null, or ${String(billingPeriodEnd)}`);
  }),
  "past-due-active": activeWhile("pastDue", "past_due"),
  "trialing-active": activeWhile("trialing", "trialing"),
  "checkout-current-plan": eitherWay(
    ["checkout", "create-organizations"],
    { accepted: "allow", refused: "reject" },
    async (context) => {
      const { as, organizationId } = await inNewOrganization(context);
      const given = await planOf(context, as, organizationId);
      if (given !== "free") return checkout(context, as, given);
      if (context.answerTo("checkout-effect") === "plan") {
        context.succeeded(await checkout(context, as), "createCheckout");
        return checkout(context, as);
      }
      if (!context.check.offers("situation trialing"))
        context.check.notOffered("the target file names no `observe.situations.trialing`");
      const trialing = await context.actor("trialing");
      const plan = await planOf(context, trialing, await context.organizationOf("trialing"));
      if (plan !== "pro")
        context.undecided(`the organization of the situation trialing has the plan ${plan}`);
      return checkout(context, trialing);
    },
    { after: ["checkout-effect", "trialing-active"] },
  ),
  "usage-period": seen([], async (context) => {
    const { periodStart, periodEnd, billingPeriodStart, billingPeriodEnd, generatedAt } =
      await usage(context);
    if (isSameInstant(periodStart, billingPeriodStart)) {
      if (isSameInstant(periodEnd, billingPeriodEnd)) return "billing-period";
      if (isSameInstant(periodEnd, generatedAt)) return "to-date";
    }
    return context.other(
      { periodStart, periodEnd, billingPeriodStart, billingPeriodEnd, generatedAt },
      "one of both periods",
    );
  }),
  "monthly-requests": seen(
    ["situation exhausted", "sql"],
    async (context) => {
      const as = await context.actor("exhausted");
      const path = { databaseId: await databaseOf(context, as) };
      // an access token opens SQL whatever else it opens
      const answer = await context.provoke("listSqlTables", { as, path, impatient: true });
      if (answer.status === 200) return "not-enforced";
      return answer.status === 429 ? 429 : context.other(`${answer.status} ${answer.text}`, "200 or 429");
    },
    { after: ["list-tables-route"] },
  ),
} as const satisfies ObserversOf<typeof billingGaps>;
