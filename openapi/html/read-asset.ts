import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { findPackagedFile } from "../packaged/find-packaged-file.js";
import sources from "./asset-sources.json" with { type: "json" };

/** A style sheet or script of pages. */
export type AssetName = keyof typeof sources;

/** The media type of each. */
export const assets: Readonly<Record<AssetName, { readonly type: string }>> = sources;

/** Reads one from the package, or, where the sources run unbuilt, from where it is. */
export function readAsset(name: AssetName): string {
  return readFileSync(findPackagedFile(`page-assets/${name}`) ?? findSource(sources[name]), "utf8");
}

function findSource({ file, module = "" }: { readonly file?: string; readonly module?: string }): string {
  return file === undefined
    ? createRequire(import.meta.url).resolve(module)
    : fileURLToPath(new URL(`../../${file}`, import.meta.url));
}
