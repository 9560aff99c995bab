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
interface Customer {
  readonly organizationId: string;
  readonly as: Caller;
}

async function getCustomer(context: CheckContext, name: "owner" | "outsider"): Promise<Customer> {
  const organizationId = await context.actors.getOrganizationId(name);
  return { organizationId, as: await context.actor(name) };
}

/** Returns a customer whose plan may change: a new organization if possible, because a checkout may change the plan. */
function getBuyer(context: CheckContext): Promise<Customer> {
  return context.offers("control-plane")
    ? createDedicatedOrganization(context)
    : getCustomer(context, "owner");
}

/**
 * Calls an operation on a subscription. Ends the check if the request is refused and the organization is on the free plan,
 * because it may then have no subscription.
 */
async function readSubscription(
  context: CheckContext,
  clause: "BILL-06" | "BILL-11" | "BILL-12",
  operationId: OperationId,
  customer: Customer,
): Promise<ApiResponse> {
  const response = await context.call(operationId, { as: customer.as });
  if (isClientError(response) && (await getPlan(context, customer)) === "free")
    context.notOffered("the organization is on the free plan, and has no subscription on this deployment");
  return context.assertStatus(clause, response, 200);
}

async function getPlan(context: CheckContext, { organizationId, as }: Customer): Promise<PlanType> {
  const response = await context.call("getOrganization", { path: { organizationId }, as });
  return response.body.plan as PlanType;
}

/** Ends the check if an organization already has the largest plan. */
function requireLargerPlan(context: CheckContext, plan: PlanType): void {
  if (plan === "enterprise")
    context.notOffered("the organization already has the largest plan, so no checkout is possible");
}

/**
 * Asserts that the pro plan's prices are not in major units, which are a hundredth of the prices in cents. The
 * specification does not say what a customer actually pays.
 */
function assertMinorUnits(
  context: CheckContext,
  { currency, amount, product }: PricedInfo,
  plan: PlanType,
): void {
  const { monthlyPriceCents, yearlyPriceCents } = planTerms.pro;
  const isKnown = plan === "pro" && hasCents(currency);
  const majorUnits = isKnown ? [monthlyPriceCents / 100, yearlyPriceCents / 100] : [];
  for (const shown of [amount, ...product.prices.map((price) => price.amount)])
    context.assert("BILL-05", !majorUnits.includes(shown), `an amount in minor units of ${currency}`, shown);
}

