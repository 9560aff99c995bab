import { afterAll, expect, it } from "vitest";
import { matchReceivedRequests, readReceivedRequests } from "./received-matchers.js";
import { TestNamespaces } from "./test-namespaces.js";

const namespaces = new TestNamespaces({ fixture: "empty" });
afterAll(() => namespaces.close());

it("lists requests once if the failure message already contains them", async () => {
  const receive = async (test: string) => {
    const namespace = await namespaces.begin(test, test);
    await namespace.fetch("/health");
    await namespace.fetch("/health/ready");
    return namespace;
  };
  const received = readReceivedRequests(await receive("once"), "putItem");
  const { description } = matchReceivedRequests(received, { operationId: "putItem", expected: {} });
  const error = new Error(`expected something; ${description}`);
  await namespaces.end("once", error);
  expect(error.message.match(/GET \/health → 200/g)).toHaveLength(1);
  expect(error.message).not.toContain("The last requests");
  await receive("other");
  const other = new Error("expected 1 to be 2");
  await namespaces.end("other", other);
  expect(other.message).toContain("The last requests to the data service:\n  GET /health → 200");
});

it("says that a failed test has sent no requests", async () => {
  for (const [serviceUrl, where] of [
    [undefined, ""],
    ["https://api.shop.example", " (serviceUrl is https://api.shop.example)"],
  ] as const) {
    await namespaces.begin("silent", "silent");
    const error = new Error("Failed to fetch");
    await namespaces.end("silent", error, serviceUrl);
    expect(error.message).toContain(`The journal has no requests of this test to the data service${where}.`);
  }
});

it("does not say that a failed test has sent no requests if the journal is off or was cleared", async () => {
  for (const options of [{ journal: false }, {}]) {
    const tests = new TestNamespaces(options);
    const namespace = await tests.begin("sent", "sent");
    await namespace.fetch("/health");
    namespace.reset();
    const error = new Error("expected 1 to be 2");
    await tests.end("sent", error);
    expect(error.message).not.toContain("No request reached");
    expect(error.message.includes("The journal")).toBe(!("journal" in options));
    await tests.close();
  }
});

it("does not give a test a namespace that a running test has forked", async () => {
  const first = await namespaces.begin("forks", "forks");
  first.fork("taken");
  expect((await namespaces.begin("taken", "taken")).name).toBe("taken-2");
  for (const test of ["forks", "taken"]) await namespaces.end(test, undefined);
});

it("refuses late calls to forks of a test, so that the next test can use their names", async () => {
  const running = await namespaces.begin("running", "running");
  const first = await namespaces.begin("first", "first");
  first.snapshots.save("saved");
  const late = [first.fork("worker"), first.snapshots.fork("saved", "copy"), first.fork("z").fork("nested")];
  for (const fork of late) expect((await fork.fetch("/health")).status).toBe(200);
  await namespaces.end("first", undefined);
  for (const fork of late) {
    const ended = "the test that forked this namespace has ended";
    await expect(fork.fetch("/health")).rejects.toThrow(ended);
    for (const call of [fork.state, fork.export, () => fork.clock.advance("1d"), () => fork.fork("late")])
      expect(call).toThrow(ended);
    expect(running.fork(fork.name).clock.get().now).toMatch(/^2030-01-01T00:00/);
  }
  await namespaces.end("running", undefined);
});

it("shows paths unchanged, even if they contain replacement patterns", async () => {
  await (await namespaces.begin("patterns", "patterns")).fetch("/$&");
  const error = new Error("expected 1 to be 2");
  await namespaces.end("patterns", error);
  expect(error.stack).toContain(error.message);
});
