import type { Context } from "hono";
import { sqliteMediaType } from "../../../openapi/control-plane/worlds.js";
import type { components } from "../../../openapi/generated/control-plane-types.js";
import { compareStates, type TableDifference } from "../compare-states.js";
import { consolePath } from "../console-path.js";
import type { ConsoleApp, ConsoleEnvironment } from "../console-app.js";
import { type Refusal, refusalOf } from "../field-problems.js";
import { Action, Choice, Field, Form } from "../form.js";
import { Layout, shortTime } from "../layout.js";
import { DoneNotice, Empty, RefusalNotice, Table } from "../notices.js";
import type { Reply, Visit } from "../visit.js";

type Snapshot = components["schemas"]["Snapshot"];
type Namespace = components["schemas"]["Namespace"];

/** Snapshots of the namespace, and all namespaces. */
export function mountSnapshots(app: ConsoleApp): void {
  app.get("/snapshots", (c) => show(c));
  mountSnapshotForms(app);
  mountNamespaceForms(app);

  app.get("/snapshots/compare", async (c) => {
    const visit = c.get("visit");
    const { before = "", after = "" } = c.req.query();
    const files = await Promise.all([before, after].map((name) => download(visit, name)));
    const [one, other] = files;
    if (one === undefined || other === undefined)
      return show(c, { status: 404, general: ["One of the snapshots is gone."], fields: {} });
    return c.html(
      <Comparison
        visit={visit}
        before={before}
        after={after}
        differences={await compareStates(one, other)}
      />,
    );
  });

  app.get("/snapshots/file/:name", async (c) => {
    const path = `/_emulator/snapshots/${encodeURIComponent(c.req.param("name"))}`;
    const file = await c.get("visit").fetch("GET", path, { accept: sqliteMediaType });
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
    const path = `/_emulator/snapshots${name === "" ? "" : `/${encodeURIComponent(name)}`}`;
    return settle(c, await c.get("visit").ask("POST", path), "saved");
  });

  app.post("/snapshots/upload", async (c) => {
    const { name = "" } = c.get("fields");
    const { file } = c.get("files");
    if (file === undefined || file.size === 0)
      return show(c, { status: 400, general: ["Choose a file that a download gave."], fields: {} });
    const called = name === "" ? file.name.replace(/\.sqlite$/, "") : name;
    const reply = await c.get("visit").ask("PUT", `/_emulator/snapshots/${encodeURIComponent(called)}`, {
      body: new Uint8Array(await file.arrayBuffer()),
      type: sqliteMediaType,
    });
    return settle(c, reply, "saved");
  });

  app.post("/snapshots/:deed{restore|delete|fork}", async (c) => {
    const { name = "", to = "" } = c.get("fields");
    const path = `/_emulator/snapshots/${encodeURIComponent(name)}`;
    const visit = c.get("visit");
    const deed = c.req.param("deed");
    if (deed === "delete") return settle(c, await visit.ask("DELETE", path), "deleted");
    if (deed === "restore") return settle(c, await visit.ask("POST", `${path}/restore`), "restored");
    return settle(c, await visit.ask("POST", `${path}/fork`, { body: { to } }), "created");
  });
}

function mountNamespaceForms(app: ConsoleApp): void {
  app.post("/namespaces/fork", async (c) => {
    const { name = "", to = "" } = c.get("fields");
    const path = `/_emulator/namespaces/${encodeURIComponent(name)}/fork`;
    return settle(c, await c.get("visit").ask("POST", path, { body: { to } }), "created");
  });

  app.post("/namespaces/delete", async (c) => {
    const visit = c.get("visit");
    const { name = "" } = c.get("fields");
    const reply = await visit.ask("DELETE", `/_emulator/namespaces/${encodeURIComponent(name)}`);
    // who stands in it goes on in the default one
    if (reply.isOk && name === visit.namespace)
      return c.redirect(`${consolePath}/snapshots?done=deleted`, 303);
    return settle(c, reply, "deleted");
  });
}

async function settle(c: Context<ConsoleEnvironment>, reply: Reply, done: string): Promise<Response> {
  if (!reply.isOk)
    return show(
      c,
      refusalOf(reply, (pointer) => pointer.split("/")[1]),
    );
  return c.redirect(c.get("visit").link("/snapshots", { done }), 303);
}

async function download(visit: Visit, name: string): Promise<Uint8Array | undefined> {
  const path = `/_emulator/snapshots/${encodeURIComponent(name)}`;
  const answer = await visit.fetch("GET", path, { accept: sqliteMediaType });
  return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined;
}

async function show(c: Context<ConsoleEnvironment>, refusal?: Refusal): Promise<Response> {
  const visit = c.get("visit");
  const [saved, known] = await Promise.all([
    visit.ask("GET", "/_emulator/snapshots"),
    visit.ask("GET", "/_emulator/namespaces"),
  ]);
  const { snapshots } = saved.body as components["schemas"]["SnapshotList"];
  const { namespaces } = known.body as components["schemas"]["NamespaceList"];
  if (refusal !== undefined) c.status(400);
  return c.html(
    <Layout
      visit={visit}
      title="Snapshots and namespaces"
      section="/snapshots"
      lead="A snapshot brings data, clock and ids of a namespace back. A namespace is a world of its own at an address of its own."
    >
      <DoneNotice done={c.req.query("done")} />
      <RefusalNotice refusal={refusal} />
      <h2>Snapshots of {visit.namespace}</h2>
      <Snapshots visit={visit} snapshots={snapshots} />
      <div class="columns">
        <Form action={visit.link("/snapshots")} label="Take a snapshot">
          <Field label="Name of a new snapshot" name="name" hint="Empty takes one that is free." />
          <div class="buttons">
            <button class="main">Take a snapshot</button>
          </div>
        </Form>
        <Form action={visit.link("/snapshots/upload")} label="Upload a snapshot" files>
          <div class="field">
            <label for="file">SQLite file of a download</label>
            <input type="file" id="file" name="file" />
          </div>
          <div class="buttons">
            <button>Upload</button>
          </div>
        </Form>
      </div>
      <Compare visit={visit} snapshots={snapshots} />
      {snapshots.length === 0 ? null : (
        <Form action={visit.link("/snapshots/fork")} class="row" label="Make a namespace of a snapshot">
          <Choice label="Snapshot" name="name" scope="fork-" options={snapshots.map(({ name }) => name)} />
          <Field label="Becomes the namespace" name="to" scope="fork-" placeholder="worker-1" />
          <button>Make it</button>
        </Form>
      )}
      <h2>Namespaces</h2>
      <Namespaces visit={visit} namespaces={namespaces} />
    </Layout>,
  );
}

