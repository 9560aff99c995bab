import { createRequire } from "node:module";
import type * as Commander from "commander";
import { mostEntries } from "../../emulator/journal/journal.js";
import { version } from "../../emulator/domain/version.js";
import type { CertifyOptions } from "./certify-command.js";
import { printContract } from "./contract-command.js";
import { printSchema } from "./schema-command.js";
import { start } from "./start-command.js";

// an import would have Node read the whole text for its exports first
const { Command, InvalidArgumentError } = createRequire(import.meta.url)("commander") as typeof Commander;

// who reads us has read enough, as in `data-service contract | head`: the code is that of SIGPIPE, and no verdict
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(141);
  throw error;
});

const program = new Command("data-service")
  .description("Local emulator of the data service, its contract, and a conformance suite.")
  .version(version)
  // 1 means "not conformant": a mistake on the command line is never that
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .showHelpAfterError("(add --help for the options and examples)");

program
  .command("start")
  .description("start the emulator")
  .option("--port <number>", "port to listen on; 0 takes any free one", parsePort, 4100)
  .option(
    "--host <address>",
    "address to listen on; anything but loopback opens it to the network",
    "127.0.0.1",
  )
  .option("--fixture <name>", "starting state: demo or empty", "demo")
  .option("--profile <file>", "JSON file with answers to gaps of the specification")
  .option("--seed <number>", "what ids and tokens follow from (default: 1, or that of --data)", parseSeed)
  .option(
    "--clock <mode>",
    "manual (starts 2030-01-01, ticks a millisecond a request) or system (default: manual, or that of --data)",
  )
  .option("--data <file>", "begin with what --export-on-exit wrote, in place of a fixture")
  .option(
    "--export-on-exit [file]",
    "write the data on exit; the file is that of --data unless another is named",
  )
  .option(
    "--journal <number>",
    "how many requests are remembered with their answers (default: 250)",
    parseEntries,
  )
  .option("--no-journal", "remember none")
  .option("--json", "print one JSON line when ready, and nothing else on standard output")
  .addHelpText(
    "after",
    `
Examples:
  data-service start
  data-service start --port 0 --json --fixture empty
  data-service start --profile profile.json --seed 7
  data-service start --data dev.sqlite --export-on-exit     keep the data from one start to the next
  data-service start --data seed.sqlite                     always begin with the same data`,
  )
  .action(start);

program
  .command("contract")
  .description("print the OpenAPI document")
  .option("--profile <file>", "JSON file with answers to gaps of the specification")
  .option("--format <format>", "json or yaml", "json")
  .addHelpText(
    "after",
    `
Examples:
  data-service contract > openapi.json
  data-service contract --profile profile.json --format yaml`,
  )
  .action(printContract);

program
  .command("schema")
  .description("print the JSON Schema of a file that you write: profile or target")
  .argument("<kind>", "profile or target")
  .addHelpText(
    "after",
    `
An editor that knows the schema shows what may stand in the file, and finds mistakes.

Example:
  data-service schema target > target.schema.json`,
  )
  .action(printSchema);

program
  .command("certify")
  .description("judge a deployment, or an emulator, by the specification")
  .argument("[url]", "base URL; without it, the one in the target file")
  .option("--emulator", "the URL is an emulator's: its control plane gives users, keys, time and plans")
  .option("--target <file>", "YAML or JSON file with users, keys and capabilities of a deployment")
  .option(
    "--seed <number>",
    "what generated inputs follow from; without it, another one each time",
    parseSeed,
  )
  .option("--runs <number>", "how often each property is tried", parseRuns, 10)
  .option("--only <names>", "areas, checks or clauses, separated by commas; may be repeated", collect)
  .option(
    "--max-time <duration>",
    "when to end, as 90s, 10m or 1h; what is not run by then stays open",
    parseTime,
  )
  .option("--report-dir <folder>", "write report.html, report.json, junit.xml and exchanges.har")
  .option("--cleanup <ledger>", "run nothing: remove what a run that was killed has left behind")
  .option(
    "--replay <token>",
    "come back to a failure by the token in its report: to its input alone, or to the whole check when that holds",
  )
  .addHelpText(
    "after",
    `
Exit codes: 0 conformant, 1 not conformant, 2 inconclusive or no run.

Examples:
  data-service certify http://127.0.0.1:4100 --emulator
  data-service certify --target staging.yaml --max-time 10m --report-dir reports
  data-service certify --target staging.yaml --only items,GEN-04 --runs 100
  data-service certify --target staging.yaml --cleanup certify-cf1a2b3c4d.ledger.jsonl`,
  )
  .action(async (url: string | undefined, options: CertifyOptions) => {
    // the suite is large, and the other commands do without it
    const { certify } = await import("./certify-command.js");
    await certify(url, options);
  });

await program.parseAsync();

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return port;
}

function parseEntries(text: string): number {
  const entries = Number(text);
  if (!/^\d{1,6}$/.test(text) || entries > mostEntries)
    throw new InvalidArgumentError(`It is a whole number from 0 to ${mostEntries}.`);
  return entries;
}

function parseSeed(text: string): number {
  const seed = Number(text);
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("A seed is a whole number from 0 on.");
  return seed;
}

function parseRuns(text: string): number {
  const runs = Number(text);
  if (!/^\d{1,6}$/.test(text) || runs < 1)
    throw new InvalidArgumentError("The number of tries is a whole number from 1 on.");
  return runs;
}

/** @returns milliseconds */
function parseTime(text: string): number {
  const [, number = "", unit = "s"] = /^(\d+(?:\.\d+)?)(s|m|h)?$/.exec(text) ?? [];
  const time = Number(number) * { s: 1000, m: 60_000, h: 3_600_000 }[unit as "s" | "m" | "h"];
  if (!(time > 0)) throw new InvalidArgumentError("A time is a number of seconds, or 90s, 10m, 1h.");
  return time;
}

function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(",").map((name) => name.trim())].filter((name) => name !== "");
}
