import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Command, Option } from "commander";
import { isObject } from "../../openapi/text/is-object.js";
import { findNearest } from "../../openapi/text/find-nearest.js";
import { exitWithError, fail, printError } from "./terminal.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";

/** The commands that read settings, both from the section `start`. */
const commandNames: readonly string[] = ["start", "exec"];

export const settingsHelp = `
You can also set any option with an environment variable (such as DATA_SERVICE_EXPORT_ON_EXIT) or in a configuration
file: data-service.config.{json,js,mjs}, or .ts with Node 22.18 or later. Example: {"start": {"port": 4200}}.
Command-line options override environment variables, and environment variables override the configuration file.
Settings for start in the configuration file also apply to exec, except for port, json, watch and persist.
Instead of --no-console, set DATA_SERVICE_CONSOLE=false. To set several values, separate them with commas:
DATA_SERVICE_ALLOW_HOST=one,two`;

/** Sets the options that are not given on the command line, from the environment or else from the settings file. */
export async function applySettings(command: Command): Promise<void> {
  if (!commandNames.includes(command.name())) return;
  warnAboutUnknownVariables(command);
  const config = await readConfigFile();
  const settings = config === undefined ? {} : readSection(config, command);
  command.setOptionValueWithSource("configFile", config?.name, "config");
  // exists only in the settings file, because its value is not text
  command.setOptionValueWithSource("middleware", settings.middleware, "config");
  for (const name of new Set(command.options.map((option) => option.attributeName()))) {
    if (command.getOptionValueSource(name) === "cli") continue;
    const variable = toVariable(name);
    const text = process.env[variable] ?? "";
    // Kubernetes sets DATA_SERVICE_PORT=tcp://… for a service that is named data-service
    if (text !== "" && !(name === "port" && /^(?:tcp|udp|sctp):\/\//.test(text)))
      applySetting(command, name, text, variable);
    // if `exec` runs beside `start`, the port of `start` is in use
    else if (settings[name] !== undefined && !(name === "port" && command.name() === "exec"))
      applySetting(command, name, settings[name], `start.${name} in ${config?.name}`);
  }
}

function toVariable(option: string): string {
  return `DATA_SERVICE_${option.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** Variables that are not options. */
const otherVariables = ["url", "apiKey", "email", "password", "coverageDir"].map(toVariable);

/** Warns about variables that resemble an option's; any other variable may belong to the user's application. */
function warnAboutUnknownVariables({ parent }: Command): void {
  const commands = parent?.commands.filter((command) => commandNames.includes(command.name())) ?? [];
  const options = commands.flatMap((command) => command.options);
  const known = new Set([...options.map((option) => toVariable(option.attributeName())), ...otherVariables]);
  for (const name of Object.keys(process.env).sort()) {
    if (!name.startsWith("DATA_SERVICE_") || known.has(name)) continue;
    const positive = name.replace("_NO_", "_");
    const near = known.has(positive) ? positive : findNearest(positive, known);
    if (near !== undefined)
      printError(
        `warning: the environment variable ${name} has no effect; did you mean ${near}${positive === name ? "" : "=false"}?\n`,
      );
  }
}

/** Sets an option to a value, or to several values, as if they were given on the command line. */
function applySetting(command: Command, name: string, given: unknown, from: string): void {
  const options = command.options.filter((option) => option.attributeName() === name);
  let value: unknown;
  for (const one of [given].flat()) value = parseSetting(options, one, value, from);
  if (value !== undefined) command.setOptionValueWithSource(name, value, "env");
}

/** @param options an option, and its negated form (`--no-…`); there may be only one of the two */
function parseSetting(options: readonly Option[], given: unknown, before: unknown, from: string): unknown {
  const positive = options.find(({ negate }) => !negate);
  const isNegatable = options.some(({ negate }) => negate);
  const needsValue = positive?.required === true;
  const takesValue = needsValue || positive?.optional === true;
  const isOneOf = (...words: readonly unknown[]) => words.includes(given);
  if (!needsValue && isOneOf(true, "true", ...(takesValue ? [] : [1, "1"]))) return true;
  if ((!needsValue || isNegatable) && isOneOf(false, "false", ...(takesValue ? [] : [0, "0"])))
    return isNegatable ? false : undefined;
  if (!takesValue) fail(`${from} must be true or false, not ${JSON.stringify(given)}`);
  if (typeof given !== "string" && typeof given !== "number")
    fail(`${from} must be a string or a number, not ${JSON.stringify(given)}`);
  const text = String(given);
  try {
    // commander passes the previous value, but not the default
    return positive.parseArg === undefined ? text : positive.parseArg(text, before as never);
  } catch (error) {
    return fail(`${from}: ${toErrorMessage(error)}`);
  }
}

/** A settings file: values of options by command and name, such as `{"start": {"port": 4200}}`. */
interface ConfigFile {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Returns the section `start` of a settings file; ends the command if the file has unknown sections or options. */
function readSection({ name: file, settings }: ConfigFile, { parent }: Command) {
  for (const name of Object.keys(settings))
    if (name !== "start" && name !== "$schema")
      fail(`${file} has an unknown section ${name}; the only section is start`);
  const values = settings.start ?? {};
  if (!isObject(values)) fail(`the section start in ${file} must be an object that contains options`);
  // `exec` ignores the options that only `start` has
  const owner = parent?.commands.find((command) => command.name() === "start");
  const options = [...new Set(owner?.options.map((option) => option.attributeName())), "middleware"];
  for (const name of Object.keys(values))
    if (!options.includes(name))
      fail(`unknown option ${name} in the section start of ${file}; expected one of ${options.join(", ")}`);
  return values;
}

/** File names of a settings file in the working directory. */
const names = ["ts", "js", "mjs", "json"].map((extension) => `data-service.config.${extension}`);

/** Reads the settings file, if there is one; ends the command if the file cannot be used. */
async function readConfigFile(): Promise<ConfigFile | undefined> {
  const found = names.filter((name) => existsSync(name));
  const [name, other] = found;
  if (name === undefined) return undefined;
  if (other !== undefined) fail(`found ${found.join(" and ")}: keep only one of them`);
  if (name.endsWith(".ts") && !canLoadTypeScript())
    fail(
      `${name} needs Node 22.18 or later; Node ${process.version} cannot run TypeScript. ` +
        `Use data-service.config.js or data-service.config.json instead`,
    );
  const settings = await readSettings(name).catch((error: unknown) =>
    fail(`cannot read ${name}: ${toErrorMessage(error)}`),
  );
  if (settings === undefined)
    fail(`${name} has no default export; add one such as export default { start: {…} }`);
  if (!isObject(settings)) fail(`${name} must contain an object such as {"start": {…}}`);
  return { name, settings };
}

async function readSettings(name: string): Promise<unknown> {
  if (name.endsWith(".json")) return JSON.parse(readFileSync(name, "utf8"));
  // Node ends the process if it waits only for the file.
  const refuse = () => exitWithError(`${name} awaits a promise that never settles`);
  process.prependOnceListener("beforeExit", refuse);
  try {
    const module = (await import(pathToFileURL(resolve(name)).href)) as { readonly default?: unknown };
    return module.default;
  } finally {
    process.off("beforeExit", refuse);
  }
}

/** Whether Node can run TypeScript. */
function canLoadTypeScript(): boolean {
  return Boolean((process.features as { readonly typescript?: string | false }).typescript);
}
