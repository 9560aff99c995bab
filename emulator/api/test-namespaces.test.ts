import { afterAll, expect, it } from "vitest";
import { matchReceivedRequests, readReceivedRequests } from "./received-matchers.js";
import { TestNamespaces } from "./test-namespaces.js";

const namespaces = new TestNamespaces({ fixture: "empty" });
afterAll(() => namespaces.close());

it("lists the requests that a failure lists already only once", async () => {
  const namespace = await namespaces.begin("once");
  await namespace.fetch("/health");
  await namespace.fetch("/health/ready");
  const { description } = matchReceivedRequests(readReceivedRequests(namespace, "putItem"), "putItem", {}, 1);
  const error = new Error(`expected something; ${description}`);
  const other = new Error("expected 1 to be 2");
  for (const one of [error, other]) namespaces.showRequests(namespace, one);
  expect(error.message.match(/GET \/health → 200/g)).toHaveLength(1);
  expect(error.message).not.toContain("The last requests");
  expect(other.message).toContain("The last requests to the data service:\n  GET /health → 200");
  await namespaces.end(namespace);
});
