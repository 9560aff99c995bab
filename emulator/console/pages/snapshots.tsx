import { sqliteMediaType } from "../../../openapi/control-plane/namespace-operations.js";
import { Empty, shortTime, Table } from "../components.js";
import type { ConsoleApp, ConsoleContext } from "../environment.js";
import { Action, Choice, Delete, Field, Form, GroupProblem } from "../form.js";
import { errorPage, Link, showPage } from "../page.js";
import { mistakeIn, type Refusal, refusalOf } from "../refusal.js";
import { pathOf, takeForms } from "../take-forms.js";
import { consolePath, type Schemas, type Visit } from "../visit.js";
import { shortened } from "./database.js";

/** Snapshots of the namespace, and all namespaces. */
export function mountSnapshots(app: ConsoleApp): void {
  app.get("/snapshots", (c) => show(c));
  app.get("/snapshots/changes/:name", showChanges);
  const form = takeForms(app, "/snapshots", show);
  form("/snapshots", "saved", (visit, { name }) => visit.ask("POST", snapshotPath(name)));
  form("/snapshots/restore", "restored", (visit, { name }) =>
    visit.ask("POST", `${snapshotPath(name)}/restore`),
  );
  form("/snapshots/delete", "deleted", (visit, { name }) => visit.ask("DELETE", snapshotPath(name)));
  form("/snapshots/fork", "created", (visit, { name, to }) =>
    visit.ask("POST", `${snapshotPath(name)}/fork`, { body: { to } }),
  );
  form("/namespaces/fork", "created", (visit, { name, to }) =>
    visit.ask("POST", pathOf`/_emulator/namespaces/${name}/fork`, { body: { to } }),
  );

  app.post("/snapshots/upload", async (c) => {
    const visit = c.get("visit");
    const { file } = c.get("files");
    if (file === undefined || file.size === 0)
      return show(c, mistakeIn("file", "Choose a file that a download gave."));
    const body = new Uint8Array(await file.arrayBuffer());
    const path = snapshotPath(file.name.replace(/\.sqlite$/, ""));
    const reply = await visit.ask("PUT", path, { body, type: sqliteMediaType });
    return reply.isOk
      ? c.redirect(visit.link("/snapshots", { done: "saved" }), 303)
      : show(c, refusalOf(reply));
  });

  app.post("/namespaces/delete", async (c) => {
    const visit = c.get("visit");
    const { name } = c.get("fields");
    const reply = await visit.ask("DELETE", pathOf`/_emulator/namespaces/${name}`);
    if (!reply.isOk) return show(c, refusalOf(reply));
    // who stands in it goes on in the default one
    const page = name === visit.namespace ? `${consolePath}/snapshots` : visit.link("/snapshots");
    return c.redirect(`${page}?done=deleted`, 303);
  });

  app.get("/snapshots/file/:name", async (c) => {
    const file = await c
      .get("visit")
      .fetch("GET", snapshotPath(c.req.param("name")), { accept: sqliteMediaType });
    if (!file.ok) return c.text("There is no such snapshot.", 404);
    return c.body(await file.arrayBuffer(), 200, {
      "Content-Type": sqliteMediaType,
      "Content-Disposition": file.headers.get("content-disposition") ?? "attachment",
    });
  });
}

/** How many changes a page shows. */
const maxChanges = 500;

/** Where a snapshot is; without a name where new ones are made. */
function snapshotPath(name = ""): string {
  return name === "" ? "/_emulator/snapshots" : pathOf`/_emulator/snapshots/${name}`;
}

async function show(c: ConsoleContext, refusal?: Refusal): Promise<Response> {
  const visit = c.get("visit");
  const [saved, known] = await Promise.all([
    visit.ask("GET", "/_emulator/snapshots"),
    visit.ask("GET", "/_emulator/namespaces"),
  ]);
  const { snapshots } = saved.body as Schemas["SnapshotList"];
  const { namespaces } = known.body as Schemas["NamespaceList"];
  return showPage(
    c,
    {
      title: "Snapshots and namespaces",
      section: "/snapshots",
      lead: "A snapshot saves data, clock and ids of a namespace. A namespace is an isolated world with its own address.",
      refusal,
    },
    <>
      <h2>Snapshots of {visit.namespace}</h2>
      <Snapshots snapshots={snapshots} />
      <div class="columns">
        <Form to="/snapshots" label="Take a snapshot" submit="Take a snapshot">
          <Field label="Name of a new snapshot" name="name" hint="Empty for a generated name." />
        </Form>
        <Form to="/snapshots/upload" label="Upload a snapshot" hasFiles submit="Upload">
          <div class="field">
            <label for="file">SQLite file of a download</label>
            <input type="file" id="file" name="file" />
            <GroupProblem name="file" />
          </div>
        </Form>
      </div>
      {snapshots.length === 0 ? null : (
        <Form to="/snapshots/fork" class="row" label="Make a namespace of a snapshot" scope="fork-">
          <Choice label="Snapshot" name="name" options={snapshots.map(({ name }) => name)} />
          <Field label="Becomes the namespace" name="to" placeholder="worker-1" />
          <button>Make it</button>
        </Form>
      )}
      <h2>Namespaces</h2>
      <Namespaces visit={visit} namespaces={namespaces} />
    </>,
  );
}

