import { beforeAll, beforeEach, expect, it } from "vitest";
import { sendRawBytes } from "../testing/raw-socket.js";
import { createTestEmulator } from "../testing/test-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";

const running = useTestEmulator({ maxNamespaces: 3 });
let url: string;
beforeAll(async () => {
  url = await running.emulator.listen();
});
beforeEach(() => {
  for (const { name } of names()) if (name !== "default") running.emulator.namespaces.delete(name);
});

const names = () => running.emulator.namespaces.list();
const image = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors" };
const overSocket = async (path: string, headers: Readonly<Record<string, string>>) => {
  const lines = Object.entries({ Host: "localhost", Connection: "close", ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Number((await sendRawBytes(url, [`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`])).split(" ")[1]);
};
const inProcess = async (path: string, headers: Readonly<Record<string, string>>) =>
  (await running.emulator.fetch(path, { headers })).status;

for (const [way, get] of [
  ["over a socket", overSocket],
  ["in the process", inProcess],
] as const) {
  it(`an unknown path creates no namespace, ${way}`, async () => {
    for (let number = 0; number < 5; number += 1) expect(await get(`/ns/n${number}/x.png`, {})).toBe(404);
    expect(await get("/ns/other/%ff", {})).toBe(400);
    expect(await get("/ns/other/openapi.json", {})).toBe(200);
    expect(names()).toHaveLength(1);
  });

  it(`an image on a page of another site creates no namespace, ${way}`, async () => {
    for (const path of ["/ns/a/health", "/ns/a/health/live", "/ns/a/_emulator/clock"])
      expect(await get(path, image), path).toBe(403);
    expect(await get("/ns/a/health", { ...image, "Sec-Fetch-Mode": "navigate" })).toBe(403);
    expect(names()).toHaveLength(1);
  });

  it(`only links and CORS requests of other sites reach the service, ${way}`, async () => {
    expect(await get("/health", image)).toBe(403);
    expect(await get("/nowhere", image)).toBe(403);
    expect(await get("/health", { ...image, "Sec-Fetch-Mode": "websocket" })).toBe(403);
    expect(await get("/health", { ...image, "Sec-Fetch-Mode": "navigate" })).toBe(200);
    expect(await get("/health", { ...image, "Sec-Fetch-Mode": "cors" })).toBe(200);
    expect(await get("/health", { ...image, "Sec-Fetch-Site": "same-site" })).toBe(200);
    const form = { ...image, "Sec-Fetch-Mode": "navigate", Origin: "https://elsewhere.test" };
    const sent = await running.emulator.fetch("/auth/password", { method: "POST", headers: form, body: "{" });
    expect(sent.status).toBe(403);
  });

  it(`a deliberate request creates a namespace, ${way}`, async () => {
    expect(await get("/ns/a/health", { "Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors" })).toBe(
      200,
    );
    expect(await get("/ns/b/health", { ...image, "Sec-Fetch-Mode": "cors" })).toBe(200);
    expect(names()).toHaveLength(3);
    // a link to an existing namespace works
    expect(await get("/ns/a/health", { ...image, "Sec-Fetch-Mode": "navigate" })).toBe(200);
    expect(await get("/ns/c/health", {})).toBe(507);
  });
}

it("a page of another site cannot create a namespace with cross-origin none", async () => {
  const { emulator } = await createTestEmulator({ profile: { "cross-origin": "none" } });
  const response = await emulator.fetch("/ns/a/health", { headers: { ...image, "Sec-Fetch-Mode": "cors" } });
  expect(response.status).toBe(403);
  await emulator.close();
});

it("a rebound host name gives a page no access to data with cross-origin none", async () => {
  const { emulator } = await createTestEmulator({
    profile: { "cross-origin": "none" },
    allowHosts: ["emulator.test"],
  });
  const statusOf = async (headers: Record<string, string>) =>
    (await emulator.fetch("/health", { headers })).status;
  const page = { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors" };
  expect(await statusOf({ ...page, Host: "rebound.test:4100" })).toBe(403);
  expect(await statusOf({ Origin: "http://rebound.test:4100", Host: "rebound.test:4100" })).toBe(403);
  // not a browser, a local host name, and an allowed host name
  expect(await statusOf({ Host: "rebound.test:4100" })).toBe(403);
  expect(await statusOf({ ...page, Host: "localhost:4100" })).toBe(200);
  expect(await statusOf({ ...page, Host: "emulator.test:4100" })).toBe(200);
  await emulator.close();
});

it("responds to preflight requests", async () => {
  const response = await running.emulator.fetch("/ns/a/auth/password", {
    method: "OPTIONS",
    headers: { Origin: "http://app.test", "Access-Control-Request-Method": "POST" },
  });
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
  expect(names()).toHaveLength(1);
});
