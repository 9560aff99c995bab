import { sqliteMediaType } from "../../../openapi/control-plane/worlds.js";
import { Empty, shortTime, Table } from "../components.js";
import type { ConsoleApp, ConsoleContext } from "../environment.js";
import { Action, Choice, Field, Form, GroupProblem } from "../form.js";
import { errorPage, Link, settle, showPage } from "../page.js";
import { mistakeIn, type Refusal } from "../refusal.js";
import { consolePath, type Reply, type Schemas, type Visit } from "../visit.js";
import { compareStates, type TableDifference } from "./compare-states.js";

/** Snapshots of the namespace, and all namespaces. */
export function mountSnapshots(app: ConsoleApp): void {
  app.get("/snapshots", (c) => show(c));
  mountSnapshotForms(app);
  mountNamespaceForms(app);

  app.get("/snapshots/compare", async (c) => {
    const visit = c.get("visit");
    const { before = "", after = "" } = c.req.query();
    const [one, other] = [await download(visit, before), await download(visit, after)];
    if (!one.ok || !other.ok) return errorPage(c, "No such snapshot", "One of the snapshots is gone.");
    const [oneBytes, otherBytes] = [await one.arrayBuffer(), await other.arrayBuffer()];
    const differences = await compareStates(new Uint8Array(oneBytes), new Uint8Array(otherBytes));
    return showPage(
      c,
      {
        title: `${before} to ${after}`,
        section: "/snapshots",
        lead: "Rows that one has and the other has not.",
        trail: [["Snapshots", visit.link("/snapshots")], ["Comparison"]],
      },
      differences.length === 0 ? (
        <Empty title="They hold the same">Every row of every table is in both.</Empty>
      ) : (
        differences.map((difference) => <Difference difference={difference} />)
      ),
    );
  });

  app.get("/snapshots/file/:name", async (c) => {
    const file = await download(c.get("visit"), c.req.param("name"));
    if (!file.ok) return c.text("There is no such snapshot.", 404);
    return c.body(await file.arrayBuffer(), 200, {
      "Content-Type": sqliteMediaType,
      "Content-Disposition": file.headers.get("content-disposition") ?? "attachment",
    });
  });
}

function mountSnapshotForms(app: ConsoleApp): void {
  app.post("/snapshots", async (c) => {
    const { name = "" } = c.get("fields");
    return leadOn(c, await c.get("visit").ask("POST", snapshotPath(name)), "saved");
  });

  app.post("/snapshots/upload", async (c) => {
    const { file } = c.get("files");
    if (file === undefined || file.size === 0)
      return show(c, mistakeIn("file", "Choose a file that a download gave."));
    const body = new Uint8Array(await file.arrayBuffer());
    const path = snapshotPath(file.name.replace(/\.sqlite$/, ""));
    return leadOn(c, await c.get("visit").ask("PUT", path, { body, type: sqliteMediaType }), "saved");
  });

  app.post("/snapshots/:deed{restore|delete|fork}", async (c) => {
    const { name = "", to = "" } = c.get("fields");
    const path = snapshotPath(name);
    const visit = c.get("visit");
    const deed = c.req.param("deed");
    if (deed === "delete") return leadOn(c, await visit.ask("DELETE", path), "deleted");
    if (deed === "restore") return leadOn(c, await visit.ask("POST", `${path}/restore`), "restored");
    return leadOn(c, await visit.ask("POST", `${path}/fork`, { body: { to } }), "created");
  });
}

function mountNamespaceForms(app: ConsoleApp): void {
  app.post("/namespaces/fork", async (c) => {
    const { name = "", to = "" } = c.get("fields");
    const path = `/_emulator/namespaces/${encodeURIComponent(name)}/fork`;
    return leadOn(c, await c.get("visit").ask("POST", path, { body: { to } }), "created");
  });

  app.post("/namespaces/delete", async (c) => {
    const visit = c.get("visit");
    const { name = "" } = c.get("fields");
    const reply = await visit.ask("DELETE", `/_emulator/namespaces/${encodeURIComponent(name)}`);
    // who stands in it goes on in the default one
    if (reply.isOk && name === visit.namespace)
      return c.redirect(`${consolePath}/snapshots?done=deleted`, 303);
    return leadOn(c, reply, "deleted");
  });
}

