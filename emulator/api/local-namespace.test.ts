import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { type ControlOperationId, controlPlaneOperations } from "../../openapi/control-plane/operations.js";
import { connectEmulator } from "./connect.js";
import { createEmulator, type Emulator } from "./emulator.js";
import { Problem } from "../domain/problem.js";
import { createNamespaceClient, createNamespaceManager, type Transport } from "./emulator-namespace.js";

it("returns copies, so that changing them has no effect", async () => {
  const emulator = await createEmulator();
  const other = await createEmulator();
  const rule = { effect: { kind: "status", status: 503 }, when: { count: 1 } } as const;
  for (const profile of [emulator.state().profile, emulator.profile.get(), emulator.profile.set({})])
    Object.assign(profile, { "delete-missing-item-status": 404 });
  const { faultId, ...fault } = emulator.faults.create(rule);
  Object.assign(fault.effect, { status: 418 });
  Object.assign(fault.when, { count: 99 });
  for (const { profile } of [emulator.state(), emulator.namespace("new").state(), other.state()])
    expect(profile["delete-missing-item-status"]).toBe(204);
  expect(emulator.faults.get(faultId)).toMatchObject(rule);
  await emulator.close();
  await other.close();
});

it("lists every mistake in the message of an error, in-process and remote", async () => {
  const emulator = await createEmulator();
  const remote = await connectEmulator(await emulator.listen({ port: 0 }));
  const rule = {
    effect: { kind: "status", status: 503 },
    match: { operationId: "putItm" },
    when: { nth: 0 },
  };
  const expected = /\/match\/operationId: .*putItem.*; .*\/when\/nth: /;
  expect(() => emulator.faults.create(rule as never)).toThrow(expected);
  await expect(remote.faults.create(rule as never)).rejects.toThrow(expected);
  await emulator.close();
});

/** Functions that have no counterpart in the control plane, because they concern requests, the process or the port. */
const functionsWithoutOperation = ["fetch", "listen", "stopListening", "reload", "close", "namespace"];

/** The functions of the in-process API that have the same effect as an operation of the control plane. */
const counterparts: Readonly<Record<ControlOperationId, readonly string[]>> = {
  getEmulator: ["state"],
  resetEmulator: ["reset"],
  getClock: ["clock.get"],
  changeClock: ["clock.advance", "clock.set", "clock.mode", "clock.change"],
  getProfile: ["profile.get"],
  setProfile: ["profile.set"],
  createUser: ["users.create"],
  deleteUser: ["users.delete"],
  createApiKey: ["apiKeys.create"],
  listApiKeys: ["apiKeys.list"],
  deleteApiKey: ["apiKeys.delete"],
  changeDatabase: ["databases.change"],
  changeOrganization: ["organizations.change"],
  acceptInvitation: ["invitations.accept"],
  getCheckout: ["checkouts.get"],
  completeCheckout: ["checkouts.complete"],
  getSubscription: ["subscriptions.get"],
  listOrders: ["subscriptions.orders"],
  getReturnAddresses: ["returnAddresses.get"],
  setReturnAddresses: ["returnAddresses.set"],
  listUsers: ["users.list"],
  listOrganizations: ["organizations.list"],
  listAllDatabases: ["databases.list"],
  createSession: ["sessions.create", "token"],
  changeSubscription: ["subscriptions.change"],
  setHealth: ["health.set"],
  listNamespaces: ["namespaces.list"],
  setNamespace: ["namespaces.set"],
  deleteNamespace: ["namespaces.delete"],
  forkNamespace: ["fork"],
  listSnapshots: ["snapshots.list"],
  takeSnapshot: ["snapshots.save"],
  saveSnapshot: ["snapshots.save"],
  getSnapshot: ["snapshots.get", "snapshots.download"],
  uploadSnapshot: ["snapshots.upload"],
  compareSnapshot: ["snapshots.compare"],
  restoreSnapshot: ["snapshots.restore"],
  forkSnapshot: ["snapshots.fork"],
  deleteSnapshot: ["snapshots.delete"],
  createFault: ["faults.create"],
  listFaults: ["faults.list"],
  clearFaults: ["faults.clear"],
  getFault: ["faults.get"],
  deleteFault: ["faults.delete"],
  getJournal: ["journal.entries", "journal.requests", "journal.status", "journal.har"],
  getCoverage: ["coverage"],
  clearJournal: ["journal.clear"],
  // the response is a document, which the package also exports as `data-service-emulator/control-plane.json`
  getControlPlaneDocument: ["fetch"],
};