function Snapshots({ visit, snapshots }: { visit: Visit; snapshots: readonly Snapshot[] }) {
  if (snapshots.length === 0)
    return (
      <Empty title="No snapshots yet">
        <p>Take one before you try something, and go back to it as often as you like.</p>
      </Empty>
    );
  return (
    <Table label="Snapshots" head={["Name", "Clock", "Bytes", ""]}>
      {snapshots.map(({ name, bytes, clock }) => (
        <tr>
          <th scope="row">{name}</th>
          <td class="nowrap">{shortTime(clock.now)}</td>
          <td class="number">{bytes.toLocaleString("en-US")}</td>
          <td class="actions">
            <Action
              action={visit.link("/snapshots/restore")}
              label="Restore"
              of={name}
              fields={{ name }}
              question={`Go back to ${name}? What came after it is lost unless a snapshot has it.`}
            />{" "}
            <a class="button" href={visit.link(`/snapshots/file/${encodeURIComponent(name)}`)}>
              Download<span class="unseen"> {name}</span>
            </a>{" "}
            <Action
              action={visit.link("/snapshots/delete")}
              label="Delete"
              of={name}
              kind="danger"
              fields={{ name }}
              question={`Delete the snapshot ${name}?`}
            />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Compare({ visit, snapshots }: { visit: Visit; snapshots: readonly Snapshot[] }) {
  const [first, second] = snapshots;
  if (first === undefined || second === undefined) return null;
  const names = snapshots.map(({ name }) => name);
  return (
    <form
      method="get"
      action={visit.link("/snapshots/compare")}
      class="row"
      aria-label="Compare two snapshots"
    >
      <Choice label="From" name="before" value={first.name} options={names} />
      <Choice label="To" name="after" value={snapshots.at(-1)?.name ?? second.name} options={names} />
      <button>Compare</button>
    </form>
  );
}

function Namespaces({ visit, namespaces }: { visit: Visit; namespaces: readonly Namespace[] }) {
  return (
    <>
      <Table label="Namespaces" head={["Name", "Base URL", "Bytes", "Snapshots", ""]}>
        {namespaces.map(({ name, path, bytes, snapshots }) => (
          <tr>
            <th scope="row">
              <a
                href={`${path}${consolePath}/snapshots`}
                {...(name === visit.namespace ? { "aria-current": "true" } : {})}
              >
                {name}
              </a>
            </th>
            <td class="key">
              {visit.origin}
              {path}
            </td>
            <td class="number">{bytes.toLocaleString("en-US")}</td>
            <td class="number">{snapshots.count}</td>
            <td class="actions">
              {path === "" ? null : (
                <Action
                  action={visit.link("/namespaces/delete")}
                  label="Delete"
                  of={name}
                  kind="danger"
                  fields={{ name }}
                  question={`Delete the namespace ${name} with its snapshots?`}
                />
              )}
            </td>
          </tr>
        ))}
      </Table>
      <Form action={visit.link("/namespaces/fork")} class="row" label="Copy this namespace">
        <input type="hidden" name="name" value={visit.namespace} />
        <Field label={`Copy ${visit.namespace} to`} name="to" placeholder="worker-1" />
        <button>Copy</button>
      </Form>
    </>
  );
}

interface ComparisonProps {
  readonly visit: Visit;
  readonly before: string;
  readonly after: string;
  readonly differences: readonly TableDifference[];
}

function Comparison({ visit, before, after, differences }: ComparisonProps) {
  return (
    <Layout
      visit={visit}
      title={`${before} to ${after}`}
      section="/snapshots"
      lead="Rows that one has and the other has not."
    >
      <ol class="trail">
        <li>
          <a href={visit.link("/snapshots")}>Snapshots</a>
        </li>
        <li>Comparison</li>
      </ol>
      {differences.length === 0 ? (
        <Empty title="They hold the same">
          <p>Every row of every table is in both.</p>
        </Empty>
      ) : (
        differences.map(({ table, added, removed, addedCount, removedCount }) => (
          <section>
            <h2>
              {table}{" "}
              <span class="muted">
                +{addedCount} −{removedCount}
              </span>
            </h2>
            <Table label={`Rows of ${table}`} head={["", "Row"]}>
              {[...removed.map((row) => ["−", row] as const), ...added.map((row) => ["+", row] as const)].map(
                ([sign, row]) => (
                  <tr>
                    <td>
                      <span class={`status ${sign === "+" ? "good" : "bad"}`}>
                        {sign}
                        <span class="unseen">{sign === "+" ? " added" : " removed"}</span>
                      </span>
                    </td>
                    <td class="key" dir="auto">
                      {row}
                    </td>
                  </tr>
                ),
              )}
            </Table>
          </section>
        ))
      )}
    </Layout>
  );
}