/** Where a snapshot is; without a name where new ones are made. */
function snapshotPath(name: string): string {
  return `/_emulator/snapshots${name === "" ? "" : `/${encodeURIComponent(name)}`}`;
}

function leadOn(c: ConsoleContext, reply: Reply, done: string) {
  return settle(c, reply, show, c.get("visit").link("/snapshots", { done }));
}

function download(visit: Visit, name: string): Promise<Response> {
  const path = `/_emulator/snapshots/${encodeURIComponent(name)}`;
  return visit.fetch("GET", path, { accept: sqliteMediaType });
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
      lead: "A snapshot brings data, clock and ids of a namespace back. A namespace is a world of its own at an address of its own.",
      refusal,
    },
    <>
      <h2>Snapshots of {visit.namespace}</h2>
      <Snapshots snapshots={snapshots} />
      <div class="columns">
        <Form to="/snapshots" label="Take a snapshot" submit="Take a snapshot">
          <Field label="Name of a new snapshot" name="name" hint="Empty takes one that is free." />
        </Form>
        <Form to="/snapshots/upload" label="Upload a snapshot" hasFiles submit="Upload">
          <div class="field">
            <label for="file">SQLite file of a download</label>
            <input type="file" id="file" name="file" />
            <GroupProblem name="file" />
          </div>
        </Form>
      </div>
      <SnapshotForms names={snapshots.map(({ name }) => name)} />
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
          <Action
            to="/snapshots/delete"
            label="Delete"
            of={name}
            kind="danger"
            fields={{ name }}
            question={`Delete the snapshot ${name}?`}
          />
        </>,
      ])}
      empty={
        <Empty title="No snapshots yet">
          Take one before you try something, and go back to it as often as you like.
        </Empty>
      }
    />
  );
}

/** What can be done with snapshots that are there. */
function SnapshotForms({ names }: { names: readonly string[] }) {
  const [first = "", second] = names;
  if (first === "") return null;
  return (
    <>
      {second === undefined ? null : (
        <Form
          to="/snapshots/compare"
          isSearch
          label="Compare two snapshots"
          values={{ before: first, after: names.at(-1) ?? second }}
        >
          <Choice label="From" name="before" options={names} />
          <Choice label="To" name="after" options={names} />
          <button>Compare</button>
        </Form>
      )}
      <Form to="/snapshots/fork" class="row" label="Make a namespace of a snapshot" scope="fork-">
        <Choice label="Snapshot" name="name" options={names} />
        <Field label="Becomes the namespace" name="to" placeholder="worker-1" />
        <button>Make it</button>
      </Form>
    </>
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
            <Action
              to="/namespaces/delete"
              label="Delete"
              of={name}
              kind="danger"
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

function Difference({ difference }: { difference: TableDifference }) {
  const { table, added, removed, addedCount, removedCount } = difference;
  const marked = (sign: string, kind: string, deed: string) => (
    <span class={`status ${kind}`}>
      {sign}
      <span class="unseen"> {deed}</span>
    </span>
  );
  return (
    <section>
      <h2>
        {table}{" "}
        <span class="muted">
          +{addedCount} −{removedCount}
        </span>
      </h2>
      <Table
        label={`Rows of ${table}`}
        head={["Change", ["Row", "key"]]}
        rows={[
          ...removed.map((row) => [marked("−", "bad", "removed"), row]),
          ...added.map((row) => [marked("+", "good", "added"), row]),
        ]}
      />
    </section>
  );
}
