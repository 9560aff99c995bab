import type { billingGaps } from "../../openapi/gaps/billing.js";
import { formatValue } from "../check/context.js";
import { parsePlanList } from "../models/plan-list.js";
import type { ApiResponse, CallOptions, Caller } from "../client/client.js";
import {
  createAcceptanceObserver,
  createChoiceObserver,
  findRouteAnswer,
  createObserver,
} from "./create-observers.js";
import type { GapObservers } from "./observer.js";
import type { ObserverContext } from "./observer-context.js";

/** Returns whether each of the given callers is admitted. */
async function listAccepted(
  context: ObserverContext,
  operation: "getPaymentPortal" | "getUsage" | "getPaymentStatus" | "getPaymentInfo" | "createCheckout",
  names: readonly ("owner" | "admin" | "member" | "readonly")[],
  call: CallOptions = {},
): Promise<readonly boolean[]> {
  const observed: boolean[] = [];
  for (const name of names)
    observed.push(
      context.isAccepted(await context.tryCall(operation, { ...call, as: await context.actor(name) })),
    );
  return observed;
}

/**
 * Finds who may start a checkout if no larger plan exists: callers who are refused because of the plan, like the owner, and
 * not because of their role, like readonly.
 */
async function listRefusedOwners(
  context: ObserverContext,
  names: readonly ("admin" | "member" | "readonly")[],
): Promise<readonly boolean[]> {
  const ask = async (name: "owner" | (typeof names)[number]) => {
    const response = await checkout(context, await context.actor(name), "enterprise");
    if (context.isAccepted(response)) return "accepted";
    const { type, title, error, code } = (response.body ?? {}) as Readonly<Record<string, unknown>>;
    return JSON.stringify([response.status, type, title, error, code]);
  };
  const owners = await ask("owner");
  const others: string[] = [];
  for (const name of names) others.push(await ask(name));
  if (others.at(-1) === owners)
    context.undecided("a checkout for the organization's current plan is refused for every caller");
  return others.map((one) => one === owners);
}

/** The owner in a new organization. */
async function inNewOrganization(
  context: ObserverContext,
): Promise<{ readonly as: Caller; readonly organizationId: string }> {
  const organizationId = await context.resources.createOrganization();
  return { as: await context.ownerIn(organizationId), organizationId };
}

/** The owner in an organization on the free plan: a new organization or the personal organization. */
async function inFreeOrganization(context: ObserverContext): Promise<Caller> {
  const { as, organizationId } = await inNewOrganization(context);
  const plan = await getPlan(context, as, organizationId);
  if (plan === "free") return as;
  const { personalOrgId } = await context.check.actors.getSession("owner");
  const personally = await context.ownerIn(personalOrgId);
  const personal = await getPlan(context, personally, personalOrgId);
  if (personal === "free") return personally;
  return context.undecided(
    `no organization is on the free plan: a new organization is on ${plan}, and the owner's personal organization is on ${personal}`,
  );
}

async function getPlan(context: ObserverContext, as: Caller, organizationId: string): Promise<string> {
  return (await context.callSuccessfully("getOrganization", { as, path: { organizationId } })).body
    .plan as string;
}

function checkout(context: ObserverContext, as: Caller, planType = "pro"): Promise<ApiResponse> {
  return context.tryCall("createCheckout", { as, body: { planType } });
}

export const billingObservers = {
  "plans-route": createObserver([], (context) => findRouteAnswer(context, "plans-route", "listPlans", {})),
  "plan-route": createObserver({ needs: [], after: ["plans-route"] }, async (context) => {
    const { body, text } = await context.callSuccessfully("listPlans");
    const [plan] =
      parsePlanList(body) ??
      context.undecided(`the response contains no plans with a planId: ${formatValue(text)}`);
    if (plan === undefined) return context.undecided("the list of plans is empty");
    return findRouteAnswer(context, "plan-route", "getPlan", { path: { planId: plan.planId } });
  }),
  "billing-readers": createChoiceObserver(
    ["admin", "member", "readonly"],
    {
      members: [true, true, true],
      "owner-and-admin": [true, false, false],
      owner: [false, false, false],
    },
    async (context) => {
      const names = ["admin", "member", "readonly"] as const;
      const [usage, status, info] = [
        await listAccepted(context, "getUsage", names),
        await listAccepted(context, "getPaymentStatus", names),
        // An organization on the free plan may have no payment information.
        (await listAccepted(context, "getPaymentInfo", ["owner"]))[0] === true
          ? await listAccepted(context, "getPaymentInfo", names)
          : undefined,
      ];
      if (new Set([usage, status, info ?? status].map((one) => one.join())).size > 1)
        context.other({ usage, status, info }, "the same result for all three operations");
      return usage;
    },
  ),
  "billing-managers": createChoiceObserver(
    ["checkout", "admin", "member", "readonly"],
    { owner: [true, false, false, false], "owner-and-member": [true, false, true, false] },
    async (context) => {
      const names = ["owner", "admin", "member", "readonly"] as const;
      const portal = await listAccepted(context, "getPaymentPortal", names);
      // A checkout for the current plan may be refused for every caller.
      const plan = await getPlan(
        context,
        await context.actor("owner"),
        await context.getOrganizationId("owner"),
      );
      const checkout =
        plan === "enterprise"
          ? await listRefusedOwners(context, ["admin", "member", "readonly"])
          : await listAccepted(context, "createCheckout", names.slice(1), {
              body: { planType: plan === "pro" ? "enterprise" : "pro" },
            });
      return portal.slice(1).join() === checkout.join()
        ? portal
        : context.other(
            { portal, checkout: [undefined, ...checkout] },
            "the same result for both operations",
          );
    },
  ),
  "checkout-effect": createChoiceObserver(
    {
      needs: ["checkout", "create-organizations"],
      hidden: [
        {
          by: "new-organization-plan",
          when: (plan) => plan === "enterprise",
          because: "a new organization is on the largest plan, so no checkout is possible",
        },
      ],
    },
    { nothing: "as before", plan: "as checked out" },
    async (context) => {
      const { as, organizationId } = await inNewOrganization(context);
      const before = await getPlan(context, as, organizationId);
      const other = before === "pro" ? "enterprise" : "pro";
      await context.requireSuccess(checkout(context, as, other));
      const after = await getPlan(context, as, organizationId);
      if (after === before) return "as before";
      return after === other ? "as checked out" : after;
    },
  ),
  "payment-credential": createAcceptanceObserver(["key *"], ["jwt-or-api-key", "jwt"], async (context) => {
    await context.callSuccessfully("getPaymentStatus");
    await context.callSuccessfully("getUsage");
    const as = await context.check.actors.getKeyCaller("*");
    return [
      await context.tryCall("getPaymentStatus", { as, skipRenewal: true }),
      await context.tryCall("getUsage", { as, skipRenewal: true }),
    ];
  }),
  "free-subscription": createObserver(["create-organizations"], async (context) => {
    const as = await inFreeOrganization(context);
    const response = await context.tryCall("getPaymentInfo", { as });
    if (response.status === 404) return 404;
    const { amount } = (await context.requireSuccess(response)).body;
    return amount === 0 ? "zero-amount" : context.other(response.text, "an amount of 0, or 404");
  }),
} as const satisfies GapObservers<typeof billingGaps>;
