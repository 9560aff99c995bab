import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { isRefused } from "../client/is-refused.js";
import { type PlanType, planTerms, planTypes } from "../../openapi/clauses/limits.js";
import type { OperationId } from "../../openapi/operations/register.js";
import { anonymous, type Answer, type Caller, impostor } from "../client/client.js";
import { defineChecks } from "../check/check.js";
import type { CheckContext } from "../check/context.js";
import { RunError } from "../client/violation.js";
import { plansOf } from "../steps/plan-list.js";
import { eventually } from "../steps/eventually.js";
import { newcomer, ownOrganization } from "../steps/newcomer.js";
import { databasePages, readPages } from "../steps/pages.js";
import { assertTimestamp, millisecondsBetween } from "../steps/timestamps.js";

const statuses = ["active", "trialing", "past_due", "canceled", "incomplete"] as const;
const dayMs = 86_400_000;

/** Ends the check where a request was refused that is about a subscription: an organization of the free plan may have none. */
async function needSubscription(
  context: CheckContext,
  answer: Answer,
  organizationId: string,
  as: Caller,
): Promise<void> {
  if (isRefused(answer) && (await planOf(context, organizationId, as)) === "free")
    context.notOffered("the organization has the free plan, and the deployment no subscription for that");
}

/** Payment info of an organization. */
async function paymentInfo(context: CheckContext, organizationId: string, as: Caller) {
  const answer = await context.call("getPaymentInfo", { as });
  await needSubscription(context, answer, organizationId, as);
  return context.assertStatus("BILL-06", answer, 200).body;
}

