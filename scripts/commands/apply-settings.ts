import { dirname, extname, isAbsolute, resolve } from "node:path";
import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Command, Option } from "commander";
import { isSeedPath } from "../../emulator/seeds/seed-defaults.js";
import { isFixtureName } from "../../fixtures/register.js";
import { fail } from "./terminal.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";

/** Options whose values are paths: those of a file of settings count from its folder. */
const paths: ReadonlySet<string> = new Set([
  "profile",
  "data",
  "exportOnExit",
  "persist",
  "target",
  "reportDir",
  "cleanup",
]);
/** The commands that may be set up, and the section that each reads. */
const sections: Readonly<Record<string, string>> = { start: "start", exec: "start", certify: "certify" };

/** What is no option of the command line, because it is no text. */
const codeOnly: ReadonlySet<string> = new Set(["middleware"]);

/** A fixture is a name or a path. */
function isPath(option: string, text: string): boolean {
  return paths.has(option) || (option === "fixture" && !isFixtureName(text) && isSeedPath(text));
}

export const settingsHelp = `
Every option can also be set in the environment, as DATA_SERVICE_PORT or DATA_SERVICE_EXPORT_ON_EXIT, and in
data-service.config.{json,js,mjs} (.ts from Node 22.18), as {"start": {"port": 4200}}. The command line overrides the environment, which
overrides the file. exec reads the settings of start.`;

/** Gives a command the options that were not named on its line: from the environment, then from the file of settings. */
export async function applySettings(command: Command): Promise<void> {
  const section = sections[command.name()];
  if (section === undefined) return;
  const config = await readConfigFile();
  const settings = sectionOf(config, section, command);
  for (const name of codeOnly)
    if (settings[name] !== undefined) command.setOptionValueWithSource(name, settings[name], "config");
  for (const name of new Set(command.options.map((option) => option.attributeName()))) {
    if (command.getOptionValueSource(name) === "cli") continue;
    const variable = `DATA_SERVICE_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
    const text = process.env[variable];
    if (text !== undefined && text !== "") applySetting(command, name, text, variable);
    else if (config !== undefined && settings[name] !== undefined)
      applySetting(command, name, settings[name], `${section}.${name} in ${config.name}`, config.folder);
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
    fail(`${section} in ${config.name} must be an object of options`);
  const options = command.options.map((option) => option.attributeName());
  if (section === "start") options.push(...codeOnly);
  // what only `start` knows says nothing to `exec`
  const others = command.name() === "exec" ? ["json", "open", "watch", "persist"] : [];
  for (const name of Object.keys(settings))
    if (![...options, ...others].includes(name))
      fail(
        `${section} in ${config.name} has no option ${name}; there are ${[...new Set(options)].join(", ")}`,
      );
  return settings as Readonly<Record<string, unknown>>;
}

/** Sets an option as its text on the command line would. */
function applySetting(command: Command, name: string, given: unknown, from: string, folder?: string): void {
  const options = command.options.filter((option) => option.attributeName() === name);
  // where there is only what takes it away, that tells what it may be
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
  /** Whether there is an option that takes it away. */
  readonly negated: boolean;
  /** Where paths count from. */
  readonly folder: string | undefined;
}

function parseSetting(
  option: Option,
  given: unknown,
  before: unknown,
  { from, negated, folder }: Place,
): unknown {
  const text = typeof given === "string" || typeof given === "number" ? String(given) : given;
  const flag =
    text === true || text === "true" ? true : text === false || text === "false" ? false : undefined;
  if (flag === false && (negated || !option.required)) return negated ? false : undefined;
  if (flag === true && !option.required) return true;
  if (option.isBoolean() || option.negate)
    fail(`${from} must be true or false, not ${JSON.stringify(given)}`);
  if (typeof text !== "string") fail(`${from} must be text or a number, not ${JSON.stringify(given)}`);
  const whole =
    folder !== undefined && isPath(option.attributeName(), text) && !isAbsolute(text)
      ? resolve(folder, text)
      : text;
  if (option.argChoices !== undefined && !option.argChoices.includes(whole))
    fail(`${from} must be one of ${option.argChoices.join(", ")}, not ${whole}`);
  try {
    // commander hands over what came before, which a default is not
    return option.parseArg === undefined || option.argChoices !== undefined
      ? whole
      : option.parseArg(whole, before as never);
  } catch (error) {
    return fail(`${from}: ${toErrorMessage(error)}`);
  }
}

/** Names under which a file of settings is found in the working directory. */
const names = ["ts", "mts", "js", "mjs", "json"].map((extension) => `data-service.config.${extension}`);

/** A file of settings: the values of options by command and name, as in `{"start": {"port": 4200}}`. */
interface ConfigFile {
  readonly name: string;
  /** Paths in it count from here. */
  readonly folder: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Reads the file of settings; ends the command where it cannot be used. */
async function readConfigFile(folder = process.cwd()): Promise<ConfigFile | undefined> {
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
        `Write it as data-service.config.js or .json`,
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
  if (settings === undefined) fail(`${name} has no default export: export default { start: {…} }`);
  return settings;
}

/** Whether Node strips types by itself. */
function readsTypeScript(): boolean {
  return Boolean((process.features as { readonly typescript?: string | false }).typescript);
}