/** Whether a currency has a hundred minor units. */
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
    title: "Payment info is that of the organization for which the access token was issued",
    clauses: ["BILL-01", "BILL-02", "BILL-03", "BILL-04", "BILL-05", "BILL-06"],
    needs: ["owner"],
    run: async (context) => {
      const owner = await getCustomer(context, "owner");
      const info = (await readSubscription(context, "BILL-06", "getPaymentInfo", owner)).body;
      context.assertEqual("BILL-06", info.organizationId, owner.organizationId, "the organizationId");
      context.markExercised("BILL-02", "BILL-04");
      const [start, end] = [info.currentPeriodStart, info.currentPeriodEnd].map((time: unknown) =>
        assertTimestamp(context, time, "the start and end of the current period"),
      );
      const hasDuration = Number(end) > Number(start);
      context.assert("BILL-01", hasDuration, "a current period that ends after its start", info);
      assertTimestamp(context, info.latestOrder.createdAt, "createdAt of the latest order");
      const { invoicePdfUrl } = info.latestOrder;
      // There may be no invoice yet.
      context.markExercised("BILL-03");
      if (invoicePdfUrl !== "") assertUrl(context, "BILL-03", invoicePdfUrl, "invoicePdfUrl");
      assertMinorUnits(context, info, await getPlan(context, owner));
    },
  },
  {
    id: "billing/checkout",
    title: "A checkout returns a URL",
    clauses: ["BILL-08"],
    needs: ["owner", "checkout"],
    run: async (context) => {
      let buyer = await getBuyer(context);
      let started = 0;
      for (const planType of largerPlans) {
        const start = () => context.call("createCheckout", { as: buyer.as, body: { planType } });
        let response = await start();
        if (isClientError(response) && context.resources.hasCheckout(buyer.as)) {
          if (!context.offers("create-organizations")) continue;
          buyer = await createDedicatedOrganization(context);
          response = await start();
        }
        // A checkout for the current plan may be refused. Downgrades go through the portal.
        const mayBeRefused = async () => ["enterprise", planType].includes(await getPlan(context, buyer));
        if (isClientError(response) && (await mayBeRefused())) continue;
        started++;
        context.assertStatus("BILL-08", response, 200);
        assertUrl(context, "BILL-08", response.body.checkoutUrl, "checkoutUrl");
      }
      if (started > 0) return;
      requireLargerPlan(context, await getPlan(context, buyer));
      if (context.resources.hasCheckout(buyer.as)) context.notOffered("another checkout is open");
      context.assert("BILL-08", false, "a checkout for one of the plans", "none");
    },
  },
  {
    id: "billing/lower-plan",
    title: "A checkout for a lower plan does not change the plan",
    clauses: ["BILL-27"],
    needs: ["owner", "checkout"],
    run: async (context) => {
      const buyer = await getBuyer(context);
      const path = { organizationId: buyer.organizationId };
      if (context.offers("control-plane"))
        await context.control.call("changeSubscription", { path, body: { plan: "enterprise" } });
      if ((await getPlan(context, buyer)) !== "enterprise")
        context.notOffered("the deployment offers no checkout for a lower plan");
      // The checkout may be refused or not. Downgrades go through the portal.
      await context.call("createCheckout", {
        as: buyer.as,
        body: { planType: "pro" },
        intent: "may-be-refused",
      });
      const after = await getPlan(context, buyer);
      context.assertEqual("BILL-27", after, "enterprise", "the plan after a checkout for a lower plan");
    },
  },
  {
    id: "billing/checkout-by-role",
    title: "Admins and readonly members cannot start a checkout",
    clauses: ["BILL-17"],
    needs: ["owner", "admin", "readonly", "checkout"],
    run: async (context) => {
      const owner = await getCustomer(context, "owner");
      const before = await getPlan(context, owner);
      for (const role of ["admin", "readonly"] as const)
        for (const planType of largerPlans) {
          const call = { as: await context.actor(role), body: { planType } };
          const because = `users with the role ${role} cannot manage billing`;
          await context.assertRefusal("BILL-17", "createCheckout", call, because);
        }
      // The subscription may be for another plan than the organization, so one of the plans may not be larger.
      let response = await context.call("createCheckout", { body: { planType: "pro" } });
      if (isClientError(response))
        response = await context.call("createCheckout", { body: { planType: "enterprise" } });
      if (isClientError(response)) requireLargerPlan(context, before);
      if (isClientError(response) && context.resources.hasCheckout(owner.as)) return;
      context.assertStatus("BILL-17", response, 200);
    },
  },
  {
    id: "billing/refused-checkouts",
    title: "A checkout for a plan other than pro or enterprise is rejected",
    clauses: ["BILL-09"],
    needs: ["owner", "checkout"],
    run: async (context) => {
      const { as } = await getBuyer(context);
      const refuse = async (body: object) => {
        const because = "planType is neither pro nor enterprise";
        await context.assertRefusal("BILL-09", "createCheckout", { as, body }, because);
      };
      for (const body of [{}, { plan: "pro" }]) await refuse(body);
      await context.property(
        {
          planType: fc
            .string({ minLength: 1, maxLength: 12 })
            // A deployment may ignore case and white space.
            .filter((text) => !(largerPlans as readonly string[]).includes(text.trim().toLowerCase())),
        },
        ({ planType }) => refuse({ planType }),
        { share: 0.5, examples: [{ planType: "free" }, { planType: "" }, { planType: "professional" }] },
      );
    },
  },
  {
    id: "billing/portal",
    title: "The portal has a URL and an expiration time",
    clauses: ["BILL-11"],
    needs: ["owner", "checkout"],
    run: async (context) => {
      const owner = await getCustomer(context, "owner");
      const { body } = await readSubscription(context, "BILL-11", "getPaymentPortal", owner);
      assertUrl(context, "BILL-11", body.portalUrl, "portalUrl");
      assertTimestamp(context, body.expiresAt, "expiresAt");
    },
  },
  {
    id: "billing/status",
    title: "The payment status matches the organization's subscription and plan",
    clauses: ["BILL-04", "BILL-12", "BILL-13", "BILL-14"],
    needs: ["owner"],
    run: async (context) => {
      await assertPaymentStatus(context, await getCustomer(context, "owner"));
    },
  },
  {
    id: "billing/status-by-organization",
    title:
      "Payment info and status are those of the token's organization, even after requests from other organizations",
    clauses: ["BILL-06", "BILL-14"],
    needs: ["owner", "outsider"],
    run: async (context) => {
      const customers = [await getCustomer(context, "owner"), await getCustomer(context, "outsider")];
      if (context.offers("create-organizations")) customers.push(await createDedicatedOrganization(context));
      for (const customer of customers) await assertPaymentStatus(context, customer);
    },
  },
  {
    id: "billing/every-status",
    title: "The status endpoint and payment info agree on every subscription status and plan",
    clauses: ["BILL-04", "BILL-05", "BILL-12", "BILL-13", "BILL-14"],
    needs: ["owner", "create-organizations", "control-plane"],
    run: async (context) => {
      const customer = await createDedicatedOrganization(context);
      const path = { organizationId: customer.organizationId };
      await context.property(
        { plan: fc.constantFrom(...largerPlans), status: fc.constantFrom(...statuses) },
        async ({ plan, status }) => {
          await context.control.call("changeSubscription", { path, body: { plan } });
          await context.control.call("changeSubscription", { path, body: { status } });
          const body = await assertPaymentStatus(context, customer);
          context.assertEqual("BILL-04", body.status, status, "the status");
          const info = await readSubscription(context, "BILL-06", "getPaymentInfo", customer);
          assertMinorUnits(context, info.body as PricedInfo, plan);
          // The specification does not say which plan a subscription with another status gives.
          if (["active", "trialing"].includes(status))
            context.assertEqual("BILL-14", body.planType, plan, "planType");
        },
        { examples: statuses.map((status) => ({ plan: "pro" as const, status })) },
      );
    },
  },
  {
    id: "billing/trial-dates",
    title: "Payment info shows a 14-day trial on the pro plan",
    clauses: ["BILL-25"],
    needs: ["owner"],
    run: async (context) => {
      const customers = [await getCustomer(context, "owner")];
      if (context.offers("create-organizations") && context.offers("checkout")) {
        const customer = await createDedicatedOrganization(context);
        const call = { as: customer.as, body: { planType: "pro" }, intent: "may-be-refused" } as const;
        const checkout = await context.call("createCheckout", call);
        // Without a control plane, the checkout may begin a trial immediately, or only after a payment.
        const isDone = (await getPlan(context, customer)) === "pro" || isClientError(checkout);
        if (context.offers("control-plane") && !isDone)
          await context.control.call("completeCheckout", { path: { checkoutId: checkout.body.checkoutId } });
        customers.push(customer);
      }
      const { trialDays } = planTerms.pro;
      let trials = 0;
      for (const customer of customers) {
        const { status, body } = await context.call("getPaymentInfo", { as: customer.as });
        const isTrial = status === 200 && body.status === "trialing" && body.trialStart !== null;
        if (!isTrial || (await getPlan(context, customer)) !== "pro") continue;
        trials++;
        const days = Math.round(getMillisecondsBetween(body.trialStart, body.trialEnd) / 1000) / daySeconds;
        // The trial may last until the end of its last day.
        const isExpected = Math.abs(days - trialDays) < 1;
        context.assert("BILL-25", isExpected, `a ${trialDays}-day trial`, `${days} days`);
      }
      if (trials === 0) context.notOffered("no organization in the run is on a pro plan trial");
    },
  },
  {
    id: "billing/requests",
    title: "An organization can send hundreds of requests",
    clauses: ["BILL-26"],
    // The check may move the clock by a day.
    alone: true,
    needs: ["owner", "create-organizations", "create-databases"],
    run: async (context) => {
      await context.requireTokenAccessToData();
      const { organizationId, ...own } = await createDedicatedOrganization(context);
      let { as } = own;
      const { databaseId } = await context.resources.createDatabase({ as });
      const body = { partitionKey: context.resources.createName() };
      const ask = () =>
        context.call("queryItems", { as, path: { databaseId }, body, intent: "may-be-refused" });
      for (let sent = 1; sent <= 200 + 10 * context.runs; sent++) {
        let response = await ask();
        // Daily limits end on the next day.
        if (response.status === 429 && context.offers("control-plane")) {
          await context.control.advance("P1D");
          const login = await context.actors.getLogin("owner");
          as = await context.actors.logIn({ ...login, organizationId }, "owner the next day");
          response = await ask();
        } else if (response.status === 429)
          throw new RunError(`request ${sent} was throttled by a rate limit or by the monthly limit`);
        context.assertStatus("BILL-26", response, 200);
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
      // Only a personal organization is known to begin on the free plan.
      const { login, ...customer } = await createNewUser(context);
      const checkout = await context.call("createCheckout", { as: customer.as, body: { planType: "pro" } });
      // The checkout may change the plan immediately.
      if ((await getPlan(context, customer)) !== "pro")
        await context.control.call("completeCheckout", { path: { checkoutId: checkout.body.checkoutId } });
      const info = await readSubscription(context, "BILL-06", "getPaymentInfo", customer);
      const { trialDays } = planTerms.pro;
      if (info.body.status !== "trialing") context.notOffered("the checkout does not start a trial");
      const readStatusAfter = async (duration: string) => {
        await context.control.advance(duration);
        const as = await context.actors.logIn(login, "trial");
        return (await context.assertSuccess("BILL-25", "getPaymentStatus", { as })).body;
      };
      const last = await readStatusAfter(`P${trialDays - 2}DT23H`);
      context.assertEqual("BILL-25", last.status, "trialing", "the status a day before the trial ends");
      context.assertEqual("BILL-13", last.isTrial, true, "isTrial a day before the trial ends");
      const after = await readStatusAfter("P2D");
      context.assert("BILL-25", after.status !== "trialing", "no trial after 14 days", after.status);
    },
  },
  {
    id: "billing/usage",
    title: "Usage reports the number of databases in the organization",
    clauses: ["BILL-15", "BILL-16"],
    // Other checks create databases.
    alone: true,
    needs: ["owner", "database"],
    run: async (context) => {
      await context.resources.getDatabase();
      const readUsage = async (): Promise<DatabaseUsage> => {
        const usage = (await context.assertSuccess("BILL-15", "getUsage")).body;
        const generatedAt = assertTimestamp(context, usage.generatedAt, "generatedAt");
        for (const [start, end] of [
          ["billingPeriodStart", "billingPeriodEnd"],
          ["periodStart", "periodEnd"],
        ] as const) {
          const duration =
            assertTimestamp(context, usage[end], end) - assertTimestamp(context, usage[start], start);
          context.assert("BILL-15", duration >= 0, `${start} before ${end}`, usage);
        }
        return { count: usage.databaseCount as number, generatedAt };
      };
      const assertCount = async (when: string, before?: DatabaseUsage): Promise<DatabaseUsage> => {
        // Databases that are being deleted may count or not.
        const all = await readPages(context, { ...databaseList, includes: () => true });
        const { ids } = await readPages(context, databaseList);
        const isPossible = ({ count }: DatabaseUsage) => count >= ids.length && count <= all.ids.length;
        const usage = await readUntil(context, readUsage, isPossible);
        const creationTimes = all.entries.map(({ createdAt }) =>
          assertTimestamp(context, createdAt, "createdAt of a database"),
        );
        // The count may be outdated, as its time shows.
        const isOutdated =
          creationTimes.some((createdAt) => usage.generatedAt < createdAt) ||
          isDeepStrictEqual(usage, before);
        const expected = `databaseCount ${ids.length} ${when}`;
        context.assert("BILL-16", isPossible(usage) || isOutdated, expected, usage);
        return usage;
      };
      await assertCount("at first");
      if (!context.offers("create-databases")) return;
      const { databaseId } = await context.resources.createDatabase();
      const withDatabase = await assertCount("after another database was created");
      await context.resources.remove("database", databaseId);
      await assertCount("after that database was deleted", withDatabase);
    },
  },
);

