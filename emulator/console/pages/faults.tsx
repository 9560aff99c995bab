import { faultKinds } from "../../../openapi/control-plane/fault-schemas.js";
import { serviceApi } from "../../../openapi/operations/register.js";
import { Empty, Table } from "../components.js";
import type { ConsoleApp, ConsoleContext } from "../environment.js";
import { Action, Choice, Delete, Field, Form, Option } from "../form.js";
import { showPage } from "../page.js";
import { type Refusal, refusalOf } from "../refusal.js";
import { pathOf, takeForms } from "../take-forms.js";
import type { Schemas } from "../visit.js";
import { faultPresets } from "./fault-presets.js";

type Fault = Schemas["Fault"];

const explanations: Readonly<Record<(typeof faultKinds)[number], string>> = {
  status: "answer with a status",
  latency: "wait before looking at the request",
  drop: "end the connection without an answer",
  truncate: "send half of the answer",
  unprocessed: "leave keys of a batch read over",
  partial: "let entries of a batch write fail",
  error: "fail as the operation itself can",
};

/** Names of fields as people read them. */
const words: Readonly<Partial<Record<string, string>>> = {
  operationId: "operation",
  organizationId: "organization",
  retryAfterSeconds: "Retry-After",
  delayMs: "milliseconds",
};

/** Rules that make the service fail. */
export function mountFaults(app: ConsoleApp): void {
  app.get("/faults", (c) => show(c));

  const form = takeForms(app, "/faults", show);
  form(
    "/faults",
    "created",
    (visit, fields) => visit.ask("POST", "/_emulator/faults", { body: ruleOf(fields) }),
    (pointer) => (pointer === "/when/count" ? "times" : (pointer.split("/").at(-1) ?? "")),
  );
  form("/faults/delete", "deleted", (visit, { faultId }) =>
    visit.ask("DELETE", pathOf`/_emulator/faults/${faultId}`),
  );
  form("/faults/clear", "cleared", (visit) => visit.ask("DELETE", "/_emulator/faults"));

  app.post("/faults/preset", async (c) => {
    const visit = c.get("visit");
    const preset = faultPresets.find(({ name }) => name === c.get("fields").name);
    for (const rule of preset?.rules ?? []) {
      const reply = await visit.ask("POST", "/_emulator/faults", { body: rule });
      if (!reply.isOk) return show(c, refusalOf(reply));
    }
    return c.redirect(visit.link("/faults", { done: "created" }), 303);
  });
}

/** A rule as the form says it; what is left empty is left out. */
function ruleOf(fields: Readonly<Partial<Record<string, string>>>) {
  const text = (name: string) => ((fields[name] ?? "") !== "" ? { [name]: fields[name] } : {});
  const number = (name: string, as = name) => {
    const given = (fields[name] ?? "").trim();
    if (given === "") return {};
    // what is no number is refused by the API, in its words
    return { [as]: Number.isNaN(Number(given)) ? given : Number(given) };
  };
  const match = { ...text("operationId"), ...text("path"), ...text("organizationId"), ...text("caller") };
  const when = { ...number("nth"), ...number("times", "count"), ...number("probability") };
  return {
    ...(Object.keys(match).length === 0 ? {} : { match }),
    effect: {
      kind: fields.kind ?? "",
      ...number("status"),
      ...number("retryAfterSeconds"),
      ...number("delayMs"),
      ...number("count"),
      ...(fields.applied === "yes" ? { applied: true } : {}),
    },
    ...(Object.keys(when).length === 0 ? {} : { when }),
  };
}

async function show(c: ConsoleContext, refusal?: Refusal): Promise<Response> {
  const { faults } = (await c.get("visit").ask("GET", "/_emulator/faults")).body as Schemas["FaultList"];
  return showPage(
    c,
    {
      title: "Faults",
      section: "/faults",
      lead: "Make the service fail on purpose, and see how your client reacts. These rules also apply to changes made in the console, but not to viewing its pages.",
      refusal,
    },
    <>
      <Table
        label="Fault rules"
        head={["Requests", "Effect", "When", ["Fired", "number"], ["", "actions"]]}
        rows={faults.map(({ faultId, match, effect, when, fired }) => [
          described(match) || "all requests",
          <>
            {explanations[effect.kind]} <span class="muted">{described(effect)}</span>
          </>,
          described(when) || "always",
          fired,
          <Delete to="/faults/delete" of={`the rule ${faultId}`} fields={{ faultId }} />,
        ])}
        empty={<Empty title="Nothing fails">Choose a preset, or make a rule below.</Empty>}
      />
      {faults.length === 0 ? null : <Action to="/faults/clear" label="Delete all rules" kind="danger" />}
      <h2>Presets</h2>
      <Table
        label="Presets"
        head={[["Name", "nowrap"], "What happens", ["", "actions"]]}
        rows={faultPresets.map(({ name, explanation }) => [
          name,
          explanation,
          <Action to="/faults/preset" label="Switch on" of={name} fields={{ name }} />,
        ])}
      />
      <h2>Make a rule</h2>
      <RuleForm />
    </>,
  );
}

/** The members of a part of a rule, without what stands for nothing. */
function described(part: Fault["match"] | Fault["effect"] | Fault["when"]): string {
  return Object.entries(part)
    .filter(([name]) => name !== "kind")
    .map(([name, value]) => `${words[name] ?? name} ${String(value)}`)
    .join(", ");
}

function RuleForm() {
  return (
    <Form to="/faults" label="Make a rule" submit="Make the rule">
      <fieldset>
        <legend>Which requests</legend>
        <div class="pair">
          <Choice
            label="Operation"
            name="operationId"
            options={[["", "all of them"], ...Object.keys(serviceApi.operations)]}
          />
          <Field label="Path" name="path" placeholder="/api/v1/databases/*/items/**" />
        </div>
      </fieldset>
      <fieldset>
        <legend>What happens</legend>
        <Choice
          label="Effect"
          name="kind"
          options={faultKinds.map((kind) => [kind, `${kind}: ${explanations[kind]}`] as const)}
        />
        {/* the style sheet shows the fields of the chosen effect */}
        <div class="pair">
          <div data-effects="status">
            <Field label="Status" name="status" hint="503 by default." />
          </div>
          <div data-effects="status">
            <Field
              label="Retry-After, in seconds"
              name="retryAfterSeconds"
              hint="1 by default with 429, otherwise none."
            />
          </div>
          <div data-effects="latency">
            <Field label="Milliseconds" name="delayMs" hint="1000 by default." />
          </div>
          <div data-effects="truncate unprocessed partial error">
            <Field
              label="How many"
              name="count"
              hint="Bytes sent (half by default), unprocessed keys, or failing entries (1 by default)."
            />
          </div>
        </div>
        <div data-effects="status drop">
          <Option name="applied" value="yes">
            Carry the request out before it fails
          </Option>
        </div>
      </fieldset>
      <fieldset>
        <legend>When</legend>
        <div class="pair">
          <Field label="From the nth request on" name="nth" hint="1 by default." />
          <Field label="How often at most" name="times" hint="No limit by default." />
          <Field label="How likely" name="probability" hint="From 0 to 1; always by default." />
        </div>
      </fieldset>
    </Form>
  );
}
