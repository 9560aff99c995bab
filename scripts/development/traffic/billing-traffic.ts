import type { billingOperations } from "../../../openapi/operations/billing.js";
import type { planOperations } from "../../../openapi/operations/plans.js";
import { type Call, refused, type Traffic } from "./traffic.js";
import { sender, type World } from "./traffic-world.js";

/** Subscriptions in every state, checkouts, usage and the plan catalog. */
export function billingTraffic({
  emulator,
  owner,
  readonly,
  ids: { organizationId },
}: World): Traffic<keyof typeof billingOperations | keyof typeof planOperations> {
  const { subscriptions, checkouts } = emulator;
  type Change = Parameters<typeof subscriptions.change>[1];
  const after = (change: Change): Call => ({
    status: 200,
    before: () => void subscriptions.change(organizationId, change),
  });
  const free = after({ plan: "free" });
  const trial: Call = {
    status: 200,
    before: async () => {
      subscriptions.change(organizationId, { plan: "free" });
      const send = sender(emulator, owner.accessToken);
      const checkout = await send<{ checkoutId: string }>("/api/v1/payment/checkout", { planType: "pro" });
      checkouts.complete(checkout.checkoutId);
    },
  };
  const states = [
    { status: 200 },
    { status: 200, credential: readonly },
    free,
    after({ plan: "enterprise" }),
    trial,
    after({ status: "past_due" }),
    after({ status: "canceled" }),
    after({ status: "incomplete" }),
    after({ cancelAtPeriodEnd: true }),
  ];
  return {
    getPaymentInfo: states,
    createCheckout: [
      { status: 200 },
      { status: 200, body: { planType: "enterprise" } },
      free,
      { status: refused("validation-failed"), body: { planType: "free" } },
    ],
    getPaymentPortal: [{ status: 200 }, free],
    getPaymentStatus: states,
    getUsage: [{ status: 200 }, { status: 200, credential: readonly }, free, trial],
    listPlans: [{ status: 200 }],
    getPlan: [
      { status: 200 },
      { status: 200, parameters: { planId: "plan_pro" } },
      { status: 200, parameters: { planId: "plan_enterprise" } },
    ],
  };
}
