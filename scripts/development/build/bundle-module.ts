import { build } from "esbuild";

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
    logLevel: "error",
  });
}
