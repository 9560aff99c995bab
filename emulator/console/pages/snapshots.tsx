import { getOwnField } from "../../../openapi/text/get-own-field.js";
import { isObject } from "../../../openapi/text/is-object.js";
import { isDeepStrictEqual } from "node:util";
import { EmptyState, truncateText, formatLongTime, Table } from "../../../openapi/html/components.js";
import { ActionButton, DeleteButton, Form } from "../form.js";
import { Link, createPageHandler, usePage } from "../page.js";
import { consolePath, type Schemas } from "../page-visit.js";

/** Snapshots of the namespace, and all namespaces. */
export const snapshotsPage = createPageHandler(async (_c, visit) => {
  const { snapshots: saved } = await visit.read("listSnapshots");
  const { namespaces } = await visit.read("listNamespaces");
  const names = saved.map(({ name }) => name);
  return {
    title: "Snapshots and namespaces",
    section: "/snapshots",
    lead: "A namespace is an isolated copy of the service with its own base URL. A snapshot is a saved copy of a namespace's data, clock and id generator.",
    content: (
      <>
        <h2>Snapshots of {visit.namespace}</h2>
        <Snapshots snapshots={saved} />
        <Form
          class="row"
          label="Take a snapshot"
          call={{ operation: "saveSnapshot", done: "saved" }}
          fields={{ name: "Name of the new snapshot" }}
          submit="Take a snapshot"
        />
        {saved.length === 0 ? null : (
          <Form
            class="row"
            label="Create a namespace from a snapshot"
            call={{ operation: "forkSnapshot", done: "created" }}
            fields={{
              name: { label: "Snapshot", options: names },
              to: { label: "Name of the new namespace", placeholder: "worker-1", hint: undefined },
            }}
            submit="Create the namespace"
          />
        )}
        <h2>Namespaces</h2>
        <Namespaces namespaces={namespaces} />
      </>
    ),
  };
});

function Snapshots({ snapshots: saved }: { snapshots: readonly Schemas["Snapshot"][] }) {
  return (
    <Table
      label="Snapshots"
      head={["Name", ["Clock", "nowrap"], ["Bytes", "number"], ["", "actions"]]}
      rows={saved.map(({ name, bytes, clock }) => [
        name,
        formatLongTime(clock.now),
        bytes.toLocaleString("en-US"),
        <>
          <ActionButton
            call={{ operation: "restoreSnapshot", params: { name }, done: "restored" }}
            label="Restore"
            of={name}
            question={`Restore ${name}? Changes made since this snapshot was taken will be lost unless another snapshot contains them.`}
          />{" "}
          <Link to={`/snapshots/changes/${encodeURIComponent(name)}`} isButton>
            Compare<span class="unseen"> {name} with the namespace</span>
          </Link>{" "}
          <DeleteButton
            call={{ operation: "deleteSnapshot", params: { name } }}
            of={name}
            question={`Delete the snapshot ${name}?`}
          />
        </>,
      ])}
      empty={
        <EmptyState title="No snapshots yet">
          Take a snapshot before you change the data. You can restore the snapshot as often as you like.
        </EmptyState>
      }
    />
  );
}

function Namespaces({ namespaces }: { namespaces: readonly Schemas["Namespace"][] }) {
  const { visit } = usePage();
  const { mount } = visit;
  return (
    <>
      <Table
        label="Namespaces"
        head={["Name", ["Base URL", "key"], ["Bytes", "number"], ["Snapshots", "number"], ["", "actions"]]}
        rows={namespaces.map(({ name, path, bytes, snapshots: { count } }) => [
          <a
            href={`${mount}${path}${consolePath}/snapshots`}
            aria-current={name === visit.namespace ? "true" : undefined}
          >
            {name}
          </a>,
          `${visit.origin}${mount}${path}`,
          bytes.toLocaleString("en-US"),
          count,
          path === "" ? null : (
            <DeleteButton
              // Deleting the current namespace leads to the default one.
              call={{
                operation: "deleteNamespace",
                params: { name },
                next: name === visit.namespace ? `${mount}${consolePath}/snapshots` : visit.self,
              }}
              of={name}
              question={`Delete the namespace ${name} and its snapshots?`}
            />
          ),
        ])}
      />
      <Form
        class="row"
        label="Copy this namespace"
        call={{ operation: "forkNamespace", params: { name: visit.namespace }, done: "created" }}
        fields={{ to: { label: `Copy ${visit.namespace} to`, placeholder: "worker-1", hint: undefined } }}
        submit="Copy"
      />
    </>
  );
}

