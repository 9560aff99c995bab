import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { isClientError } from "../client/is-client-error.js";
import { type PlanType, planTerms } from "../../openapi/clauses/limits.js";
import type { OperationId } from "../../openapi/operations/register.js";
import { anonymous, type ApiResponse, type Caller } from "../client/client.js";
import { defineChecks } from "../check/check.js";
import type { CheckContext } from "../check/context.js";
import { RunError } from "../client/violation.js";
import { parsePlanList } from "../models/plan-list.js";
import { readUntil } from "../steps/read-until.js";
import { createNewUser, createDedicatedOrganization } from "../steps/create-new-user.js";
import { databaseList, readPages } from "../steps/pages.js";
import { assertTimestamp, getMillisecondsBetween } from "../steps/timestamps.js";

const statuses = ["active", "trialing", "past_due", "canceled", "incomplete"] as const;
const largerPlans = ["pro", "enterprise"] as const;
const daySeconds = 86_400;

/** An organization, with a caller whose token is for this organization. */
interface Place {
  readonly organizationId: string;
  readonly as: Caller;
}

async function ownersPlace(context: CheckContext): Promise<Place> {
  const organizationId = await context.actors.getOrganizationId("owner");
  return { organizationId, as: await context.actor("owner") };
}

/** Returns an organization in which a checkout does no harm; a new organization if it can be restored afterwards. */
function placeToBuy(context: CheckContext): Promise<Place> {
  return context.offers("control-plane") ? createDedicatedOrganization(context) : ownersPlace(context);
}

/**
 * Returns the answer about a subscription. Ends the check if the request is refused and the organization is on the free
 * plan, which may have no subscription.
 */
async function askAboutSubscription(
  context: CheckContext,
  clause: "BILL-06" | "BILL-11" | "BILL-12",
  operationId: OperationId,
  place: Place,
): Promise<ApiResponse> {
  const answer = await context.call(operationId, { as: place.as });
  if (isClientError(answer) && (await planOf(context, place)) === "free")
    context.notOffered("the organization is on the free plan, and has no subscription on this deployment");
  return context.assertStatus(clause, answer, 200);
}

async function planOf(context: CheckContext, { organizationId, as }: Place): Promise<PlanType> {
  const answer = await context.call("getOrganization", { path: { organizationId }, as });
  return answer.body.plan as PlanType;
}

/** Ends the check if no checkout can change the plan of an organization. */
function needLargerPlan(context: CheckContext, plan: PlanType): void {
  if (plan === "enterprise")
    context.notOffered("the organization already has the largest plan, so no checkout is possible");
}

/**
 * Asserts that the pro plan's prices are not given in major units, for which a currency of a hundred minor ones shows a
 * hundredth. What a customer pays in truth is not said.
 */
function assertMinorUnits(context: CheckContext, info: PricedInfo, plan: PlanType): void {
  const { currency, amount, product } = info;
  const { monthlyPriceCents, yearlyPriceCents } = planTerms.pro;
  const major = plan === "pro" && hasCents(currency) ? [monthlyPriceCents / 100, yearlyPriceCents / 100] : [];
  for (const each of [amount, ...product.prices.map((price) => price.amount)])
    context.assert("BILL-05", !major.includes(each), `an amount in minor units of ${currency}`, each);
}

function hasCents(currency: string): boolean {
  if (!/^[a-z]{3}$/i.test(currency)) return false;
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.resolvedOptions().maximumFractionDigits === 2;
}

/** The prices in payment info. */
interface PricedInfo {
  readonly currency: string;
  readonly amount: number;
  readonly product: { readonly prices: readonly { readonly amount: number }[] };
}

