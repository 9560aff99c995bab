import { mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleModule } from "../build/bundle-module.js";

const bundles = new Map<string, Promise<string>>();

/**
 * The path of a script as one file that Node runs as it is: a process of it is there in a fraction of the time that tsx
 * takes to load what it imports. It is made once, and goes with this process.
 */
export function bundleScript(script: URL): Promise<string> {
  let bundle = bundles.get(script.href);
  if (bundle === undefined) bundles.set(script.href, (bundle = makeBundle(fileURLToPath(script))));
  return bundle;
}

async function makeBundle(entryPoint: string): Promise<string> {
  // where the packages are found
  const folder = fileURLToPath(new URL(`../../../node_modules/.cache/fuzz-${process.pid}`, import.meta.url));
  mkdirSync(folder, { recursive: true });
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, basename(entryPoint).replace(/ts$/, "mjs"));
  await bundleModule(entryPoint, outfile);
  return outfile;
}
