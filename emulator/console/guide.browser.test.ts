import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium, type Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createEmulator } from "../api/emulator.js";
import { findChromium } from "./testing/find-chromium.js";

const executablePath = findChromium();
const isSkipped = executablePath === undefined && process.env.CI !== "true";
const guide = readFileSync(fileURLToPath(new URL("README.md", import.meta.url)), "utf8");

/** Returns an example file in the guide by its name. */
function sample(name: string): string {
  const [, text] = new RegExp(`<!-- example: ${name} -->\\s*\`\`\`js\\n([^]*?)\`\`\``).exec(guide) ?? [];
  if (text === undefined) throw new Error(`the guide has no ${name}`);
  return text;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe.skipIf(isSkipped)("the guide to the console", () => {
  it("upgrades the example application through the checkout page", async () => {
    if (executablePath === undefined) throw new Error("there is no chromium on PATH");
    const folder = mkdtempSync(join(tmpdir(), "console-guide-"));
    for (const name of ["shop.mjs", "upgrade.mjs"]) writeFileSync(join(folder, name), sample(name));
    const emulator = await createEmulator();
    const service = await emulator.listen();
    const port = await freePort();
    const shop = spawn(process.execPath, [join(folder, "shop.mjs")], {
      env: { ...process.env, DATA_SERVICE_URL: service, PORT: String(port) },
    });
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
    try {
      await new Promise((resolve, reject) => {
        shop.stdout.once("data", resolve);
        shop.stderr.once("data", (text) => reject(new Error(String(text))));
      });
      const { upgrade } = (await import(pathToFileURL(join(folder, "upgrade.mjs")).href)) as {
        upgrade: (page: Page, shop: string) => Promise<void>;
      };
      const page = await browser.newPage();
      await upgrade(page, `http://127.0.0.1:${port}/`);
      // without return addresses, the checkout page sends the user back to the previous page
      expect(page.url()).toBe(`http://127.0.0.1:${port}/`);
      expect(emulator.subscriptions.get("org_demo_free")).toMatchObject({ plan: "pro", status: "trialing" });
    } finally {
      await browser.close();
      shop.kill();
      await emulator.close();
      rmSync(folder, { recursive: true });
    }
  });
});