/** Checks of parts 2, 3, 4.7 and 8: subscription, checkout, portal, status and usage. */
export const billingChecks = defineChecks(
  {
    id: "billing/payment-info",
    title: "Payment info describes the organization that the token is for",
    clauses: ["BILL-01", "BILL-02", "BILL-03", "BILL-04", "BILL-05", "BILL-06"],
    needs: ["owner"],
    run: async (context) => {
      const place = await ownersPlace(context);
      const info = (await askAboutSubscription(context, "BILL-06", "getPaymentInfo", place)).body;
      context.assertEqual("BILL-06", info.organizationId, place.organizationId, "the organizationId");
      context.markExercised("BILL-02", "BILL-04");
      const [start, end] = [info.currentPeriodStart, info.currentPeriodEnd].map((time: unknown) =>
        assertTimestamp(context, time, "the start and end of the current period"),
      );
      const lasts = Number(end) > Number(start);
      context.assert("BILL-01", lasts, "a current period that ends after its start", info);
      assertTimestamp(context, info.latestOrder.createdAt, "createdAt of the latest order");
      const { invoicePdfUrl } = info.latestOrder;
      // there may be no invoice yet
      context.markExercised("BILL-03");
      if (invoicePdfUrl !== "") assertAddress(context, "BILL-03", invoicePdfUrl, "invoicePdfUrl");
      assertMinorUnits(context, info, await planOf(context, place));
    },
  },
  {
    id: "billing/checkout",
    title: "A checkout returns a URL",
    clauses: ["BILL-08"],
    needs: ["owner", "checkout"],
    run: async (context) => {
      // whether a checkout changes the plan by itself is not said: an organization of its own takes no harm
      const place = await placeToBuy(context);
      const before = await planOf(context, place);
      let started = 0;
      for (const planType of largerPlans) {
        const answer = await context.call("createCheckout", { as: place.as, body: { planType } });
        // a checkout for the plan that one has may be refused, and downgrades go through the portal
        if ((planType === before || before === "enterprise") && isClientError(answer)) continue;
        started++;
        context.assertStatus("BILL-08", answer, 200);
        assertAddress(context, "BILL-08", answer.body.checkoutUrl, "checkoutUrl");
      }
      if (started === 0) needLargerPlan(context, before);
      context.assert("BILL-08", started > 0, "a checkout for one of the plans", "none");
    },
  },
  {
    id: "billing/lower-plan",
    title: "A checkout for a lower plan does not change the plan",
    clauses: ["BILL-27"],
    needs: ["owner", "checkout"],
    run: async (context) => {
      const place = await placeToBuy(context);
      const path = { organizationId: place.organizationId };
      if (context.offers("control-plane"))
        await context.control.call("changeSubscription", { path, body: { plan: "enterprise" } });
      if ((await planOf(context, place)) !== "enterprise")
        context.notOffered("the deployment offers no checkout for a lower plan");
      // refused or not: downgrades go through the portal
      await context.call("createCheckout", { as: place.as, body: { planType: "pro" }, intent: "invalid" });
      const after = await planOf(context, place);
      context.assertEqual("BILL-27", after, "enterprise", "the plan after a checkout for a lower plan");
    },
  },
  {
    id: "billing/checkout-by-role",
    title: "Admins and readonly members cannot start a checkout",
    clauses: ["BILL-17"],
    needs: ["owner", "admin", "readonly", "checkout"],
    run: async (context) => {
      const before = await planOf(context, await ownersPlace(context));
      const [pro, enterprise] = largerPlans.map((planType) => ({ planType }));
      for (const role of ["admin", "readonly"] as const)
        for (const body of [pro, enterprise]) {
          const call = { as: await context.actor(role), body };
          await context.assertRefusal(
            "BILL-17",
            "createCheckout",
            call,
            `users with the role ${role} cannot manage billing`,
          );
        }
      // the plan of the subscription need not be that of the organization: one of them may be no larger
      let own = await context.call("createCheckout", { body: pro });
      if (isClientError(own)) own = await context.call("createCheckout", { body: enterprise });
      // nothing may be left to buy
      if (isClientError(own)) needLargerPlan(context, before);
      context.assertStatus("BILL-17", own, 200);
    },
  },
  {
    id: "billing/refused-checkouts",
    title: "A checkout for a plan other than pro or enterprise is rejected",
    clauses: ["BILL-09"],
    needs: ["owner", "checkout"],
    run: async (context) => {
      // where another plan can be bought, so that nothing else is in the way
      const { as } = await placeToBuy(context);
      const refuse = async (body: object) => {
        const because = "planType is neither pro nor enterprise";
        await context.assertRefusal("BILL-09", "createCheckout", { as, body }, because);
      };
      for (const body of [{}, { plan: "pro" }]) await refuse(body);
      await context.property(
        [
          fc
            .string({ minLength: 1, maxLength: 12 })
            // what a deployment that looks past case and white space would take for one of them
            .filter((text) => !(largerPlans as readonly string[]).includes(text.trim().toLowerCase())),
        ],
        (planType) => refuse({ planType }),
        { names: ["planType"], share: 0.5, examples: [["free"], [""], ["professional"]] },
      );
    },
  },
  {
    id: "billing/portal",
    title: "The portal has a URL and an expiration time",
    clauses: ["BILL-11"],
    needs: ["owner", "checkout"],
    run: async (context) => {
      const place = await ownersPlace(context);
      const { body } = await askAboutSubscription(context, "BILL-11", "getPaymentPortal", place);
      assertAddress(context, "BILL-11", body.portalUrl, "portalUrl");
      assertTimestamp(context, body.expiresAt, "expiresAt");
    },
  },
  {
    id: "billing/status",
    title: "The payment status matches the organization's subscription and plan",
    clauses: ["BILL-04", "BILL-12", "BILL-13", "BILL-14"],
    needs: ["owner"],
    run: async (context) => {
      await assertStatusFits(context, await ownersPlace(context));
    },
  },
  {
    id: "billing/every-status",
    title: "The status endpoint and payment info agree on every subscription status and plan",
    clauses: ["BILL-04", "BILL-05", "BILL-12", "BILL-13", "BILL-14"],
    needs: ["owner", "create-organizations", "control-plane"],
    run: async (context) => {
      const place = await createDedicatedOrganization(context);
      const path = { organizationId: place.organizationId };
      await context.property(
        [fc.constantFrom(...largerPlans), fc.constantFrom(...statuses)],
        async (plan, status) => {
          await context.control.call("changeSubscription", { path, body: { plan } });
          await context.control.call("changeSubscription", { path, body: { status } });
          const seen = await assertStatusFits(context, place);
          context.assertEqual("BILL-04", seen.status, status, "the status");
          const info = await askAboutSubscription(context, "BILL-06", "getPaymentInfo", place);
          assertMinorUnits(context, info.body as PricedInfo, plan);
          // what a subscription that is not in force gives, is not said
          if (["active", "trialing"].includes(status))
            context.assertEqual("BILL-14", seen.planType, plan, "planType");
        },
        { names: ["plan", "status"], examples: statuses.map((status) => ["pro" as const, status]) },
      );
    },
  },
  {
    id: "billing/trial-dates",
    title: "Payment info shows a 14-day trial on the pro plan",
    clauses: ["BILL-25"],
    needs: ["owner"],
    run: async (context) => {
      const places = [await ownersPlace(context)];
      if (context.offers("create-organizations") && context.offers("checkout")) {
        const own = await createDedicatedOrganization(context);
        const checkout = await context.call("createCheckout", {
          as: own.as,
          body: { planType: "pro" },
          intent: "invalid",
        });
        // elsewhere it begins a trial by itself, or when somebody has paid
        const isDone = (await planOf(context, own)) === "pro" || isClientError(checkout);
        if (context.offers("control-plane") && !isDone)
          await context.control.call("completeCheckout", { path: { checkoutId: checkout.body.checkoutId } });
        places.push(own);
      }
      const { trialDays } = planTerms.pro;
      let seen = 0;
      for (const place of places) {
        const { status, body } = await context.call("getPaymentInfo", { as: place.as });
        const isTrial = status === 200 && body.status === "trialing" && body.trialStart !== null;
        if (!isTrial || (await planOf(context, place)) !== "pro") continue;
        seen++;
        const days = Math.round(getMillisecondsBetween(body.trialStart, body.trialEnd) / 1000) / daySeconds;
        // the last day may be counted to its end
        const isRight = Math.abs(days - trialDays) < 1;
        context.assert("BILL-25", isRight, `a ${trialDays}-day trial`, `${days} days`);
      }
      if (seen === 0) context.notOffered("no organization in the run is on a pro plan trial");
    },
  },
  {
    id: "billing/requests",
    title: "An organization can send hundreds of requests",
    clauses: ["BILL-26"],
    // it may move the clock by a day
    alone: true,
    needs: ["owner", "create-organizations", "create-databases"],
    run: async (context) => {
      await context.requireTokenAccessToData();
      const { organizationId, ...own } = await createDedicatedOrganization(context);
      let { as } = own;
      const { databaseId } = await context.resources.createDatabase({ as });
      const body = { partitionKey: context.resources.createName() };
      const ask = () => context.call("queryItems", { as, path: { databaseId }, body, intent: "invalid" });
      for (let sent = 1; sent <= 200 + 10 * context.runs; sent++) {
        let answer = await ask();
        // on the next day no rate limit is in the way
        if (answer.status === 429 && context.offers("control-plane")) {
          await context.control.advance("P1D");
          const login = await context.actors.getLogin("owner");
          as = await context.actors.logIn({ ...login, organizationId }, "owner the next day");
          answer = await ask();
        } else if (answer.status === 429)
          throw new RunError(`request ${sent} was throttled by a rate limit or by the monthly limit`);
        context.assertStatus("BILL-26", answer, 200);
      }
      await context.call("deleteDatabase", { as, setUp: true, path: { databaseId } });
      await context.resources.waitUntilGone(databaseId, { as });
    },
  },
  {
    id: "billing/trial",
    title: "The pro plan trial lasts 14 days",
    clauses: ["BILL-13", "BILL-25"],
    needs: ["control-plane"],
    run: async (context) => {
      // others than the newcomer's organization may begin on the pro plan, without a trial
      const { login, ...place } = await createNewUser(context);
      const checkout = await context.call("createCheckout", { as: place.as, body: { planType: "pro" } });
      // a checkout may change the plan by itself
      if ((await planOf(context, place)) !== "pro")
        await context.control.call("completeCheckout", { path: { checkoutId: checkout.body.checkoutId } });
      const info = await askAboutSubscription(context, "BILL-06", "getPaymentInfo", place);
      const { trialDays } = planTerms.pro;
      if (info.body.status !== "trialing") context.notOffered("the checkout does not start a trial");
      const statusAfter = async (duration: string) => {
        await context.control.advance(duration);
        const as = await context.actors.logIn(login, "trial");
        return (await context.assertSuccess("BILL-25", "getPaymentStatus", { as })).body;
      };
      const late = await statusAfter(`P${trialDays - 2}DT23H`);
      context.assertEqual("BILL-25", late.status, "trialing", "the status a day before the trial ends");
      context.assertEqual("BILL-13", late.isTrial, true, "isTrial a day before the trial ends");
      const over = await statusAfter("P2D");
      context.assert("BILL-25", over.status !== "trialing", "no trial after 14 days", over.status);
    },
  },
  {
    id: "billing/usage",
    title: "Usage reports the number of databases in the organization",
    clauses: ["BILL-15", "BILL-16"],
    // others create databases
    alone: true,
    needs: ["owner", "database"],
    run: async (context) => {
      await context.resources.getDatabase();
      const look = async (): Promise<Figures> => {
        const usage = (await context.assertSuccess("BILL-15", "getUsage")).body;
        const generatedAt = assertTimestamp(context, usage.generatedAt, "generatedAt");
        for (const [start, end] of [
          ["billingPeriodStart", "billingPeriodEnd"],
          ["periodStart", "periodEnd"],
        ] as const) {
          const lasts =
            assertTimestamp(context, usage[end], end) - assertTimestamp(context, usage[start], start);
          context.assert("BILL-15", lasts >= 0, `${start} before ${end}`, usage);
        }
        return { count: usage.databaseCount as number, generatedAt };
      };
      /** Counts may belong to an earlier time, which usage shows; then they say nothing about the present. */
      const assertCount = async (when: string, before?: Figures): Promise<Figures> => {
        // one on its way out may count or not, and figures may lag
        const whole = await readPages(context, { ...databaseList, includes: () => true });
        const { ids } = await readPages(context, databaseList);
        const agrees = ({ count }: Figures) => count >= ids.length && count <= whole.ids.length;
        const seen = await readUntil(context, look, agrees);
        const made = whole.pages
          .flatMap(({ databases }) => databases as readonly { readonly createdAt: string }[])
          .map(({ createdAt }) => assertTimestamp(context, createdAt, "createdAt of a database"));
        const isOlder =
          made.some((createdAt) => seen.generatedAt < createdAt) || isDeepStrictEqual(seen, before);
        context.assert("BILL-16", agrees(seen) || isOlder, `databaseCount ${ids.length} ${when}`, seen);
        return seen;
      };
      await assertCount("at first");
      if (!context.offers("create-databases")) return;
      const { databaseId } = await context.resources.createDatabase();
      const withIt = await assertCount("after another database was created");
      await context.call("deleteDatabase", { path: { databaseId } });
      await context.resources.waitUntilGone(databaseId);
      await assertCount("after that database was deleted", withIt);
    },
  },
);

