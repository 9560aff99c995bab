import { existsSync, readFileSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { fail } from "./command-error.js";

/** Names under which a file of settings is found in the working directory. */
const names = ["ts", "mts", "js", "mjs", "json"].map((extension) => `data-service.config.${extension}`);

/** A file of settings: the values of options by command and name, as in `{"start": {"port": 4200}}`. */
export interface ConfigFile {
  readonly name: string;
  /** Paths in it count from here. */
  readonly folder: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Reads the file of settings; ends the command where it cannot be used. */
export async function readConfigFile(folder = process.cwd()): Promise<ConfigFile | undefined> {
  const found = names.filter((name) => existsSync(resolve(folder, name)));
  const [name, other] = found;
  if (name === undefined) return undefined;
  if (other !== undefined) fail(`there are ${found.join(" and ")}: keep one of them`);
  const file = resolve(folder, name);
  const settings = await readSettings(file, name);
  if (typeof settings !== "object" || settings === null || Array.isArray(settings))
    fail(`${name} must hold an object: {"start": {…}, "certify": {…}}`);
  return { name, folder: dirname(file), settings: settings as Readonly<Record<string, unknown>> };
}

async function readSettings(file: string, name: string): Promise<unknown> {
  if (name.endsWith("ts") && !readsTypeScript())
    fail(
      `this Node (${process.version}) does not read TypeScript; ${name} needs Node 22.18 or later. ` +
        `Rename it to data-service.config.js, or write data-service.config.json`,
    );
  let settings: unknown;
  try {
    settings =
      extname(file) === ".json"
        ? (JSON.parse(readFileSync(file, "utf8")) as unknown)
        : ((await import(pathToFileURL(file).href)) as { readonly default?: unknown }).default;
  } catch (error) {
    fail(`cannot read ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (settings === undefined) fail(`${name} has no default export: export default { start: {…} }`);
  return settings;
}

/** Whether Node strips types by itself. */
function readsTypeScript(): boolean {
  return Boolean((process.features as { readonly typescript?: string | false }).typescript);
}