interface DatabaseUsage {
  readonly count: number;
  /** The time of the count, in milliseconds since 1970. */
  readonly generatedAt: number;
}

/** Asserts that a value is a URL, which may be relative. */
function assertUrl(
  context: CheckContext,
  clause: "BILL-03" | "BILL-08" | "BILL-11",
  value: unknown,
  what: string,
): void {
  const isUrl = typeof value === "string" && /^(?:[a-z][a-z0-9+.-]*:|\.{0,2}\/)/i.test(value);
  context.assert(clause, isUrl && URL.canParse(value, "http://localhost"), `a URL in ${what}`, value);
}

/** Fields of a payment status that follow from its status. */
const impliedFields: Readonly<Record<string, object>> = {
  trialing: { isTrial: true },
  active: { isActive: true, isTrial: false },
  incomplete: { isActive: false },
};

/** Asserts that the payment status of a customer is consistent, and returns it. */
async function assertPaymentStatus(context: CheckContext, customer: Customer) {
  const { body } = await readSubscription(context, "BILL-12", "getPaymentStatus", customer);
  context.markExercised("BILL-04", "BILL-14");
  const implied = impliedFields[body.status as string] ?? {};
  context.assertFields("BILL-13", body, implied, `a payment status of ${body.status}`);
  const info = await context.call("getPaymentInfo", { as: customer.as });
  if (info.status !== 200) return body;
  context.assertEqual("BILL-06", info.body.organizationId, customer.organizationId, "the organizationId");
  context.assertEqual("BILL-04", info.body.status, body.status, "the status in payment info");
  const catalog = parsePlanList((await context.call("listPlans", { as: anonymous })).body) ?? [];
  const namedPlan = catalog.find(({ name }) => name === info.body.planName)?.planType;
  // The organization may have another plan than its subscription.
  if (namedPlan !== undefined && ["active", "trialing"].includes(body.status)) {
    const possible = [...new Set([namedPlan, await getPlan(context, customer)])];
    const expected = `the planType in payment info or in the organization, ${possible.join(" or ")}`;
    context.assert("BILL-14", possible.includes(body.planType), expected, body.planType);
  }
  return body;
}
