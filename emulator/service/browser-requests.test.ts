import { beforeAll, describe, expect, it } from "vitest";
import { createEmulator, type Emulator } from "../api/emulator.js";

describe("what browsers request", () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await createEmulator();
    return () => emulator.close();
  });
  const html = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  const visit = (path: string) => emulator.fetch(path, { headers: html });

  it("redirects to the console of the requested namespace, and is not recorded", async () => {
    emulator.namespace("other").clock.advance("10m");
    for (const prefix of ["", "/ns/other"]) {
      const { clock, journal } = emulator.namespace(prefix === "" ? "default" : "other");
      const before = clock.get();
      const response = await visit(`${prefix}/`);
      const page = `${prefix}/_emulator/console`;
      expect([response.status, response.headers.get("location")]).toEqual([303, page]);
      expect((await visit(page)).status).toBe(200);
      expect([clock.get(), journal.entries()]).toEqual([before, []]);
    }
  });

  it("returns 404 without a console", async () => {
    const quiet = await createEmulator({ console: false });
    for (const path of ["/", "/problems/forbidden"])
      expect((await quiet.fetch(path, { headers: html })).status).toBe(404);
    await quiet.close();
  });

  it("redirects only browsers, and returns 404 to other clients", async () => {
    expect((await emulator.fetch("/")).status).toBe(404);
    expect((await emulator.fetch("/", { method: "POST", headers: html })).status).toBe(404);
    expect((await visit("/nowhere")).status).toBe(404);
    expect((await emulator.fetch("/", { method: "HEAD", headers: html })).status).toBe(303);
  });

  it("documents the type of every error, and how to fix it", async () => {
    const document = await (await emulator.fetch("/openapi.json")).text();
    const documented = new Set(document.match(/https:\/\/[\w.-]+\/problems\/[\w-]+/g));
    expect(documented.size).toBeGreaterThan(20);
    for (const prefix of ["", "/ns/other"])
      for (const type of documented) {
        const { pathname } = new URL(type);
        const response = await emulator.fetch(`${prefix}${pathname}`, { headers: html, redirect: "manual" });
        const to = response.headers.get("location") ?? "";
        expect([response.status, to]).toEqual([
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

  it("does not record requests for the icon", async () => {
    const own = await createEmulator();
    const before = own.clock.get();
    const icon = (Accept: string) => own.fetch("/favicon.ico", { headers: { Accept } });
    expect((await icon("image/avif,image/webp,*/*;q=0.8")).status).toBe(204);
    expect([own.clock.get(), own.journal.entries()]).toEqual([before, []]);
    expect((await icon("*/*")).status).toBe(404);
    expect(own.journal.entries()).toHaveLength(1);
    await own.close();
  });
});
