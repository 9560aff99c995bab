import type { Context } from "hono";
import type { components } from "../../../openapi/generated/control-plane-types.js";
import type { ConsoleApp, ConsoleEnvironment } from "../console-app.js";
import { type Refusal, generalRefusal } from "../field-problems.js";
import { Choice, Form } from "../form.js";
import { shortTime } from "../layout.js";
import { money } from "../money.js";
import { RefusalNotice } from "../notices.js";
import { PayDocument } from "../pay-document.js";
import { findReturnAddress, type ReturnAddress } from "../return-address.js";
import type { Visit } from "../visit.js";

type Checkout = components["schemas"]["CheckoutState"];

/** When the plan is in force, after paying: a duration on the clock of the namespace. */
const delays = [
  ["", "At once"],
  ["PT1M", "A minute later"],
  ["PT10M", "10 minutes later"],
  ["PT1H", "An hour later"],
  ["P1D", "A day later"],
] as const;

/** The page behind `checkoutUrl`: pay, be refused, or give up. */
export function mountCheckout(app: ConsoleApp): void {
  app.get("/checkout/:checkoutId", (c) => show(c, c.req.param("checkoutId")));

  app.post("/checkout/:checkoutId/pay", async (c) => {
    const visit = c.get("visit");
    const checkoutId = c.req.param("checkoutId");
    const { card, after, from } = c.get("fields");
    const page = `/checkout/${encodeURIComponent(checkoutId)}`;
    if (card !== "accepted") return c.redirect(visit.link(page, { card: "refused", from }), 303);
    const reply = await visit.ask("POST", `/_emulator/checkouts/${encodeURIComponent(checkoutId)}/complete`, {
      body: after === undefined || after === "" ? {} : { after },
    });
    if (!reply.isOk) return show(c, checkoutId, generalRefusal(reply));
    const back = await findReturnAddress(visit, from, undefined);
    return c.redirect(back.to("successUrl", checkoutId) ?? visit.link(page), 303);
  });
}

async function show(
  c: Context<ConsoleEnvironment>,
  checkoutId: string,
  refusal?: Refusal,
): Promise<Response> {
  const visit = c.get("visit");
  const reply = await visit.ask("GET", `/_emulator/checkouts/${encodeURIComponent(checkoutId)}`);
  if (!reply.isOk) {
    c.status(404);
    return c.html(<Missing visit={visit} />);
  }
  const checkout = reply.body as Checkout;
  const back = await findReturnAddress(
    visit,
    c.get("fields").from ?? c.req.query("from"),
    c.req.header("referer"),
  );
  c.set("formTargets", back.origins());
  const buyer = (await visit.organizations()).find((one) => one.organizationId === checkout.organizationId);
  if (refusal !== undefined) c.status(409);
  return c.html(
    <CheckoutPage
      visit={visit}
      checkout={checkout}
      buyer={buyer?.name ?? checkout.organizationId}
      back={back}
      isRefused={c.req.query("card") === "refused"}
      refusal={refusal}
    />,
  );
}

interface CheckoutProps {
  readonly visit: Visit;
  readonly checkout: Checkout;
  readonly buyer: string;
  readonly back: ReturnAddress;
  readonly isRefused: boolean;
  readonly refusal: Refusal | undefined;
}

function CheckoutPage({ visit, checkout, buyer, back, isRefused, refusal }: CheckoutProps) {
  const { checkoutId, plan, amount, trialDays, completesAt, completedAt } = checkout;
  const title = `Buy ${titled(plan)}`;
  const isOpen = completedAt === null && completesAt === null;
  return (
    <PayDocument visit={visit} title={title}>
      <h1>{title}</h1>
      <dl class="facts">
        <dt>Organization</dt>
        <dd dir="auto">{buyer}</dd>
        <dt>Price</dt>
        <dd>{plan === "enterprise" ? "As agreed" : `${money(amount, "usd")} a month`}</dd>
        {trialDays === 0 ? null : (
          <>
            <dt>Trial</dt>
            <dd>{trialDays} days, then the price</dd>
          </>
        )}
      </dl>
      {isRefused && isOpen ? (
        <div class="notice bad" role="alert">
          <p>
            <strong>The card was refused.</strong> Nothing was charged and nothing has changed. Try another
            card.
          </p>
        </div>
      ) : null}
      <RefusalNotice refusal={refusal} />
      {isOpen ? (
        <PayForm visit={visit} checkoutId={checkoutId} back={back} />
      ) : (
        <Paid visit={visit} checkout={checkout} back={back} />
      )}
    </PayDocument>
  );
}

function PayForm({ visit, checkoutId, back }: { visit: Visit; checkoutId: string; back: ReturnAddress }) {
  const id = encodeURIComponent(checkoutId);
  return (
    <Form action={visit.link(`/checkout/${id}/pay`)} label="Payment">
      <input type="hidden" name="from" value={back.from} />
      <fieldset>
        <legend>Card</legend>
        <label class="option">
          <input type="radio" name="card" value="accepted" checked />
          <span>
            Card that is accepted <code>4242 4242 4242 4242</code>
          </span>
        </label>
        <label class="option">
          <input type="radio" name="card" value="refused" />
          <span>
            Card that is refused <code>4000 0000 0000 0002</code>
          </span>
        </label>
      </fieldset>
      <Choice
        label="The plan is in force"
        name="after"
        options={delays}
        hint="By the clock of the namespace: a service may take its time after a payment."
      />
      <div class="buttons">
        <button class="main">Pay</button>
        <a class="button" href={back.to("cancelUrl", checkoutId) ?? visit.link("/billing")}>
          Cancel
        </a>
      </div>
    </Form>
  );
}

function Paid({ visit, checkout, back }: { visit: Visit; checkout: Checkout; back: ReturnAddress }) {
  const { checkoutId, organizationId, plan, completesAt, completedAt } = checkout;
  const address = back.to("successUrl", checkoutId);
  return (
    <>
      <div class="notice good" role="status">
        <p>
          <strong>Paid.</strong>{" "}
          {completesAt === null
            ? `${titled(plan)} is in force since ${shortTime(completedAt ?? "")}.`
            : `${titled(plan)} will be in force at ${shortTime(completesAt)}, by the clock of the namespace.`}
        </p>
      </div>
      {address === undefined ? (
        <p class="hint">
          This page leads on to <code>successUrl</code> once <code>PUT /_emulator/return-addresses</code> has
          said what that is, and otherwise to the page that the visitor came from.
        </p>
      ) : null}
      <div class="buttons">
        {address === undefined ? null : (
          <a class="button main" href={address}>
            Continue
          </a>
        )}
        <a class="button" href={visit.link(`/portal/${encodeURIComponent(organizationId)}`)}>
          Manage the plan
        </a>
      </div>
    </>
  );
}

function Missing({ visit }: { visit: Visit }) {
  return (
    <PayDocument visit={visit} title="No such checkout">
      <h1>No such checkout</h1>
      <p>
        The namespace <strong>{visit.namespace}</strong> has no checkout of this id. A reset or a restore may
        have taken it away: create it again with <code>POST /api/v1/payment/checkout</code>.
      </p>
      <div class="buttons">
        <a class="button" href={visit.link("/billing")}>
          Billing
        </a>
      </div>
    </PayDocument>
  );
}

function titled(plan: string): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1);
}
