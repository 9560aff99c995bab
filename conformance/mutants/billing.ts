import { claimsOf } from "../client/claims.js";
import { changed, type Json } from "./intercept.js";
import { mutant } from "./mutant.js";
import { refusal } from "./refusal.js";

const plan = (body: Json, planType: string): Json =>
  [body].flat().find((entry: Json) => entry.planType === planType);

export const planMutants = [
  mutant(
    "plans/no-enterprise",
    "BILL-18",
    "The catalog leaves the enterprise plan out",
    ["listPlans"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.splice(
          body.findIndex((entry: Json) => entry.planType === "enterprise"),
          1,
        );
      }),
  ),
  mutant(
    "plans/single-shows-another",
    "BILL-19",
    "A single plan is always the first",
    ["getPlan"],
    () => async (wire) => {
      const { body } = await wire.ask("GET", "/api/v1/plans");
      const answer = await wire.send();
      return answer.status === 200 ? { ...answer, body: body[0] } : answer;
    },
  ),
  mutant(
    "plans/unknown-is-free",
    "BILL-19",
    "An unknown planId answers the free plan",
    ["getPlan"],
    () => async (wire) => {
      const answer = await wire.send();
      if (answer.status === 200) return answer;
      const { body } = await wire.ask("GET", "/api/v1/plans");
      return { status: 200, headers: {}, body: plan(body, "free") };
    },
  ),
  mutant(
    "plans/without-sort-order",
    "BILL-20",
    "Plans have no sortOrder",
    ["listPlans"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        for (const entry of body) delete entry.sortOrder;
      }),
  ),
  mutant(
    "plans/free-storage",
    "BILL-21",
    "The free plan has 1 GB",
    ["listPlans", "getPlan"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        const free = plan(body, "free");
        if (free) free.limits.maxStorageGb = 1;
      }),
  ),
  mutant(
    "plans/pro-trial",
    "BILL-22",
    "The pro plan promises a trial of 15 days",
    ["listPlans", "getPlan"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        const pro = plan(body, "pro");
        if (pro) pro.trialDays = 15;
      }),
  ),
  mutant(
    "plans/pro-yearly",
    "BILL-22",
    "A year of pro costs twelve months",
    ["listPlans", "getPlan"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        const pro = plan(body, "pro");
        if (pro) pro.yearlyPriceCents = pro.monthlyPriceCents * 12;
      }),
  ),
  mutant(
    "plans/enterprise-limits",
    "BILL-23",
    "The enterprise plan has limits",
    ["listPlans", "getPlan"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        const enterprise = plan(body, "enterprise");
        if (enterprise)
          enterprise.limits = {
            maxDatabases: 1000,
            maxStorageGb: 1000,
            maxRequestsPerMonth: 1e9,
            maxTeamMembers: 1000,
          };
      }),
  ),
  mutant(
    "plans/for-users-only",
    "BILL-24",
    "A single plan needs a credential",
    ["getPlan"],
    () => async (wire) => (wire.credential === undefined ? refusal(401) : wire.send()),
  ),
];