/** The changes between a snapshot and the current state or another snapshot. */
export const snapshotChangesPage = createPageHandler(async (c, visit) => {
  const { name = "" } = c.req.param() as Record<string, string>;
  const { to = "" } = visit.query;
  const { added, changed, removed } = await visit.read("compareSnapshot", {
    params: { name },
    query: { to },
  });
  const { snapshots: saved } = await visit.read("listSnapshots");
  const changes = [
    ...added.map((entry) => ({ ...entry, change: "added" as const })),
    ...changed.map((entry) => ({ ...entry, change: "changed" as const })),
    ...removed.map((entry) => ({ ...entry, change: "removed" as const })),
  ];
  const others = saved.flatMap((other) => (other.name === name ? [] : [other.name]));
  return {
    title: `Changes since ${name}`,
    section: "/snapshots",
    lead: `Changes ${to === "" ? "since this snapshot" : `from this snapshot to ${to}`}: ${added.length} added, ${changed.length} changed, ${removed.length} removed.`,
    trail: [["Snapshots", visit.link("/snapshots")], [name]],
    content: (
      <>
        <Form
          search={`/snapshots/changes/${encodeURIComponent(name)}`}
          label="Compare"
          values={{ to }}
          fields={{ to: { label: "Compare with", options: [["", "now"], ...others] } }}
          submit="Compare"
        />
        <Table
          label="Changes"
          head={["Change", "Kind", ["Id", "key"], ["Value, or what changed", "key"]]}
          maxRows={500}
          rows={changes.map((entry) => [
            entry.change,
            entry.kind,
            Object.values(entry.id)
              .map((part) =>
                typeof part === "string" ? part : part === null ? "none" : JSON.stringify(part),
              )
              .join(" "),
            entry.change === "changed" ? <Differences {...entry} /> : <Value value={entry.value} />,
          ])}
          empty={<EmptyState title="No changes">Change some data, then compare again.</EmptyState>}
        />
      </>
    ),
  };
});

/** The fields of a changed entry that differ. */
function Differences({ before, after }: Pick<Difference, "before" | "after">) {
  const differences = listDifferences(before, after);
  // Passwords are not shown, and numbers are rounded to doubles.
  if (differences.length === 0) return <>not shown</>;
  return (
    <>
      {differences.map((one) => (
        <div>
          {one.path}: <Value value={one.before} /> → <Value value={one.after} />
        </div>
      ))}
    </>
  );
}

interface Difference {
  /** The names of the fields that lead to the values. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Lists the fields, also of nested objects, whose values differ. */
function listDifferences(before: unknown, after: unknown, path = ""): readonly Difference[] {
  if (!isObject(before) || !isObject(after))
    return isDeepStrictEqual(before, after) ? [] : [{ path, before, after }];
  return Object.keys({ ...before, ...after }).flatMap((name) =>
    listDifferences(
      getOwnField(before, name),
      getOwnField(after, name),
      path === "" ? name : `${path}.${name}`,
    ),
  );
}

/** A value as JSON, a long one folded. */
function Value({ value }: { readonly value: unknown }) {
  const text = value === undefined ? "none" : JSON.stringify(value);
  const short = truncateText(text);
  if (short === text) return <>{text}</>;
  return (
    <details>
      <summary>{short}</summary>
      {text}
    </details>
  );
}
