import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

/** Sources in a bundle find what lies beside them, wherever the bundle is. */
const whereTheyWere: Plugin = {
  name: "where-they-were",
  setup: (bundling) => {
    bundling.onLoad({ filter: /\.tsx?$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replaceAll(
        "import.meta.url",
        JSON.stringify(pathToFileURL(path).href),
      ),
      loader: path.endsWith("x") ? "tsx" : "ts",
    }));
  },
};

/**
 * Bundles a file as a module that runs beside the installed packages.
 *
 * @param alias paths of the files to take for packages
 */
export async function bundleModule(
  entryPoint: string,
  outfile: string,
  alias: Record<string, string> = {},
): Promise<void> {
  await build({
    entryPoints: [entryPoint],
    outfile,
    alias,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    plugins: [whereTheyWere],
    logLevel: "error",
  });
}