export const billingMutants = [
  mutant(
    "billing/month-thirteen",
    "GEN-01",
    "expiresAt of the portal is in a month that there is not",
    ["getPaymentPortal"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.expiresAt = "2030-13-01T00:00:00Z";
      }),
  ),
  mutant(
    "billing/invoice-number-for-url",
    "BILL-03",
    "invoicePdfUrl holds the number of the invoice",
    ["getPaymentInfo"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.latestOrder.invoicePdfUrl = body.latestOrder.invoiceNumber;
      }),
  ),
  mutant(
    "billing/info-without-trial",
    "BILL-01",
    "Payment info has no trialEnd",
    ["getPaymentInfo"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        delete body.trialEnd;
      }),
  ),
  mutant(
    "billing/product-without-benefits",
    "BILL-02",
    "The product has no benefits",
    ["getPaymentInfo"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        delete body.product.benefits;
      }),
  ),
  mutant(
    "billing/order-unpaid-text",
    "BILL-03",
    "Whether the order is paid is told as a text",
    ["getPaymentInfo"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.latestOrder.paid = String(body.latestOrder.paid);
      }),
  ),
  mutant(
    "billing/unpaid-status",
    "BILL-04",
    "A past_due subscription has the status unpaid",
    ["getPaymentInfo", "getPaymentStatus"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (body.status === "past_due") body.status = "unpaid";
      }),
  ),
  mutant(
    "billing/active-in-info",
    "BILL-04",
    "Payment info says active of a trial",
    ["getPaymentInfo"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (body.status === "trialing") body.status = "active";
      }),
  ),
  mutant(
    "billing/amount-in-euros",
    "BILL-05",
    "Amounts are in major units",
    ["getPaymentInfo"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.amount = body.amount / 100 + 0.5;
      }),
  ),
  mutant(
    "billing/prices-in-dollars",
    "BILL-05",
    "All amounts are whole dollars",
    ["getPaymentInfo"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        for (const priced of [body, body.latestOrder, ...body.product.prices])
          priced.amount = Math.round(priced.amount / 100);
      }),
  ),
  mutant(
    "billing/always-in-trial",
    "BILL-13",
    "isActive and isTrial are always true",
    ["getPaymentStatus"],
    () => async (wire) =>
      changed(await wire.send(), (body) => Object.assign(body, { isActive: true, isTrial: true })),
  ),
  mutant(
    "billing/incomplete-is-active",
    "BILL-13",
    "isActive is true before the setup is complete",
    ["getPaymentStatus"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (body.status === "incomplete") body.isActive = true;
      }),
  ),
  ...([403, 429] as const).map((status) =>
    mutant(
      `billing/hundred-requests-${status}`,
      "BILL-26",
      `A month has 100 requests, told with ${status}`,
      ["queryItems"],
      () => {
        const sent = new Map<string | undefined, number>();
        return async (wire) => {
          // what a token is for stays the same when it is issued anew
          const { org } = claimsOf(wire.credential);
          sent.set(org, (sent.get(org) ?? 0) + 1);
          return (sent.get(org) ?? 0) > 100 ? refusal(status) : wire.send();
        };
      },
    ),
  ),
  mutant(
    "billing/info-of-somebody",
    "BILL-06",
    "Payment info is that of the first who asked",
    ["getPaymentInfo"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.organizationId = `${String(body.organizationId)}0`;
      }),
  ),
  mutant(
    "billing/relative-checkout",
    "BILL-08",
    "checkoutUrl is a path",
    ["createCheckout"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.checkoutUrl = new URL(body.checkoutUrl as string).pathname;
      }),
  ),
  mutant(
    "billing/checkout-for-free",
    "BILL-09",
    "A checkout for the free plan is one for pro",
    ["createCheckout"],
    () => async (wire) =>
      wire.body?.planType === "free" ? wire.send({ body: { planType: "pro" } }) : wire.send(),
  ),
  mutant(
    "billing/checkout-by-prefix",
    "BILL-09",
    "A checkout takes plan types by their first letters",
    ["createCheckout"],
    () => async (wire) =>
      typeof wire.body?.planType === "string"
        ? wire.send({ body: { planType: wire.body.planType.replace(/^pro.*/, "pro") } })
        : wire.send(),
  ),
  mutant(
    "billing/downgrade-by-checkout",
    "BILL-27",
    "A checkout for a lower plan puts it in force",
    ["createCheckout", "getOrganization"],
    () => {
      const lowered = new Set<string | undefined>();
      return async (wire) => {
        const answer = await wire.send();
        if (wire.operationId === "createCheckout" && answer.status === 409)
          lowered.add(claimsOf(wire.credential).org);
        return lowered.has(wire.path.organizationId)
          ? changed(answer, (body) => (body.plan = "pro"))
          : answer;
      };
    },
  ),
  mutant(
    "billing/portal-without-end",
    "BILL-11",
    "The portal link never ends",
    ["getPaymentPortal"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.expiresAt = null;
      }),
  ),
  mutant(
    "billing/status-without-expiry",
    "BILL-12",
    "The status has no expiresAt",
    ["getPaymentStatus"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        delete body.expiresAt;
      }),
  ),
  mutant(
    "billing/trial-is-not-active",
    "BILL-13",
    "isTrial is false while a subscription is trialing",
    ["getPaymentStatus"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.isTrial = false;
      }),
  ),
  mutant(
    "billing/active-is-not",
    "BILL-13",
    "isActive is false for an active subscription of the pro plan",
    ["getPaymentStatus"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (body.status === "active" && body.planType === "pro") body.isActive = false;
      }),
  ),
  mutant(
    "billing/plan-of-yesterday",
    "BILL-14",
    "planType of the status stays what a token first got to see",
    ["getPaymentStatus"],
    () => {
      const first = new Map<string | undefined, string>();
      return async (wire) =>
        changed(await wire.send(), (body) => {
          const known = first.get(wire.credential) ?? (body.planType as string);
          first.set(wire.credential, known);
          body.planType = known;
        });
    },
  ),
  mutant(
    "billing/usage-period-reversed",
    "BILL-15",
    "The billing period ends before it begins",
    ["getUsage"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        [body.billingPeriodStart, body.billingPeriodEnd] = [body.billingPeriodEnd, body.billingPeriodStart];
      }),
  ),
  mutant("billing/usage-counts-deleted", "BILL-16", "Deleted databases are counted", ["getUsage"], () => {
    let most = 0;
    return async (wire) =>
      changed(await wire.send(), (body) => {
        most = Math.max(most, body.databaseCount as number);
        body.databaseCount = most;
      });
  }),
  mutant(
    "billing/longer-trial",
    "BILL-25",
    "A trial lasts 15 days",
    ["getPaymentInfo"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (body.trialEnd !== null)
          body.trialEnd = new Date(Date.parse(body.trialEnd as string) + 86_400_000).toISOString();
      }),
  ),
  mutant(
    "billing/trial-goes-on",
    "BILL-25",
    "The status stays trialing after the trial",
    ["getPaymentStatus"],
    () => {
      let wasTrial = false;
      return async (wire) =>
        changed(await wire.send(), (body) => {
          if (wasTrial && body.planType === "pro") {
            body.isTrial = true;
            body.status = "trialing";
          }
          wasTrial ||= body.isTrial === true;
        });
    },
  ),
];
