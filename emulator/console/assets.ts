import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { findPackagedFile } from "../../openapi/packaged/find-packaged-file.js";
import sources from "./asset-sources.json" with { type: "json" };
import type { ConsoleApp } from "./environment.js";

type AssetName = keyof typeof sources;

interface Asset {
  readonly type: string;
  /** Beside this file. */
  readonly file?: string;
  /** In a package that is there when the package is built, or runs unbuilt. */
  readonly module?: string;
}

const loaded = new Map<AssetName, Promise<Buffer<ArrayBuffer>>>();

/** Styles and scripts, from the package alone. */
export function mountAssets(app: ConsoleApp): void {
  app.get("/assets/:name", async (c) => {
    const name = c.req.param("name");
    if (!Object.hasOwn(sources, name)) return c.text("There is no such file.", 404);
    const known = name as AssetName;
    let bytes = loaded.get(known);
    if (bytes === undefined) loaded.set(known, (bytes = readAsset(known)));
    return c.body(await bytes, 200, { "Content-Type": sources[known].type, "Cache-Control": "no-cache" });
  });
}

/** The build copies them into the package; sources that run unbuilt take them from where they are. */
export async function readAsset(name: AssetName): Promise<Buffer<ArrayBuffer>> {
  return readFile(findPackagedFile(`console-assets/${name}`) ?? sourceOf(sources[name]));
}

function sourceOf({ file, module = "" }: Asset): string {
  return file === undefined
    ? createRequire(import.meta.url).resolve(module)
    : fileURLToPath(new URL(file, import.meta.url));
}
