import { Facts, money, planTitle, shortTime } from "../components.js";
import type { ConsoleApp, ConsoleContext } from "../environment.js";
import { Choice, Form, Option } from "../form.js";
import { Link, Noticed, showPayPage, usePage } from "../page.js";
import { type Refusal, refusalOf } from "../refusal.js";
import type { Schemas } from "../visit.js";
import { findReturnAddress, type ReturnAddress, returnAddressOf } from "./return-address.js";

type Checkout = Schemas["CheckoutState"];

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
  app.get("/checkout/:checkoutId", (c) => show(c));

  app.post("/checkout/:checkoutId/pay", async (c) => {
    const visit = c.get("visit");
    const checkoutId = c.req.param("checkoutId");
    const { card, after = "", from } = c.get("fields");
    const id = encodeURIComponent(checkoutId);
    if (card !== "accepted") return c.redirect(visit.link(`/checkout/${id}`, { card: "refused", from }), 303);
    const body = after === "" ? {} : { after };
    const reply = await visit.ask("POST", `/_emulator/checkouts/${id}/complete`, { body });
    if (!reply.isOk) return show(c, refusalOf(reply));
    const back = await findReturnAddress(visit, from, undefined);
    return c.redirect(back.to("successUrl", checkoutId) ?? visit.link(`/checkout/${id}`), 303);
  });
}

async function show(c: ConsoleContext, refusal?: Refusal): Promise<Response> {
  const visit = c.get("visit");
  const id = encodeURIComponent(c.req.param("checkoutId") ?? "");
  const reply = await visit.ask("GET", `/_emulator/checkouts/${id}`);
  if (!reply.isOk)
    return showPayPage(
      c,
      { title: "No such checkout", status: 404 },
      <Missing namespace={visit.namespace} />,
    );
  const checkout = reply.body as Checkout;
  const { organizationId, plan, amount, trialDays, completesAt, completedAt } = checkout;
  const back = await returnAddressOf(c);
  const buyer = (await visit.organizations()).find((one) => one.organizationId === organizationId);
  const title = `Buy ${planTitle(plan)}`;
  const isOpen = completedAt === null && completesAt === null;
  return showPayPage(
    c,
    { title, refusal },
    <>
      <h1>{title}</h1>
      <Facts
        facts={[
          ["Organization", buyer?.name ?? organizationId],
          ["Price", plan === "enterprise" ? "As agreed" : `${money(amount, "usd")} a month`],
          ["Trial", trialDays === 0 ? null : `${trialDays} days, then the price`],
        ]}
      />
      {c.req.query("card") === "refused" && isOpen ? (
        <div class="notice bad" role="alert">
          <p>
            <strong>The card was refused.</strong> Nothing was charged and nothing has changed. Try another
            card.
          </p>
        </div>
      ) : null}
      <Noticed />
      {isOpen ? (
        <PayForm checkoutId={checkout.checkoutId} back={back} />
      ) : (
        <Paid checkout={checkout} back={back} />
      )}
    </>,
  );
}

function PayForm({ checkoutId, back }: { checkoutId: string; back: ReturnAddress }) {
  const { link } = usePage();
  return (
    <Form
      to={`/checkout/${encodeURIComponent(checkoutId)}/pay`}
      label="Payment"
      hidden={{ from: back.from }}
      values={{ card: "accepted" }}
    >
      <fieldset>
        <legend>Card</legend>
        <Option type="radio" name="card" value="accepted">
          Card that is accepted <code>4242 4242 4242 4242</code>
        </Option>
        <Option type="radio" name="card" value="refused">
          Card that is refused <code>4000 0000 0000 0002</code>
        </Option>
      </fieldset>
      <Choice
        label="The plan is in force"
        name="after"
        options={delays}
        hint="By the clock of the namespace: a service may take its time after a payment."
      />
      <div class="buttons">
        <button class="main">Pay</button>
        <a class="button" href={back.to("cancelUrl", checkoutId) ?? link("/billing")}>
          Cancel
        </a>
      </div>
    </Form>
  );
}

function Paid({ checkout, back }: { checkout: Checkout; back: ReturnAddress }) {
  const { checkoutId, organizationId, plan, completesAt, completedAt } = checkout;
  const address = back.to("successUrl", checkoutId);
  return (
    <>
      <div class="notice good" role="status">
        <p>
          <strong>Paid.</strong>{" "}
          {completesAt === null
            ? `${planTitle(plan)} is in force since ${shortTime(completedAt ?? "")}.`
            : `${planTitle(plan)} will be in force at ${shortTime(completesAt)}, by the clock of the namespace.`}
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
        <Link to={`/portal/${encodeURIComponent(organizationId)}`} isButton>
          Manage the plan
        </Link>
      </div>
    </>
  );
}

function Missing({ namespace }: { namespace: string }) {
  return (
    <>
      <h1>No such checkout</h1>
      <p>
        The namespace <strong>{namespace}</strong> has no checkout of this id. A reset or a restore may have
        taken it away: create it again with <code>POST /api/v1/payment/checkout</code>.
      </p>
      <div class="buttons">
        <Link to="/billing" isButton>
          Billing
        </Link>
      </div>
    </>
  );
}
