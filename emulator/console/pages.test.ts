import { afterAll, expect, it } from "vitest";
import { createEmulator } from "../api/emulator.js";
import type { EmulatorNamespace } from "../api/emulator-namespace.js";

const emulator = await createEmulator();
afterAll(() => emulator.close());

const headers = { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" };

async function read({ fetch }: EmulatorNamespace, path: string): Promise<string> {
  return (await fetch(`/_emulator/console${path}`)).text();
}

it("shows on the page of a request which fields were ignored", async () => {
  const namespace = emulator.namespace("ignored-fields");
  const body = JSON.stringify({ pk: "a", data: {}, extra: 1 });
  await namespace.fetch("/api/v1/databases/db_demo/items", { method: "PUT", headers, body });
  expect(await read(namespace, "/traffic/1")).toMatch(/Ignored fields<\/dt><dd[^>]*>\/extra /);
});
