import { afterAll, describe, expect, it } from "vitest";
import { createEmulator } from "../api/emulator.js";

describe("the start page", async () => {
  const emulator = await createEmulator();
  afterAll(() => emulator.close());
  const html = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  const visit = (path: string) => emulator.fetch(path, { headers: html });

  it("says what this is, and every link works and leaves no trace, in the requested namespace", async () => {
    emulator.namespace("other").clock.advance("10m");
    for (const prefix of ["", "/ns/other"]) {
      const { clock, journal } = emulator.namespace(prefix === "" ? "default" : "other");
      const before = clock.get();
      const answer = await visit(`${prefix}/`);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      const page = await answer.text();
      expect(page).toContain("local emulator of the hosted data service");
      const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, link = ""]) => link);
      expect(links.length).toBeGreaterThan(4);
      for (const link of links) {
        expect(link.startsWith(`${prefix}/`)).toBe(true);
        expect([link, (await emulator.fetch(link, { headers: html })).status]).toEqual([link, 200]);
      }
      expect([clock.get(), journal.entries()]).toEqual([before, []]);
    }
  });

  it("shows a request that finds data of the namespace", async () => {
    const seed = {
      users: ["ada@acme.test"],
      organizations: [{ id: "org_acme", name: "Acme" }],
      apiKeys: [
        { key: "dsk_old", organization: "org_acme", expiresAt: "2029-01-01T00:00:00Z" },
        { key: "dsk_acme", organization: "org_acme" },
      ],
      databases: [{ id: "db_shop", name: "shop", items: [{ pk: "one", data: { a: 1 } }] }],
    };
    const own = await createEmulator({ fixture: seed });
    const page = await (await own.fetch("/", { headers: html })).text();
    expect(page).toMatch(/<pre>curl http\S+\/db_shop\/items\/scan -H 'Authorization: Bearer dsk_acme' /);
    const fresh = await (await own.fetch("/ns/fresh/", { headers: html })).text();
    expect(fresh).toMatch(/<pre>curl http\S+\/ns\/fresh\/health<\/pre>/);
    expect(fresh).toContain("<b>fresh</b> does not exist yet");
    expect(own.namespaces.list().map(({ name }) => name)).toEqual(["default"]);
    // a page whose host name was made to lead here can read what it shows
    const rebound = await own.fetch("/", { headers: { ...html, Host: "rebound.test:4100" } });
    expect(await rebound.text()).not.toContain("dsk_acme");
    await own.close();
  });

  it("links to no page of a disabled console", async () => {
    const quiet = await createEmulator({ console: false });
    const page = await (await quiet.fetch("/", { headers: html })).text();
    expect(page).toContain("local emulator of the hosted data service");
    expect(page).not.toContain("/_emulator/console");
    expect((await quiet.fetch("/problems/forbidden", { headers: html })).status).toBe(404);
    await quiet.close();
  });

  it("is for browsers only: others get 404", async () => {
    expect((await emulator.fetch("/")).status).toBe(404);
    expect((await emulator.fetch("/", { method: "POST", headers: html })).status).toBe(404);
    expect((await visit("/nowhere")).status).toBe(404);
    expect((await emulator.fetch("/", { method: "HEAD", headers: html })).status).toBe(200);
  });

  it("documents the type of every error, and what to do", async () => {
    const document = await (await emulator.fetch("/openapi.json")).text();
    const documented = new Set(document.match(/https:\/\/[\w.-]+\/problems\/[\w-]+/g));
    expect(documented.size).toBeGreaterThan(20);
    for (const prefix of ["", "/ns/other"])
      for (const type of documented) {
        const { pathname } = new URL(type);
        const answer = await emulator.fetch(`${prefix}${pathname}`, { headers: html, redirect: "manual" });
        const to = answer.headers.get("location") ?? "";
        expect([answer.status, to]).toEqual([
          303,
          `${prefix}/_emulator/console/errors/${pathname.split("/").at(-1)}`,
        ]);
      }
    const page = await fetch(`${await emulator.listen()}/_emulator/console/errors/item-too-large`);
    const text = await page.text();
    expect(text).toContain("putItem");
    expect(text).not.toContain("listPlans");
    expect((await emulator.fetch("/problems/forbidden")).status).toBe(404);
    expect((await visit("/problems/nonsense")).status).toBe(404);
  });

  it("leaves no trace of the icon that browsers ask for", async () => {
    const own = await createEmulator();
    const before = own.clock.get();
    const icon = (Accept: string) => own.fetch("/favicon.ico", { headers: { Accept } });
    expect((await icon("image/avif,image/webp,*/*;q=0.8")).status).toBe(204);
    expect([own.clock.get(), own.journal.entries()]).toEqual([before, []]);
    expect((await icon("*/*")).status).toBe(404);
    expect(own.journal.entries()).toHaveLength(1);
    await own.close();
  });

  it("contains nothing of a request that HTML could interpret", async () => {
    const url = await emulator.listen();
    const { request } = await import("node:http");
    const page = await new Promise<string>((resolve) => {
      const headers = { ...html, Host: `x"><script>alert(1)</script>` };
      request(url, { headers }, (answer) => {
        let text = "";
        answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
        answer.on("end", () => resolve(text));
      }).end();
    });
    expect(page).not.toContain("<script>");
  });
});
