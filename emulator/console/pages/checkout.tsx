import {
  formatMoney,
  formatShortTime,
  DescriptionList,
  toTitleCase,
} from "../../../openapi/html/components.js";
import { attemptOrShowRefusal } from "../environment.js";
import { Form } from "../form.js";
import { Link, createPageHandler, usePage } from "../page.js";
import type { Schemas } from "../page-visit.js";
import { prepareReturnLinks, type ReturnLinks } from "./return-links.js";

type Checkout = Schemas["CheckoutState"];

/** Delays after which the plan takes effect, by the clock of the namespace. */
const delays = [
  ["", "Immediately"],
  ["PT1M", "After 1 minute"],
  ["PT10M", "After 10 minutes"],
  ["PT1H", "After 1 hour"],
  ["P1D", "After 1 day"],
] as const;

const cards = [
  [
    "accepted",
    <>
      Accepted card <code>4242 4242 4242 4242</code>
    </>,
  ],
  [
    "refused",
    <>
      Declined card <code>4000 0000 0000 0002</code>
    </>,
  ],
] as const;

/** The page at `checkoutUrl`. */
export const checkoutPage = createPageHandler(async (c, visit) => {
  const { checkoutId = "" } = c.req.param() as Record<string, string>;
  const params = { checkoutId };
  const returnLinks = await prepareReturnLinks(c);
  const { card, after = "" } = c.get("fields");
  // Only the form on this page pays; following a link changes nothing.
  if (card === "accepted") {
    const body = after === "" ? {} : { after };
    const payment = await attemptOrShowRefusal(c, () =>
      visit.call("completeCheckout", { params, body, isAction: true }),
    );
    if (payment !== undefined) return c.redirect(returnLinks.to("successUrl", checkoutId) ?? visit.self, 303);
  }
  const found = await visit.read("getCheckout", { params });
  const { organizationId, plan, amount, trialDays, completesAt, completedAt } = found;
  const buyer = await visit.findOrganization(organizationId);
  const isOpen = completedAt === null && completesAt === null;
  return {
    title: `Buy ${toTitleCase(plan)}`,
    isForCustomers: true,
    formQuery: { from: returnLinks.from },
    content: (
      <>
        <DescriptionList
          of={[
            ["Organization", buyer?.name ?? organizationId],
            ["Price", plan === "enterprise" ? "By agreement" : `${formatMoney(amount, "usd")} a month`],
            ["Trial", trialDays === 0 ? null : `${trialDays} days free`],
          ]}
        />
        {(card ?? visit.query.card) === "refused" && isOpen ? (
          <div class="notice bad" role="alert">
            <p>
              <strong>The card was declined.</strong> Nothing was charged, and the plan has not changed. Try
              another card.
            </p>
          </div>
        ) : null}
        {isOpen ? (
          <PayForm checkoutId={checkoutId} returnLinks={returnLinks} />
        ) : (
          <Paid checkout={found} address={returnLinks.to("successUrl", checkoutId)} />
        )}
      </>
    ),
  };
});

function PayForm({ checkoutId, returnLinks }: { checkoutId: string; returnLinks: ReturnLinks }) {
  const { visit } = usePage();
  return (
    <Form
      label="Payment"
      values={{ card: "accepted" }}
      fields={{
        card: { label: "Card", type: "radio", options: cards },
        after: {
          label: "Plan takes effect",
          options: delays,
          hint: "The delay follows the namespace's clock. In the real service, a plan often takes effect some time after the payment.",
        },
      }}
    >
      <div class="buttons">
        <button class="main">Pay</button>
        <a class="button" href={returnLinks.to("cancelUrl", checkoutId) ?? visit.link("/billing")}>
          Cancel
        </a>
      </div>
    </Form>
  );
}

function Paid({ checkout: paid, address }: { checkout: Checkout; address: string | undefined }) {
  const { organizationId, plan, completesAt, completedAt } = paid;
  return (
    <>
      <div class="notice good" role="status">
        <p>
          <strong>Paid.</strong>{" "}
          {completesAt === null
            ? `The ${toTitleCase(plan)} plan has been in effect since ${formatShortTime(completedAt ?? "")}.`
            : `The ${toTitleCase(plan)} plan will take effect at ${formatShortTime(completesAt)} on the namespace's clock.`}
        </p>
      </div>
      {address === undefined ? (
        <p class="hint">
          After paying, users continue to the <code>successUrl</code> set with{" "}
          <code>PUT /_emulator/return-addresses</code>. If no URL is set, they return to the page they came
          from.
        </p>
      ) : null}
      <div class="buttons">
        {address === undefined ? null : (
          <a class="button main" href={address}>
            Continue
          </a>
        )}
        <Link to={`/portal/${encodeURIComponent(organizationId)}`} isButton>
          Manage the plan
        </Link>
      </div>
    </>
  );
}