async function planOf(context: CheckContext, organizationId: string, as?: Caller): Promise<PlanType> {
  const path = { organizationId };
  const answer = await context.call("getOrganization", { path, ...(as === undefined ? {} : { as }) });
  return answer.body.plan as PlanType;
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

/** Payment info as far as prices go. */
interface PricedInfo {
  readonly currency: string;
  readonly amount: number;
  readonly product: { readonly prices: readonly { readonly amount: number }[] };
}

/** Asserts that one instant is a given time after another, to the second. */
function apart(from: unknown, to: unknown): number {
  return Math.round(millisecondsBetween(from, to) / 1000) * 1000;
}

/** Asserts that a credential that nobody issued does not let in. */
function assertCredential(context: CheckContext, operationId: OperationId): Promise<Answer> {
  return context.assertRefusal("AUTH-16", operationId, { as: impostor }, "the credential is unknown");
}

/** Parts 2, 3, 4.7 and 8: subscription, checkout, portal, status and usage. */
export const billingChecks = defineChecks(
  {
    id: "billing/payment-info",
    title: "Payment info is that of the organization the token is for",
    clauses: ["BILL-01", "BILL-02", "BILL-03", "BILL-04", "BILL-05", "BILL-06"],
    needs: ["owner"],
    run: async (context) => {
      const organizationId = await context.actors.organizationOf("owner");
      const info = await paymentInfo(context, organizationId, await context.actor("owner"));
      context.assertEqual("BILL-06", info.organizationId, organizationId, "the organizationId");
      context.assert("BILL-01", info.subscriptionId !== "", "a subscriptionId", info.subscriptionId);
      const [start, end] = [info.currentPeriodStart, info.currentPeriodEnd].map((time: unknown) =>
        assertTimestamp(context, time, "the bounds of the current period"),
      );
      context.assert(
        "BILL-01",
        Number(end) > Number(start),
        "a current period that ends after it begins",
        info,
      );
      assertTimestamp(context, info.latestOrder.createdAt, "createdAt of the latest order");
      const { invoicePdfUrl } = info.latestOrder;
      // there may be no invoice yet
      if (invoicePdfUrl !== "") assertAddress(context, "BILL-03", invoicePdfUrl, "invoicePdfUrl");
      context.assert("BILL-04", statuses.includes(info.status), `one of ${statuses.join(", ")}`, info.status);
      const amounts = [
        info.amount,
        info.latestOrder.amount,
        ...info.product.prices.map((price: { amount: unknown }) => price.amount),
      ];
      for (const amount of amounts)
        context.assert("BILL-05", Number.isInteger(amount), "a whole number of minor units", amount);
      assertMinorUnits(context, info, await planOf(context, organizationId));
      for (const price of info.product.prices)
        context.assert(
          "BILL-02",
          typeof price.id === "string" && typeof price.currency === "string",
          "prices with id and currency",
          price,
        );
      context.assert(
        "BILL-02",
        Array.isArray(info.product.benefits),
        "benefits of the product",
        info.product,
      );
      context.assert(
        "BILL-03",
        typeof info.latestOrder.paid === "boolean",
        "whether the latest order is paid",
        info.latestOrder,
      );
    },
  },
  {
    id: "billing/checkout",
    title: "A checkout leads somewhere",
    clauses: ["BILL-08"],
    needs: ["owner", "checkout"],
    run: async (context) => {
      // whether a checkout changes the plan by itself is not said: an organization of its own takes no harm
      const own = context.offers("control-plane") ? await ownOrganization(context) : undefined;
      const as = own?.as ?? (await context.actor("owner"));
      const organizationId = own?.organizationId ?? (await context.actors.organizationOf("owner"));
      const before = await planOf(context, organizationId);
      let started = 0;
      for (const planType of ["pro", "enterprise"] as const) {
        const answer = await context.call("createCheckout", { as, body: { planType } });
        // a checkout for the plan that one has may be refused, and downgrades go through the portal
        if ((planType === before || before === "enterprise") && isRefused(answer)) continue;
        started++;
        context.assertStatus("BILL-08", answer, 200);
        assertAddress(context, "BILL-08", answer.body.checkoutUrl, "checkoutUrl");
        for (const member of ["checkoutId", "productId"])
          context.assert("BILL-08", answer.body[member] !== "", `a ${member}`, answer.body);
      }
      if (started === 0 && before === "enterprise")
        context.notOffered("the organization has the largest plan, which no checkout leads out of");
      context.assert("BILL-08", started > 0, "a checkout for one plan or the other", "none");
    },
  },
  {
    id: "billing/lower-plan",
    title: "A checkout for a lower plan leaves the plan as it is",
    clauses: ["BILL-27"],
    needs: ["owner", "checkout"],
    run: async (context) => {
      const isOwn = context.offers("control-plane");
      const { organizationId, as } = isOwn
        ? await ownOrganization(context)
        : { organizationId: await context.actors.organizationOf("owner"), as: await context.actor("owner") };
      const path = { organizationId };
      if (isOwn) await context.control.call("changeSubscription", { path, body: { plan: "enterprise" } });
      if ((await planOf(context, organizationId, as)) !== "enterprise")
        context.notOffered("there is no lower plan that a checkout is for");
      // refused or not: downgrades go through the portal
      await context.call("createCheckout", { as, body: { planType: "pro" }, intent: "invalid" });
      const after = await planOf(context, organizationId, as);
      context.assertEqual("BILL-27", after, "enterprise", "the plan after a checkout for a lower one");
    },
  },
  {
    id: "billing/checkout-by-role",
    title: "Admin and readonly start no checkout",
    clauses: ["BILL-17"],
    needs: ["owner", "admin", "readonly", "checkout"],
    run: async (context) => {
      const organizationId = await context.actors.organizationOf("owner");
      const before = await planOf(context, organizationId);
      const plans = ["pro", "enterprise"] as const;
      for (const role of ["admin", "readonly"] as const)
        for (const planType of plans) {
          const as = await context.actor(role);
          const answer = await context.call("createCheckout", { as, body: { planType }, intent: "invalid" });
          context.assertRefused("BILL-17", answer, `${role} does not manage billing`);
        }
      // the plan of the subscription need not be that of the organization: one of them may be no larger
      let own = await context.call("createCheckout", { body: { planType: plans[0] } });
      if (isRefused(own)) own = await context.call("createCheckout", { body: { planType: plans[1] } });
      // nothing may be left to buy
      if (before === "enterprise" && isRefused(own))
        context.notOffered("the organization has the largest plan, which no checkout leads out of");
      context.assertStatus("BILL-17", own, 200);
    },
  },
  {
    id: "billing/refused-checkouts",
    title: "A checkout for anything but pro and enterprise is refused",
    clauses: ["BILL-09"],
    needs: ["owner", "checkout"],
    run: async (context) => {
      // where another plan can be bought, so that nothing else is in the way
      const { as } = context.offers("control-plane")
        ? await ownOrganization(context)
        : { as: await context.actor("owner") };
      const refuse = async (body: unknown) =>
        context.assertRefused(
          "BILL-09",
          await context.call("createCheckout", { as, body, intent: "invalid" }),
          "planType is neither pro nor enterprise",
        );
      for (const body of [
        {},
        { planType: "free" },
        { planType: "" },
        { planType: "professional" },
        { plan: "pro" },
      ])
        await refuse(body);
      await context.property(
        [
          fc
            .string({ minLength: 1, maxLength: 12 })
            // what a deployment that looks past case and white space would take for one of them
            .filter((text) => !["pro", "enterprise"].includes(text.trim().toLowerCase())),
        ],
        async (planType) => {
          await refuse({ planType });
        },
        { names: ["planType"], share: 0.5 },
      );
    },
  },
  {
    id: "billing/portal",
    title: "The portal has an address and a time until which it works",
    clauses: ["AUTH-16", "BILL-11"],
    needs: ["owner", "checkout"],
    run: async (context) => {
      const answer = await context.call("getPaymentPortal");
      const organizationId = await context.actors.organizationOf("owner");
      await needSubscription(context, answer, organizationId, await context.actor("owner"));
      context.assertStatus("BILL-11", answer, 200);
      assertAddress(context, "BILL-11", answer.body.portalUrl, "portalUrl");
      assertTimestamp(context, answer.body.expiresAt, "expiresAt");
      await assertCredential(context, "getPaymentPortal");
    },
  },
  {
    id: "billing/status",
    title: "The status fits the subscription and the plan of the organization",
    clauses: ["AUTH-16", "BILL-04", "BILL-12", "BILL-13", "BILL-14"],
    needs: ["owner"],
    run: async (context) => {
      const organizationId = await context.actors.organizationOf("owner");
      await assertStatusFits(context, organizationId, await context.actor("owner"));
      await assertCredential(context, "getPaymentStatus");
    },
  },
  {
    id: "billing/every-status",
    title: "Every status of a subscription is told alike by status and payment info, and plans by both",
    clauses: ["BILL-04", "BILL-05", "BILL-12", "BILL-13", "BILL-14"],
    needs: ["owner", "create-organizations", "control-plane"],
    run: async (context) => {
      const { organizationId, as } = await ownOrganization(context);
      const path = { organizationId };
      await context.property(
        [fc.constantFrom("pro" as const, "enterprise" as const), fc.constantFrom(...statuses)],
        async (plan, status) => {
          await context.control.call("changeSubscription", { path, body: { plan } });
          await context.control.call("changeSubscription", { path, body: { status } });
          const seen = await assertStatusFits(context, organizationId, as);
          context.assertEqual("BILL-04", seen.status, status, "the status");
          assertMinorUnits(context, (await paymentInfo(context, organizationId, as)) as PricedInfo, plan);
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
    title: "Payment info shows 14 days of trial under the pro plan",
    clauses: ["BILL-25"],
    needs: ["owner"],
    run: async (context) => {
      const organizationId = await context.actors.organizationOf("owner");
      const places = [{ organizationId, as: await context.actor("owner") }];
      if (context.offers("create-organizations") && context.offers("checkout")) {
        const own = await ownOrganization(context);
        const checkout = await context.call("createCheckout", {
          as: own.as,
          body: { planType: "pro" },
          intent: "invalid",
        });
        // elsewhere it begins a trial by itself, or when somebody has paid
        const isDone = (await planOf(context, own.organizationId, own.as)) === "pro" || isRefused(checkout);
        if (context.offers("control-plane") && !isDone)
          await context.control.call("completeCheckout", { path: { checkoutId: checkout.body.checkoutId } });
        places.push(own);
      }
      const { trialDays } = planTerms.pro;
      let seen = 0;
      for (const { organizationId: id, as } of places) {
        const { status, body } = await context.call("getPaymentInfo", { as });
        const isTrial = status === 200 && body.status === "trialing" && body.trialStart !== null;
        if (!isTrial || (await planOf(context, id, as)) !== "pro") continue;
        seen++;
        const length = apart(body.trialStart, body.trialEnd);
        // the last day may be counted to its end
        context.assert(
          "BILL-25",
          Math.abs(length - trialDays * dayMs) < dayMs,
          `a trial of ${trialDays} days`,
          `${length / dayMs} days`,
        );
      }
      if (seen === 0) context.notOffered("no organization of the run is in a trial of the pro plan");
    },
  },
  {
    id: "billing/requests",
    title: "An organization can make hundreds of requests",
    clauses: ["BILL-26"],
    // it may move the clock by a day
    alone: true,
    needs: ["owner", "create-organizations", "create-databases"],
    run: async (context) => {
      await context.needTokensForData();
      const { organizationId, ...own } = await ownOrganization(context);
      let { as } = own;
      const { databaseId } = await context.resources.newDatabase({ as });
      const body = { partitionKey: context.resources.name() };
      const ask = () => context.call("queryItems", { as, path: { databaseId }, body, intent: "invalid" });
      for (let sent = 1; sent <= 200 + 10 * context.runs; sent++) {
        let answer = await ask();
        // on the next day no rate limit is in the way
        if (answer.status === 429 && context.offers("control-plane")) {
          await context.control.advance("P1D");
          const login = await context.actors.login("owner");
          const { accessToken } = await context.actors.begin({ ...login, organizationId }, "next day");
          as = { name: "owner on the next day", credential: accessToken };
          answer = await ask();
        } else if (answer.status === 429)
          throw new RunError(`request ${sent} was throttled: that may be a rate limit, or the month's end`);
        context.assertStatus("BILL-26", answer, 200);
      }
      await context.call("deleteDatabase", { as, setUp: true, path: { databaseId } });
      await context.resources.untilGone(databaseId, { as });
    },
  },
  {
    id: "billing/trial",
    title: "The trial of the pro plan lasts 14 days",
    clauses: ["BILL-13", "BILL-25"],
    needs: ["control-plane"],
    run: async (context) => {
      // others than the newcomer's organization may begin on the pro plan, without a trial
      const { login, organizationId, as } = await newcomer(context);
      const checkout = await context.call("createCheckout", { as, body: { planType: "pro" } });
      // a checkout may change the plan by itself
      if ((await planOf(context, organizationId, as)) !== "pro")
        await context.control.call("completeCheckout", { path: { checkoutId: checkout.body.checkoutId } });
      const info = await paymentInfo(context, organizationId, as);
      const { trialDays } = planTerms.pro;
      if (info.status !== "trialing") context.notOffered("no trial begins with the checkout");
      const statusAfter = async (duration: string) => {
        await context.control.advance(duration);
        const { accessToken } = await context.actors.begin(login, "trial");
        const answer = await context.call("getPaymentStatus", {
          as: { name: "trial", credential: accessToken },
        });
        return context.assertStatus("BILL-25", answer, 200).body;
      };
      const late = await statusAfter(`P${trialDays - 2}DT23H`);
      context.assertEqual("BILL-25", late.status, "trialing", "the status on the day before the last");
      context.assertEqual("BILL-13", late.isTrial, true, "isTrial on the day before the last");
      const over = await statusAfter("P2D");
      context.assert("BILL-25", over.status !== "trialing", "no trial after 14 days", over.status);
    },
  },
  {
    id: "billing/usage",
    title: "Usage counts the databases of the organization",
    clauses: ["AUTH-16", "BILL-15", "BILL-16"],
    // others create databases
    alone: true,
    needs: ["owner", "database"],
    run: async (context) => {
      await context.resources.database();
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
      /** Figures may be of an earlier time, as they say: then they tell nothing of what is there now. */
      const assertCount = async (when: string, before?: Figures): Promise<Figures> => {
        // one on its way out may count or not, and figures may lag
        const whole = await readPages(context, { ...databasePages, counts: () => true });
        const { ids } = await readPages(context, databasePages);
        const agrees = ({ count }: Figures) => count >= ids.length && count <= whole.ids.length;
        const seen = await eventually(context, look, agrees);
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
      const { databaseId } = await context.resources.newDatabase();
      const withIt = await assertCount("after another was created");
      await context.call("deleteDatabase", { path: { databaseId } });
      await context.resources.untilGone(databaseId);
      await assertCount("after it was deleted", withIt);
      await assertCredential(context, "getUsage");
    },
  },
);

/** What usage says of databases, and as of when. */
interface Figures {
  readonly count: number;
  readonly generatedAt: number;
}

/** Asserts an address, which may be relative to the page it is on: what leads nowhere, from no page, is none. */
function assertAddress(
  context: CheckContext,
  clause: "BILL-03" | "BILL-08" | "BILL-11",
  value: unknown,
  what: string,
): void {
  const isAddress = typeof value === "string" && /^(?:[a-z][a-z0-9+.-]*:|\.{0,2}\/)/i.test(value);
  context.assert(clause, isAddress && URL.canParse(value, "http://localhost"), `a URL in ${what}`, value);
}

/** Asserts that the status of an organization is of one piece, and returns it. */
async function assertStatusFits(context: CheckContext, organizationId: string, as: Caller) {
  const answer = await context.call("getPaymentStatus", { as });
  await needSubscription(context, answer, organizationId, as);
  const { body } = context.assertStatus("BILL-12", answer, 200);
  context.assert("BILL-04", statuses.includes(body.status), `one of ${statuses.join(", ")}`, body.status);
  if (body.status === "trialing")
    context.assertEqual("BILL-13", body.isTrial, true, "isTrial of a subscription that is trialing");
  if (body.status === "active") {
    context.assertEqual("BILL-13", body.isActive, true, "isActive of an active subscription");
    context.assertEqual("BILL-13", body.isTrial, false, "isTrial of a subscription that is paid");
  }
  if (body.status === "incomplete")
    context.assertEqual("BILL-13", body.isActive, false, "isActive of a subscription that is not set up");
  context.assert(
    "BILL-14",
    planTypes.includes(body.planType),
    `one of ${planTypes.join(", ")}`,
    body.planType,
  );
  context.assert("BILL-12", "expiresAt" in body, "expiresAt", body);
  const info = await context.call("getPaymentInfo", { as });
  if (info.status !== 200) return body;
  context.assertEqual("BILL-04", info.body.status, body.status, "the status of payment info");
  const catalog = plansOf((await context.call("listPlans", { as: anonymous })).body) ?? [];
  const named = catalog.find(({ name }) => name === info.body.planName)?.planType;
  // the plan of the organization need not be that of its subscription
  if (named !== undefined && ["active", "trialing"].includes(body.status)) {
    const known = [named, await planOf(context, organizationId, as)];
    const what = `planType of the plan that payment info or the organization has, ${known.join(" or ")}`;
    context.assert("BILL-14", known.includes(body.planType), what, body.planType);
  }
  return body;
}
