import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildControlPlaneDocument } from "../../openapi/control-plane/document.js";
import { buildDocument } from "../../openapi/document/document.js";
import { toPublicDocument } from "../../openapi/document/to-public-document.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { createEmulator, type Emulator } from "../api/emulator.js";

let emulator: Emulator;
let url: string;
beforeAll(async () => {
  emulator = await createEmulator();
  url = await emulator.listen();
});
afterAll(() => emulator.close());

const plain = (document: object): unknown => JSON.parse(JSON.stringify(document));
const servers = (of: string) => [{ url: of, description: "This emulator." }];

describe("GET /openapi.json", () => {
  it("returns the document of the current profile, with the requested address as its server", async () => {
    const found = await fetch(`${url}/openapi.json`);
    expect([found.status, found.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(await found.json()).toEqual(
      plain({ ...toPublicDocument(buildDocument(defaultProfile), defaultProfile), servers: servers(url) }),
    );
    const profile = { ...defaultProfile, "validation-status": 422 };
    await emulator.fetch("/ns/other/_emulator/profile", {
      method: "PUT",
      body: JSON.stringify({ "validation-status": 422 }),
      headers: { "Content-Type": "application/json" },
    });
    const other = await fetch(`${url}/ns/other/openapi.json`);
    const expected = {
      ...toPublicDocument(buildDocument(profile), profile),
      servers: servers(`${url}/ns/other`),
    };
    expect(await other.json()).toEqual(plain(expected));
  });

  it("is open to pages of other origins, like the service", async () => {
    const found = await fetch(`${url}/openapi.json`, { headers: { Origin: "http://docs.example" } });
    expect(found.headers.get("access-control-allow-origin")).toBe("*");
    const asked = await fetch(`${url}/openapi.json`, {
      method: "OPTIONS",
      headers: { Origin: "http://docs.example", "Access-Control-Request-Method": "GET" },
    });
    expect([asked.status, asked.headers.get("access-control-allow-methods")]).toEqual([204, "GET, HEAD"]);
  });

  it("is not a request to the service: it does not advance the clock and is not recorded", async () => {
    const before = emulator.clock.get();
    await fetch(`${url}/openapi.json`);
    const head = await emulator.fetch("/openapi.json", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(emulator.clock.get()).toEqual(before);
    expect(emulator.journal.entries().filter(({ response }) => response.status === 200)).toEqual([]);
    const posted = await fetch(`${url}/openapi.json`, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});

describe("GET /_emulator/openapi.json", () => {
  it("is the control plane's document, in every namespace", async () => {
    for (const base of [url, `${url}/ns/other`]) {
      const found = await fetch(`${base}/_emulator/openapi.json`);
      expect(await found.json()).toEqual(plain({ ...buildControlPlaneDocument(), servers: servers(base) }));
    }
  });

  it("is for local callers, like the rest of the control plane", async () => {
    const foreign = await fetch(`${url}/_emulator/openapi.json`, {
      headers: { Origin: "http://docs.example" },
    });
    expect(foreign.status).toBe(403);
  });
});