/** The number of databases in usage, and the time of that number. */
interface Figures {
  readonly count: number;
  readonly generatedAt: number;
}

/** Asserts that a value is a URL, which may be relative to a page. */
function assertAddress(
  context: CheckContext,
  clause: "BILL-03" | "BILL-08" | "BILL-11",
  value: unknown,
  what: string,
): void {
  const isAddress = typeof value === "string" && /^(?:[a-z][a-z0-9+.-]*:|\.{0,2}\/)/i.test(value);
  context.assert(clause, isAddress && URL.canParse(value, "http://localhost"), `a URL in ${what}`, value);
}

/** Asserts that the payment status of an organization is consistent, and returns the status. */
async function assertStatusFits(context: CheckContext, place: Place) {
  const { body } = await askAboutSubscription(context, "BILL-12", "getPaymentStatus", place);
  context.markExercised("BILL-04", "BILL-14");
  if (body.status === "trialing")
    context.assertEqual("BILL-13", body.isTrial, true, "isTrial for a trialing subscription");
  if (body.status === "active") {
    context.assertEqual("BILL-13", body.isActive, true, "isActive for an active subscription");
    context.assertEqual("BILL-13", body.isTrial, false, "isTrial for a paid subscription");
  }
  if (body.status === "incomplete")
    context.assertEqual("BILL-13", body.isActive, false, "isActive for an incomplete subscription");
  const info = await context.call("getPaymentInfo", { as: place.as });
  if (info.status !== 200) return body;
  context.assertEqual("BILL-04", info.body.status, body.status, "the status in payment info");
  const catalog = parsePlanList((await context.call("listPlans", { as: anonymous })).body) ?? [];
  const named = catalog.find(({ name }) => name === info.body.planName)?.planType;
  // the plan of the organization need not be that of its subscription
  if (named !== undefined && ["active", "trialing"].includes(body.status)) {
    const known = [...new Set([named, await planOf(context, place)])];
    const what = `the planType in payment info or in the organization, ${known.join(" or ")}`;
    context.assert("BILL-14", known.includes(body.planType), what, body.planType);
  }
  return body;
}
