import { EmptyState, Table } from "../../../openapi/html/components.js";
import type { Child } from "hono/jsx";
import { faultEffectKinds } from "../../faults/fault-effects.js";
import { ActionButton, DeleteButton, Form } from "../form.js";
import { createPageHandler } from "../page.js";
import type { PageVisit, Schemas } from "../page-visit.js";

type Fault = Schemas["Fault"];
type EffectKind = Fault["effect"]["kind"];

const explanations: Readonly<Record<EffectKind, string>> = {
  status: "respond with an error status",
  latency: "delay the request before processing it",
  drop: "close the connection without a response",
  truncate: "send only part of the response",
  unprocessed: "leave some keys in a batch read unprocessed",
  partial: "make some entries in a batch write fail",
  error: "make a transaction, an SQL statement or a login fail",
};

/** Labels of the form fields for effects. */
const effectLabels = {
  kind: "Effect",
  status: "Status",
  retryAfterSeconds: "Retry-After, in seconds",
  delayMs: "Milliseconds",
  count: "How many",
  errorType: "Transaction error",
  code: "SQL error",
  loginStatus: "Login status",
  applied: "Execute the request before the failure",
} satisfies Record<keyof Fault["effect"], string>;

/** Rules that simulate common failures. */
const presets: Readonly<Record<string, Pick<Fault, "match" | "effect" | "when">>> = {
  "Lost connections": { match: {}, effect: { kind: "drop" }, when: { probability: 0.1 } },
  "Slow network": { match: {}, effect: { kind: "latency", delayMs: 500 }, when: { probability: 0.2 } },
  Throttled: { match: {}, effect: { kind: "status", status: 429 }, when: { probability: 0.33 } },
  "Half-written batches": {
    match: { operationId: "batchWriteItems" },
    effect: { kind: "partial" },
    when: { probability: 0.5 },
  },
  "Half-read batches": {
    match: { operationId: "batchGetItems" },
    effect: { kind: "unprocessed" },
    when: { probability: 0.5 },
  },
  "Response lost after success": {
    match: { operationId: "putItem" },
    effect: { kind: "drop", applied: true },
    when: { count: 1 },
  },
  Down: { match: {}, effect: { kind: "status", status: 503 }, when: {} },
};

/** Rules that make the service fail. */
export const faultsPage = createPageHandler(async (_c, visit) => {
  const { faults: rules } = await visit.read("listFaults");
  const { effect = "" } = visit.query;
  const kind = Object.hasOwn(explanations, effect) ? (effect as EffectKind) : "status";
  return {
    title: "Faults",
    section: "/faults",
    lead: "Make the service fail on purpose to see how your client reacts. Fault rules also apply to changes that you make in the console, but not to viewing its pages.",
    content: (
      <>
        <Table
          label="Fault rules"
          head={["Requests", "Effect", "When", ["Fired", "number"], ["", "actions"]]}
          ids={rules.map(({ faultId }) => faultId)}
          rows={rules.map(({ faultId, fired, ...rule }) => [
            <>
              {describe(rule.match) || "all requests"} <span class="muted key">{faultId}</span>
            </>,
            ...describeEffect(rule),
            fired,
            <DeleteButton
              call={{ operation: "deleteFault", params: { faultId } }}
              of={`the rule ${faultId}`}
            />,
          ])}
          empty={<EmptyState title="No rules yet">Choose a preset or create a rule below.</EmptyState>}
        />
        {rules.length === 0 ? null : (
          <ActionButton
            call={{ operation: "clearFaults", done: "cleared" }}
            label="Delete all rules"
            kind="danger"
          />
        )}
        <h2>Presets</h2>
        <Table
          label="Presets"
          head={[["Name", "nowrap"], "Requests", "Effect", "When", ["", "actions"]]}
          rows={Object.entries(presets).map(([name, rule]) => [
            name,
            describe(rule.match) || "all requests",
            ...describeEffect(rule),
            <ActionButton
              call={{ operation: "createFault", body: rule, done: "created" }}
              label="Turn on"
              of={name}
            />,
          ])}
        />
        <h2>Create a rule</h2>
        <Form
          search="/faults"
          label="Choose an effect"
          values={{ effect: kind }}
          fields={{
            effect: {
              label: effectLabels.kind,
              options: Object.entries(explanations).map(([name, text]) => [name, `${name}: ${text}`]),
            },
          }}
          submit="Show its fields"
        />
        <Form
          label="Create a rule"
          call={{ operation: "createFault", body: { effect: { kind } }, done: "created" }}
          fields={{
            "match/operationId": { label: "Operation", placeholder: "all" },
            "match/path": { label: "Path", placeholder: "/api/v1/databases/*/items/**" },
            "match/organizationId": "Organization",
            "match/caller": "Caller",
            ...Object.fromEntries(
              faultEffectKinds[kind].fields.map((name) => [`effect/${name}`, effectLabels[name]]),
            ),
            "when/nth": "Starting with the nth request",
            "when/count": "Maximum number of times",
            "when/probability": "Probability",
          }}
          submit="Create the rule"
        />
      </>
    ),
  };
});

/** Returns the effects of the existing rules by id, or nothing if no rule fired for the entries. */
export async function readFaultEffects(
  visit: PageVisit,
  entries: readonly Schemas["JournalEntry"][],
): Promise<ReadonlyMap<string, string>> {
  if (entries.every((entry) => entry.faults.length === 0)) return new Map();
  const { faults } = await visit.read("listFaults");
  return new Map(faults.map(({ faultId, effect }) => [faultId, effect.kind]));
}

/** The effect of a rule, and when the rule fires. */
function describeEffect({ effect, when }: Pick<Fault, "effect" | "when">): readonly Child[] {
  return [
    <>
      {explanations[effect.kind]} <span class="muted">{describe(effect)}</span>
    </>,
    describe(when) || "always",
  ];
}

/** Lists the fields of a part of a rule. */
function describe(part: Fault["match"] | Fault["effect"] | Fault["when"]): string {
  return Object.entries(part)
    .filter(([name]) => name !== "kind")
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(", ");
}
