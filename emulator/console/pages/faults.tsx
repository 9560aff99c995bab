import type { Context } from "hono";
import { faultKinds } from "../../../openapi/control-plane/fault-schemas.js";
import type { components } from "../../../openapi/generated/control-plane-types.js";
import { service } from "../../../openapi/operations/register.js";
import type { ConsoleApp, ConsoleEnvironment } from "../console-app.js";
import { faultPresets } from "../fault-presets.js";
import { type Refusal, refusalOf } from "../field-problems.js";
import { Action, Choice, Field, Form } from "../form.js";
import { Layout } from "../layout.js";
import { DoneNotice, Empty, RefusalNotice, Table } from "../notices.js";

type Fault = components["schemas"]["Fault"];

const explanations: Readonly<Record<(typeof faultKinds)[number], string>> = {
  status: "answer with a status",
  latency: "wait before looking at the request",
  drop: "end the connection without an answer",
  truncate: "send half of the answer",
  unprocessed: "leave keys of a batch read over",
  partial: "let entries of a batch write fail",
  error: "fail as the operation itself can",
};

/** Rules that make the service fail. */
export function mountFaults(app: ConsoleApp): void {
  app.get("/faults", (c) => show(c));

  app.post("/faults", async (c) => {
    const visit = c.get("visit");
    const reply = await visit.ask("POST", "/_emulator/faults", { body: ruleOf(c.get("fields")) });
    if (!reply.isOk)
      return show(
        c,
        refusalOf(reply, (pointer) => pointer.split("/").at(-1)),
      );
    return c.redirect(visit.link("/faults", { done: "created" }), 303);
  });

  app.post("/faults/preset", async (c) => {
    const visit = c.get("visit");
    const preset = faultPresets.find(({ name }) => name === c.get("fields").name);
    for (const rule of preset?.rules ?? []) {
      const reply = await visit.ask("POST", "/_emulator/faults", { body: rule });
      if (!reply.isOk)
        return show(
          c,
          refusalOf(reply, () => undefined),
        );
    }
    return c.redirect(visit.link("/faults", { done: "created" }), 303);
  });

  app.post("/faults/delete", async (c) => {
    const visit = c.get("visit");
    const { faultId = "" } = c.get("fields");
    await visit.ask("DELETE", `/_emulator/faults${faultId === "" ? "" : `/${encodeURIComponent(faultId)}`}`);
    return c.redirect(visit.link("/faults", { done: faultId === "" ? "cleared" : "deleted" }), 303);
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
      ...number("delayMs"),
      ...number("count"),
      ...(fields.applied === "yes" ? { applied: true } : {}),
    },
    ...(Object.keys(when).length === 0 ? {} : { when }),
  };
}

async function show(c: Context<ConsoleEnvironment>, refusal?: Refusal): Promise<Response> {
  const visit = c.get("visit");
  const { faults } = (await visit.ask("GET", "/_emulator/faults")).body as components["schemas"]["FaultList"];
  const fields = c.get("fields");
  if (refusal !== undefined) c.status(400);
  return c.html(
    <Layout
      visit={visit}
      title="Faults"
      section="/faults"
      lead="Let the service fail on purpose, and see what your client makes of it. The console's own requests meet these rules as well."
    >
      <DoneNotice done={c.req.query("done")} />
      <RefusalNotice refusal={refusal} />
      {faults.length === 0 ? (
        <Empty title="Nothing fails">
          <p>Choose a preset, or make a rule below.</p>
        </Empty>
      ) : (
        <>
          <Table label="Fault rules" head={["Requests", "Effect", "When", "Fired", ""]}>
            {faults.map((fault) => (
              <tr>
                <th scope="row" dir="auto">
                  {described(fault.match) || "all requests"}
                </th>
                <td>
                  {explanations[fault.effect.kind]} <span class="muted">{described(fault.effect)}</span>
                </td>
                <td>{described(fault.when) || "always"}</td>
                <td class="number">{fault.fired}</td>
                <td class="actions">
                  <Action
                    action={visit.link("/faults/delete")}
                    label="Delete"
                    of={`the rule ${fault.faultId}`}
                    kind="danger"
                    fields={{ faultId: fault.faultId }}
                  />
                </td>
              </tr>
            ))}
          </Table>
          <Action action={visit.link("/faults/delete")} label="Delete all rules" kind="danger" />
        </>
      )}
      <h2>Presets</h2>
      <Table label="Presets" head={["Name", "What happens", ""]}>
        {faultPresets.map(({ name, explanation }) => (
          <tr>
            <th scope="row" class="nowrap">
              {name}
            </th>
            <td>{explanation}</td>
            <td class="actions">
              <Action action={visit.link("/faults/preset")} label="Switch on" of={name} fields={{ name }} />
            </td>
          </tr>
        ))}
      </Table>
      <h2>Make a rule</h2>
      <RuleForm action={visit.link("/faults")} fields={fields} refusal={refusal} />
    </Layout>,
  );
}

/** The members of a part of a rule, without what stands for nothing. */
function described(part: Fault["match"] | Fault["effect"] | Fault["when"]): string {
  return Object.entries(part)
    .filter(([name]) => name !== "kind")
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(", ");
}

interface RuleFormProps {
  readonly action: string;
  readonly fields: Readonly<Partial<Record<string, string>>>;
  readonly refusal: Refusal | undefined;
}

function RuleForm({ action, fields, refusal }: RuleFormProps) {
  const number = (name: string, label: string, hint: string, problem = name) => (
    <Field label={label} name={name} value={fields[name]} hint={hint} problem={refusal?.fields[problem]} />
  );
  return (
    <Form action={action} label="Make a rule">
      <fieldset>
        <legend>Which requests</legend>
        <div class="pair">
          <Choice
            label="Operation"
            name="operationId"
            value={fields.operationId}
            options={[["", "all of them"], ...Object.keys(service.operations)]}
          />
          <Field
            label="Path"
            name="path"
            value={fields.path}
            placeholder="/api/v1/databases/*/items/**"
            problem={refusal?.fields.path}
          />
        </div>
      </fieldset>
      <fieldset>
        <legend>What happens</legend>
        <div class="pair">
          <Choice
            label="Effect"
            name="kind"
            value={fields.kind}
            options={faultKinds.map((kind) => [kind, `${kind}: ${explanations[kind]}`] as const)}
            problem={refusal?.fields.kind}
          />
          {number("status", "Status", "Of the effect status; 503 by default.")}
          {number("delayMs", "Milliseconds", "Of the effect latency; 1000 by default.")}
          {number("count", "How many", "Keys, entries or bytes; see the effect.")}
        </div>
        <label class="option">
          <input
            type="checkbox"
            name="applied"
            value="yes"
            {...(fields.applied === "yes" ? { checked: true } : {})}
          />
          Carry the request out before it fails (status and drop)
        </label>
      </fieldset>
      <fieldset>
        <legend>When</legend>
        <div class="pair">
          {number("nth", "From the nth request on", "1 by default.")}
          {number("times", "How often at most", "Without end by default.", "count")}
          {number("probability", "How likely", "From 0 to 1; always by default.")}
        </div>
      </fieldset>
      <div class="buttons">
        <button class="main">Make the rule</button>
      </div>
    </Form>
  );
}