/** Functions that combine two operations, or have the same effect as an operation without calling it. */
const combinedFunctions: Readonly<Record<string, string>> = {
  export: "takeSnapshot and getSnapshot, without keeping a snapshot",
};

describe("the in-process API and the control plane", () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await createEmulator();
    return () => emulator.close();
  });

  it("have a counterpart for everything", () => {
    const functions = new Map(listFunctions(emulator));
    const named = Object.values(counterparts).flat();
    for (const path of named) expect(functions.has(path), path).toBe(true);
    const known = new Set([...named, ...functionsWithoutOperation, ...Object.keys(combinedFunctions)]);
    expect([...functions.keys()].filter((path) => !known.has(path))).toEqual([]);
  });

  it("have a counterpart in the guide for every function", () => {
    const guide = readFileSync(new URL("../guides/control-plane.md", import.meta.url), "utf8");
    const columns = [...guide.matchAll(/^\|.*\|([^|]*)\|$/gm)].map(([, column = ""]) => column);
    const listed = columns.flatMap((column) => [...column.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    const named = Object.values(counterparts).flat();
    expect(new Set(listed)).toEqual(new Set(named.filter((path) => path !== "fetch")));
  });

  const called = (Object.keys(counterparts) as ControlOperationId[]).flatMap((id) =>
    counterparts[id].filter((path) => path !== "fetch" && path !== "fork").map((path) => [id, path] as const),
  );
  it.each(called)("do the same for %s: %s", (id, path) => {
    const calls = new Set<ControlOperationId>();
    const note = (one: ControlOperationId) => void calls.add(one);
    const transport = { call: note } as unknown as Transport;
    const watched = {
      ...createNamespaceClient("watched", transport),
      namespaces: createNamespaceManager(transport),
    };
    // with and without a name
    for (const args of [["some-name", "another"], []]) new Map(listFunctions(watched)).get(path)?.(...args);
    expect([...calls]).toContain(id);
  });

  it("show the document of the control plane", async () => {
    const document = (await (await emulator.fetch("/_emulator/openapi.json")).json()) as object;
    expect(document).toMatchObject({ openapi: "3.1.0", paths: { "/_emulator": {} } });
  });

  it("refuse invalid input, and stay unchanged", async () => {
    const before = emulator.clock.get();
    expect(() => emulator.clock.mode("sundial" as "manual")).toThrow(Problem);
    expect(emulator.clock.get()).toEqual(before);
    await expect(createEmulator({ clock: "sundial" as "manual" })).rejects.toThrow("manual or system");
  });

  it("keep an uploaded snapshot, even if the caller changes its bytes", async () => {
    emulator.snapshots.save("kept");
    const bytes = emulator.snapshots.download("kept");
    emulator.snapshots.upload("uploaded", bytes);
    bytes.fill(0);
    emulator.snapshots.restore("uploaded");
    expect((await emulator.fetch("/api/v1/plans")).status).toBe(200);
    for (const name of ["kept", "uploaded"]) emulator.snapshots.delete(name);
  });

  it("refuse names of namespaces that are no texts", () => {
    for (const name of [undefined, ["a"], 5])
      expect(() => emulator.namespace(name as never)).toThrow("The name of a namespace must consist of");
  });

  it("agree about the journal", async () => {
    await emulator.fetch("/health");
    const response = await emulator.fetch("/_emulator/journal");
    expect(((await response.json()) as { entries: unknown }).entries).toEqual(emulator.journal.entries());
    const har = await emulator.fetch("/_emulator/journal?format=har");
    expect(await har.json()).toEqual(JSON.parse(JSON.stringify(emulator.journal.har())));
  });

  it("export the same file", () => {
    emulator.snapshots.save("same");
    expect(Buffer.from(emulator.export()).equals(emulator.snapshots.download("same"))).toBe(true);
  });

  it("are all covered by this test", () => {
    expect(Object.keys(counterparts).sort()).toEqual(Object.keys(controlPlaneOperations).sort());
  });
});

type AnyFunction = (...args: unknown[]) => unknown;

/** Lists all functions of an emulator with their paths, such as `clock.advance`. */
function listFunctions(emulator: object): [string, AnyFunction][] {
  return Object.entries(emulator).flatMap(([name, member]: [string, unknown]): [string, AnyFunction][] => {
    // a Hono object, not part of the API
    if (name === "app") return [];
    if (typeof member === "function") return [[name, member as AnyFunction]];
    if (typeof member !== "object" || member === null) return [];
    return Object.entries(member).map(([inner, call]) => [`${name}.${inner}`, call as AnyFunction]);
  });
}
