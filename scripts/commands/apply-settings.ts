import { dirname, extname, isAbsolute, resolve } from "node:path";
import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Command, Option } from "commander";
import { isFixtureName, isSeedPath } from "../../fixtures/register.js";
import { findNearest } from "../../openapi/text/find-nearest.js";
import { fail, printError } from "./terminal.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";

/** Options whose values are paths; in a settings file, paths are relative to the folder of the file. */
const paths: ReadonlySet<string> = new Set([
  "profile",
  "data",
  "exportOnExit",
  "persist",
  "target",
  "reportDir",
  "cleanup",
]);
/** The commands that read settings, and the section that each reads. */
const sections: Readonly<Record<string, string>> = { start: "start", exec: "start", certify: "certify" };

/** Settings that exist only in the settings file, because their values are not text. */
const codeOnly: ReadonlySet<string> = new Set(["middleware"]);

/** Whether the value of an option is a path; a fixture can be a name or a path. */
function isPath(option: string, text: string): boolean {
  return paths.has(option) || (option === "fixture" && !isFixtureName(text) && isSeedPath(text));
}

export const settingsHelp = `
You can also set any option with an environment variable (such as DATA_SERVICE_EXPORT_ON_EXIT) or in a configuration
file: data-service.config.{json,js,mjs}, or .ts with Node 22.18 or later. Example: {"start": {"port": 4200}}.
Command-line options override environment variables, and environment variables override the configuration file.
Settings for start in the configuration file also apply to exec, except for port, json, open, watch and persist.
Instead of --no-console, set DATA_SERVICE_CONSOLE=false. To set several values, separate them with commas:
DATA_SERVICE_ALLOW_HOST=one,two`;