function Snapshots({ snapshots }: { snapshots: readonly Schemas["Snapshot"][] }) {
  return (
    <Table
      label="Snapshots"
      head={["Name", ["Clock", "nowrap"], ["Bytes", "number"], ["", "actions"]]}
      rows={snapshots.map(({ name, bytes, clock }) => [
        name,
        shortTime(clock.now),
        bytes.toLocaleString("en-US"),
        <>
          <Action
            to="/snapshots/restore"
            label="Restore"
            of={name}
            fields={{ name }}
            question={`Go back to ${name}? What came after it is lost unless a snapshot has it.`}
          />{" "}
          <Link to={`/snapshots/file/${encodeURIComponent(name)}`} isButton>
            Download<span class="unseen"> {name}</span>
          </Link>{" "}
          <Link to={`/snapshots/changes/${encodeURIComponent(name)}`} isButton>
            Compare<span class="unseen"> {name} with the namespace</span>
          </Link>{" "}
          <Delete
            to="/snapshots/delete"
            of={name}
            fields={{ name }}
            question={`Delete the snapshot ${name}?`}
          />
        </>,
      ])}
      empty={
        <Empty title="No snapshots yet">
          Save one before you try something, and restore it as often as you like.
        </Empty>
      }
    />
  );
}

/** What has changed since a snapshot, until now or until another one. */
async function showChanges(c: ConsoleContext): Promise<Response> {
  const visit = c.get("visit");
  const name = c.req.param("name") ?? "";
  const { to = "" } = c.req.query();
  const query = to === "" ? "" : `?to=${encodeURIComponent(to)}`;
  const [reply, saved] = await Promise.all([
    visit.ask("GET", `${snapshotPath(name)}/changes${query}`),
    visit.ask("GET", "/_emulator/snapshots"),
  ]);
  if (!reply.isOk)
    return errorPage(
      c,
      "No such snapshot",
      "It was deleted, or the namespace was. Snapshots lists what there is.",
    );
  const { added, changed, removed } = reply.body as Schemas["SnapshotChanges"];
  const { snapshots } = saved.body as Schemas["SnapshotList"];
  const changes = [
    ...added.map(({ value, ...entry }) => ({ ...entry, change: "added", values: [value] })),
    ...changed.map(({ before, after, ...entry }) => ({
      ...entry,
      change: "changed",
      values: [before, after],
    })),
    ...removed.map(({ value, ...entry }) => ({ ...entry, change: "removed", values: [value] })),
  ];
  const others = snapshots.flatMap((other) => (other.name === name ? [] : [other.name]));
  return showPage(
    c,
    {
      title: `Changes since ${name}`,
      section: "/snapshots",
      lead: `${added.length} added, ${changed.length} changed, ${removed.length} removed ${to === "" ? "until now" : `until ${to}`}.`,
      trail: [["Snapshots", visit.link("/snapshots")], [name]],
    },
    <>
      <Form to={`/snapshots/changes/${encodeURIComponent(name)}`} isSearch label="Compare" values={{ to }}>
        <Choice label="Until" name="to" options={[["", "now"], ...others]} />
        <button>Compare</button>
      </Form>
      <Table
        label="Changes"
        head={["Change", "Of", ["Which", "key"], ["Value, or before and after", "key"]]}
        rows={changes.slice(0, maxChanges).map(({ change, kind, id, values }) => [
          change,
          kind,
          Object.values(id)
            .map((part) => (typeof part === "string" ? part : JSON.stringify(part)))
            .join(" "),
          values.map((value) => <div>{shortened(JSON.stringify(value))}</div>),
        ])}
        empty={<Empty title="Nothing has changed">Do something, and compare again.</Empty>}
      />
      {changes.length > maxChanges ? <p class="muted">The first {maxChanges} are shown.</p> : null}
    </>,
  );
}

interface NamespacesProps {
  readonly visit: Visit;
  readonly namespaces: readonly Schemas["Namespace"][];
}

function Namespaces({ visit, namespaces }: NamespacesProps) {
  return (
    <>
      <Table
        label="Namespaces"
        head={["Name", ["Base URL", "key"], ["Bytes", "number"], ["Snapshots", "number"], ["", "actions"]]}
        rows={namespaces.map(({ name, path, bytes, snapshots }) => [
          <a
            href={`${path}${consolePath}/snapshots`}
            {...(name === visit.namespace ? { "aria-current": "true" } : {})}
          >
            {name}
          </a>,
          `${visit.origin}${path}`,
          bytes.toLocaleString("en-US"),
          snapshots.count,
          path === "" ? null : (
            <Delete
              to="/namespaces/delete"
              of={name}
              fields={{ name }}
              question={`Delete the namespace ${name} with its snapshots?`}
            />
          ),
        ])}
      />
      <Form
        to="/namespaces/fork"
        class="row"
        label="Copy this namespace"
        hidden={{ name: visit.namespace }}
        scope="copy-"
      >
        <Field label={`Copy ${visit.namespace} to`} name="to" placeholder="worker-1" />
        <button>Copy</button>
      </Form>
    </>
  );
}
