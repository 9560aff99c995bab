import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import { Problem } from "../domain/problem.js";
import { callNamespaceFunction } from "../testing/call-namespace-function.js";
import { invalidControlCalls } from "../testing/invalid-control-calls.js";
import { connectEmulator, type ConnectOptions, type RemoteEmulator } from "./connect.js";
import { createEmulator, type Emulator } from "./emulator.js";

let emulator: Emulator;
let remote: RemoteEmulator;
let url: string;

beforeAll(async () => {
  emulator = await createEmulator();
  url = await emulator.listen();
  remote = await connectEmulator(url);
});
afterAll(() => emulator.close());

/** Lists the paths of an API object's functions, such as `clock.advance`. */
function listFunctionPaths(handle: object): string[] {
  return Object.entries(handle).flatMap(([name, member]: [string, unknown]) => {
    // a Hono object, not part of the API
    if (name === "app") return [];
    if (typeof member === "function") return [name];
    return typeof member === "object" && member !== null
      ? Object.keys(member).map((inner) => `${name}.${inner}`)
      : [];
  });
}

async function getErrorDescription(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

const describeError = (error: unknown) => {
  if (!(error instanceof Problem)) throw error;
  const { status, kind, message, violations } = error;
  return [status, kind, message, violations.map((one) => [one.in, one.pointer, one.detail])];
};

describe("a handle on an emulator in another process", () => {
  it("has the functions of an in-process handle, except those about the process", () => {
    const ofTheProcess = ["listen", "stopListening", "reload", "close"];
    const own = listFunctionPaths(emulator).filter((name) => !ofTheProcess.includes(name));
    expect(listFunctionPaths(remote).sort()).toEqual(own.sort());
  });

  const calls = Object.entries(invalidControlCalls).flatMap(([id, list]) =>
    list.map((call) => [id as ControlOperationId, call] as const),
  );
  it.each(calls)("throws the same errors: %s %j", async (id, call) => {
    const [there, here] = await Promise.all([
      getErrorDescription(() => callNamespaceFunction(remote, id, call)),
      getErrorDescription(() => callNamespaceFunction(emulator, id, call)),
    ]);
    expect(describeError(there)).toEqual(describeError(here));
  });

  it("throws for what JSON cannot represent", async () => {
    const body = { effect: { kind: "drop" }, match: { operationId: () => "getHealth" } };
    for (const handle of [remote, emulator])
      expect(
        describeError(
          await getErrorDescription(() => callNamespaceFunction(handle, "createFault", { body })),
        ),
      ).toEqual([
        400,
        "validation-failed",
        "body /match/operationId: must be JSON, not a function",
        [["body", "/match/operationId", "must be JSON, not a function"]],
      ]);
  });

  it("names the line of the caller in the stack of a refusal", async () => {
    for (const handle of [emulator, remote]) {
      const refused = (await getErrorDescription(() => handle.clock.advance("10 minutes"))) as Error;
      expect(refused.stack).toContain("connect.test.ts");
    }
    for (const handle of [emulator, remote])
      for (const name of ["no name!", "", ".", ".."]) {
        const misnamed = (await getErrorDescription(() => handle.namespace(name))) as Error;
        expect(misnamed).toMatchObject({ kind: "malformed-request", status: 400 });
        expect(misnamed.stack).toContain("connect.test.ts");
      }
  });

  it("refuses names that would lead a URL to another operation", async () => {
    for (const name of [".", ".."])
      await expect(remote.snapshots.restore(name)).rejects.toThrow(`name must not be "${name}"`);
    expect(await remote.snapshots.list()).toEqual([]);
  });

  it("have the same effect and result", async () => {
    expect(await remote.state()).toEqual(emulator.state());
    expect(await remote.clock.advance("P1D")).toEqual(emulator.clock.get());
    expect((await remote.clock.advance("10m")).now).toBe("2030-01-02T00:10:00.000Z");
    expect(emulator.clock.advance("1h").now).toBe("2030-01-02T01:10:00.000Z");
    const { faultId } = await remote.faults.create({
      effect: { kind: "status" },
      match: { path: "/health" },
    });
    expect(emulator.faults.get(faultId)).toEqual(await remote.faults.get(faultId));
    expect((await remote.fetch("/health")).status).toBe(503);
    expect((await remote.fetch(`${url}/health`)).status).toBe(503);
    await remote.faults.clear();
    expect(await remote.journal.entries({ status: 503 })).toEqual(emulator.journal.entries({ status: 503 }));
    expect(await remote.journal.har({ limit: 1 })).toEqual(
      JSON.parse(JSON.stringify(emulator.journal.har({ limit: 1 }))),
    );
    await remote.journal.clear();
    expect(emulator.journal.entries()).toEqual([]);
    const { key } = await remote.apiKeys.create({ organizationId: "org_demo_pro", name: "k", scopes: ["*"] });
    expect((await remote.apiKeys.list()).at(-1)).toMatchObject({ key });
    expect(Buffer.from(await remote.export()).equals(emulator.export())).toBe(true);
    expect(await remote.snapshots.list()).toEqual([]);
    await remote.reset();
    expect(emulator.state().clock.now).toBe("2030-01-01T00:00:00.000Z");
  });

  it("gives access to other namespaces", async () => {
    const one = remote.namespace("one");
    await one.clock.advance("P1D");
    const copy = await one.fork("copy");
    expect([copy.name, copy.url, (await copy.clock.get()).now]).toEqual([
      "copy",
      `${url}/ns/copy`,
      "2030-01-02T00:00:00.000Z",
    ]);
    await one.snapshots.save("kept");
    await copy.snapshots.upload("taken", await one.snapshots.download("kept"));
    await (await copy.snapshots.fork("taken", "third")).fetch("/health");
    expect((await remote.namespaces.list()).map(({ name }) => name)).toEqual([
      "default",
      "one",
      "copy",
      "third",
    ]);
    // the URL may include a namespace
    const there = await connectEmulator(`${url}/ns/one/`);
    expect([there.name, there.url, (await there.clock.get()).now.slice(0, 10)]).toEqual([
      "one",
      `${url}/ns/one`,
      "2030-01-02",
    ]);
    expect((await there.namespace("default").clock.get()).now).toBe(emulator.clock.get().now);
    await there.namespaces.delete("copy");
    await (await remote.namespace("unused").fork("of-unused")).state();
    for (const name of ["one", "third", "unused", "of-unused"]) await remote.namespaces.delete(name);
    expect(emulator.namespaces.list()).toHaveLength(1);
  });

  it("sends requests to its namespace, with any host in their URL", async () => {
    const items = "/api/v1/databases/db_demo/items";
    const other = emulator.namespace("elsewhere");
    const there = remote.namespace("elsewhere");
    const headers = { authorization: "Bearer dsk_demo_all", "content-type": "application/json" };
    for (const base of ["http://other.example", there.url, "https://other.example/ns/elsewhere"]) {
      const body = JSON.stringify({ pk: base, data: {} });
      const put = new Request(base + items, { method: "PUT", headers, body });
      expect((await there.fetch(put)).status).toBe(200);
      // a client may pass a Request as the second argument
      for (const target of [there, other]) {
        const again = () => new Request("http://other.example", { method: "PUT", headers, body });
        expect((await target.fetch(base + items, again())).status).toBe(200);
        expect((await target.fetch(new Request(base + items), again())).status).toBe(200);
      }
      const path = `${items}/${encodeURIComponent(base)}`;
      expect((await there.fetch(path, { headers })).status).toBe(200);
      expect((await other.fetch(path, { headers })).status).toBe(200);
    }
    for (const target of [remote, there, emulator, other])
      expect((await target.fetch("health?a=/b")).status).toBe(200);
    const given = AbortSignal.abort(new Error("given up"));
    await expect(there.fetch(new Request("http://other.example/health", { signal: given }))).rejects.toThrow(
      "given up",
    );
  });

  it("refuses a URL with a fragment, as an unencoded # in a key makes one", async () => {
    for (const namespace of [emulator, await connectEmulator(url)])
      for (const input of ["/health#1", new URL("http://other.example/health#1")])
        await expect(namespace.fetch(input)).rejects.toThrow(/"#1".*write # as %23/);
  });

  it.each([
    [{ waitMs: NaN }, "waitMs must be a number of milliseconds, not NaN"],
    [{ waitMs: -1 }, "waitMs must be a number of milliseconds, not -1"],
    [{ waitMs: "9" }, 'waitMs must be a number of milliseconds, not "9"'],
    [{ wait: 9 }, "connectEmulator has no option wait; the options are waitMs"],
    [null, "the options of connectEmulator must be an object, not null"],
  ])("refuses the options %j", async (options, mistake) => {
    await expect(connectEmulator("http://127.0.0.1:1", options as ConnectOptions)).rejects.toThrow(mistake);
  });

  it("explains an invalid URL, and waits for an emulator if asked to", async () => {
    await expect(connectEmulator("")).rejects.toThrow("DATA_SERVICE_URL");
    for (const invalid of ["not a url", "ftp://127.0.0.1:4100", "javascript:0"])
      await expect(connectEmulator(invalid)).rejects.toThrow("is not the URL of an emulator");
    const late = await createEmulator();
    const free = await late.listen();
    await late.stopListening();
    await expect(connectEmulator(free)).rejects.toThrow(`no emulator responds at ${free}: ECONNREFUSED`);
    const connecting = connectEmulator(free, { waitMs: 60_000 });
    await late.listen({ port: Number(new URL(free).port) });
    expect((await connecting).url).toBe(free);
    await late.close();
  });
});

it.each([Infinity, 2 ** 31, 7000.5])("connects at once if it may wait %d ms", async (waitMs) => {
  const emulator = await createEmulator();
  const fetched = vi.spyOn(globalThis, "fetch");
  const timeout = vi.spyOn(AbortSignal, "timeout");
  const connected = await connectEmulator(await emulator.listen(), { waitMs });
  expect([connected.name, fetched.mock.calls.length]).toEqual(["default", 1]);
  expect(timeout.mock.lastCall?.[0]).toBeLessThan(2 ** 31);
  vi.restoreAllMocks();
  await emulator.close();
});

describe("connecting to something else than an emulator", () => {
  it("names the URL of a response that breaks off", async () => {
    const pull = (controller: ReadableStreamDefaultController) => controller.error(new Error("broken off"));
    vi.stubGlobal("fetch", () => Promise.resolve(new Response(new ReadableStream({ pull }))));
    try {
      await expect(connectEmulator("http://127.0.0.1:1")).rejects.toThrow(
        "cannot read the response from http://127.0.0.1:1/_emulator: broken off",
      );
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it.each(["null", "{}", '{"status":"Healthy"}', "<html>"])("refuses the response %s", async (text) => {
    vi.stubGlobal("fetch", () => Promise.resolve(new Response(text)));
    try {
      await expect(connectEmulator("http://127.0.0.1:1")).rejects.toThrow(
        "no emulator responds at http://127.0.0.1:1, but another server; check the URL",
      );
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it.each(['{"type":5}', "no JSON", "null", '{"type":"a","detail":"b","errors":1}'])(
    "says that an error is not the emulator's: %s",
    async (body) => {
      const init = { status: 400, headers: { "Content-Type": "application/problem+json" } };
      vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response(body, init));
      try {
        await expect(remote.clock.get()).rejects.toThrow("not in the emulator's error format");
      } finally {
        vi.restoreAllMocks();
      }
    },
  );

  it("stops waiting for a response that never ends", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error("the time is over")), 100);
      return controller.signal;
    });
    const server = createServer((_request, response) => response.write(" "));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      await expect(connectEmulator(`http://127.0.0.1:${port}`)).rejects.toThrow("the time is over");
      expect(timeout).toHaveBeenCalledWith(5000);
    } finally {
      vi.restoreAllMocks();
      server.closeAllConnections();
      server.close();
    }
  });
});
