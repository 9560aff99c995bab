import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { findPackagedFile } from "../packaged/find-packaged-file.js";
import sources from "./asset-sources.json" with { type: "json" };
import { memoize } from "../text/memoize.js";

/** A style sheet or script for HTML pages. */
export type AssetName = keyof typeof sources;

/** The media type of each asset. */
export const assets: Readonly<Record<AssetName, { readonly type: string }>> = sources;

/** Reads an asset: compressed from the package, or from its source if the sources run without a build. */
export const readAsset = memoize((name: AssetName) => {
  const packaged = findPackagedFile(`page-assets/${name}.br`);
  const bytes =
    packaged === undefined
      ? readFileSync(findSource(sources[name]))
      : brotliDecompressSync(readFileSync(packaged));
  return bytes.toString();
});

function findSource({ file, module = "" }: { readonly file?: string; readonly module?: string }): string {
  return file === undefined
    ? createRequire(import.meta.url).resolve(module)
    : fileURLToPath(new URL(`../../${file}`, import.meta.url));
}