/** Sets the options that are not given on the command line, from the environment or else from the settings file. */
export async function applySettings(command: Command): Promise<void> {
  const section = sections[command.name()];
  if (section === undefined) return;
  if (section === "start") warnAboutUnknownVariables(command);
  const config = await readConfigFile();
  const settings = sectionOf(config, section, command);
  for (const name of codeOnly)
    if (settings[name] !== undefined) command.setOptionValueWithSource(name, settings[name], "config");
  if (config !== undefined && section === "start")
    command.setOptionValueWithSource("configFile", config.name, "config");
  for (const name of new Set(command.options.map((option) => option.attributeName()))) {
    if (command.getOptionValueSource(name) === "cli") continue;
    const variable = toVariable(name);
    const text = process.env[variable] ?? "";
    // Kubernetes sets DATA_SERVICE_PORT=tcp://… for a service that is named data-service
    const isSet = text !== "" && !(name === "port" && /^(?:tcp|udp|sctp):\/\//.test(text));
    if (isSet) applySetting(command, name, text, variable);
    // if `exec` runs beside `start`, the port of `start` is in use
    else if (
      config !== undefined &&
      settings[name] !== undefined &&
      !(name === "port" && command.name() === "exec")
    )
      applySetting(command, name, settings[name], `${section}.${name} in ${config.name}`, config.folder);
  }
}

function toVariable(option: string): string {
  return `DATA_SERVICE_${option.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** Variables that are not options. */
const otherVariables = ["url", "apiKey", "email", "password", "coverageDir"].map(toVariable);

/** Warns about variables that resemble an option's; any other variable may belong to the user's application. */
function warnAboutUnknownVariables({ parent }: Command): void {
  const commands = parent?.commands.filter((command) => command.name() in sections) ?? [];
  const options = commands.flatMap((command) => command.options);
  const toVariables = (some: readonly Option[]) => some.map((option) => toVariable(option.attributeName()));
  const known = new Set([...toVariables(options), ...otherVariables]);
  const negatable = toVariables(options.filter(({ negate }) => negate));
  for (const name of Object.keys(process.env).sort()) {
    if (!name.startsWith("DATA_SERVICE_") || known.has(name)) continue;
    const positive = name.replace("_NO_", "_");
    const near = negatable.includes(positive) ? `${positive}=false` : findNearest(name, known);
    if (near !== undefined)
      printError(`warning: the environment variable ${name} has no effect; did you mean ${near}?\n`);
  }
}

function sectionOf(
  config: ConfigFile | undefined,
  section: string,
  command: Command,
): Readonly<Record<string, unknown>> {
  if (config === undefined) return {};
  const known = [...new Set(Object.values(sections))];
  for (const name of Object.keys(config.settings))
    if (!known.includes(name) && name !== "$schema")
      fail(`${config.name} has an unknown section ${name}; expected ${known.join(" or ")}`);
  const settings = config.settings[section] ?? {};
  if (typeof settings !== "object" || Array.isArray(settings))
    fail(`the section ${section} in ${config.name} must be an object that contains options`);
  const options = command.options.map((option) => option.attributeName());
  if (section === "start") options.push(...codeOnly);
  // `exec` ignores the options that only `start` has
  const others = command.name() === "exec" ? ["json", "open", "watch", "persist"] : [];
  for (const name of Object.keys(settings))
    if (![...options, ...others].includes(name))
      fail(
        `unknown option ${name} in the section ${section} of ${config.name}; expected one of ${[...new Set(options)].join(", ")}`,
      );
  return settings as Readonly<Record<string, unknown>>;
}

/** Sets an option to a value, as if the value were given on the command line. */
function applySetting(command: Command, name: string, given: unknown, from: string, folder?: string): void {
  const options = command.options.filter((option) => option.attributeName() === name);
  // an option may exist only in its negated form
  const [positive = options[0]] = options.filter(({ negate }) => !negate);
  if (positive === undefined) return;
  const negated = options.some(({ negate }) => negate);
  const values = Array.isArray(given) ? (given as readonly unknown[]) : [given];
  let value: unknown;
  for (const one of values) value = parseSetting(positive, one, value, { from, negated, folder });
  if (value !== undefined) command.setOptionValueWithSource(name, value, "env");
}

interface Place {
  readonly from: string;
  /** Whether the option has a negated form (`--no-…`). */
  readonly negated: boolean;
  /** The folder to which paths are relative. */
  readonly folder: string | undefined;
}

function parseSetting(
  option: Option,
  given: unknown,
  before: unknown,
  { from, negated, folder }: Place,
): unknown {
  const text = typeof given === "string" || typeof given === "number" ? String(given) : given;
  const isSwitch = option.isBoolean() || option.negate;
  const yes: readonly unknown[] = [true, "true", ...(isSwitch ? ["1"] : [])];
  const no: readonly unknown[] = [false, "false", ...(isSwitch ? ["0"] : [])];
  const flag = yes.includes(text) ? true : no.includes(text) ? false : undefined;
  if (flag === false && (negated || !option.required)) return negated ? false : undefined;
  if (flag === true && !option.required) return true;
  if (isSwitch) fail(`${from} must be true or false, not ${JSON.stringify(given)}`);
  if (typeof text !== "string") fail(`${from} must be a string or a number, not ${JSON.stringify(given)}`);
  const whole =
    folder !== undefined && isPath(option.attributeName(), text) && !isAbsolute(text)
      ? resolve(folder, text)
      : text;
  if (option.argChoices !== undefined && !option.argChoices.includes(whole))
    fail(`${from} must be one of ${option.argChoices.join(", ")}, not ${whole}`);
  try {
    // commander passes the previous value, but not the default
    return option.parseArg === undefined || option.argChoices !== undefined
      ? whole
      : option.parseArg(whole, before as never);
  } catch (error) {
    return fail(`${from}: ${toErrorMessage(error)}`);
  }
}

/** File names of a settings file in the working directory. */
const names = ["ts", "mts", "js", "mjs", "json"].map((extension) => `data-service.config.${extension}`);

/** A settings file: values of options by command and name, such as `{"start": {"port": 4200}}`. */
interface ConfigFile {
  readonly name: string;
  /** The folder to which paths in the file are relative. */
  readonly folder: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Reads the settings file, if there is one; ends the command if the file cannot be used. */
async function readConfigFile(folder = process.cwd()): Promise<ConfigFile | undefined> {
  const found = names.filter((name) => existsSync(resolve(folder, name)));
  const [name, other] = found;
  if (name === undefined) return undefined;
  if (other !== undefined) fail(`found ${found.join(" and ")}: keep only one of them`);
  const file = resolve(folder, name);
  const settings = await readSettings(file, name);
  if (typeof settings !== "object" || settings === null || Array.isArray(settings))
    fail(`${name} must contain an object such as {"start": {…}, "certify": {…}}`);
  return { name, folder: dirname(file), settings: settings as Readonly<Record<string, unknown>> };
}

async function readSettings(file: string, name: string): Promise<unknown> {
  if (name.endsWith("ts") && !readsTypeScript())
    fail(
      `${name} needs Node 22.18 or later; Node ${process.version} cannot run TypeScript. ` +
        `Use data-service.config.js or data-service.config.json instead`,
    );
  let settings: unknown;
  try {
    settings =
      extname(file) === ".json"
        ? (JSON.parse(readFileSync(file, "utf8")) as unknown)
        : ((await import(pathToFileURL(file).href)) as { readonly default?: unknown }).default;
  } catch (error) {
    fail(`cannot read ${name}: ${toErrorMessage(error)}`);
  }
  if (settings === undefined)
    fail(`${name} has no default export; add one such as export default { start: {…} }`);
  return settings;
}

/** Whether Node can run TypeScript. */
function readsTypeScript(): boolean {
  return Boolean((process.features as { readonly typescript?: string | false }).typescript);
}
