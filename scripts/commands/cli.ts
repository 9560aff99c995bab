import type * as Commander from "commander";
import { requireLate } from "../../openapi/packaged/require-late.js";
import { version } from "../../emulator/domain/version.js";
import type { CertifyOptions } from "./certify-options.js";
import type { CompareCommandOptions } from "./compare-command.js";
import type { InitOptions } from "./certify-init.js";
import type { MergeOptions } from "./certify-merge.js";
import { applySettings, settingsHelp } from "./apply-settings.js";
import { addControlCommands } from "./control-commands.js";
import type { ObserveCommandOptions } from "./observe-command.js";
import { print, printError } from "./print.js";
import { printContract } from "./contract-command.js";
import { exec } from "./exec-command.js";
import type { ExportOptions } from "./export-command.js";
import { collect, parseRuns, parseSeed, parseTime } from "./parse-values.js";
import { printSchema } from "./schema-command.js";
import { start } from "./start-command.js";
import { addStartOptions } from "./start-options.js";

// an import would have Node read the whole text for its exports first
const { Command, Option } = requireLate("commander") as typeof Commander;

/** The commands and their options. */
export const program = new Command("data-service")
  .description("Local emulator of the data service, its contract, and a conformance suite.")
  .version(version)
  .exitOverride()
  .configureOutput({ writeOut: print, writeErr: printError })
  .showHelpAfterError("(add --help for the options and examples)")
  // what stands behind the command of `exec` is its own
  .enablePositionalOptions()
  .hook("preAction", (_program, command) => applySettings(command));

addStartOptions(program.command("start").description("start the emulator"), 4100)
  .option("--open", "open the console in a browser")
  .option("--json", "print one JSON line when ready, and nothing else on standard output")
  .addHelpText(
    "after",
    `
Examples:
  data-service start
  data-service start --port 0 --json --fixture empty
  data-service start --profile profile.json --seed 7
  data-service start --fixture seed.yaml                    begin with data that you wrote
  data-service start --data dev.sqlite --export-on-exit     keep the data from one start to the next
  data-service start --data seed.sqlite                     always begin with the same data
${settingsHelp}`,
  )
  .action(start);

addStartOptions(
  program
    .command("exec")
    .description("run a command beside an emulator that ends with it, such as your tests"),
  0,
)
  .argument("<command...>", "the command with its arguments, after --")
  .passThroughOptions()
  .addHelpText(
    "after",
    `
The command finds DATA_SERVICE_URL in its environment, and of the demo DATA_SERVICE_API_KEY, DATA_SERVICE_EMAIL and
DATA_SERVICE_PASSWORD. Its exit code is that of data-service.

Examples:
  data-service exec -- npm test
  data-service exec --fixture empty --log problems -- npx playwright test
${settingsHelp}`,
  )
  .action(exec);

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
  .description("print the JSON Schema of a file that you write: profile, seed or target")
  .argument("<kind>", "profile, seed or target")
  .addHelpText(
    "after",
    `
An editor that knows the schema shows what may stand in the file, and finds mistakes.

Example:
  data-service schema target > target.schema.json`,
  )
  .action(printSchema);

program
  .command("export")
  .description("write what a world holds as a seed file, which people can read and --fixture takes")
  .option("--data <file>", "the world of a state file, in place of a running emulator's")
  .option("--url <url>", "base URL of the emulator (default: DATA_SERVICE_URL, or http://127.0.0.1:4100)")
  .option("--namespace <name>", "the namespace to write (default: that of the URL)")
  .addOption(new Option("--format <format>", "yaml or json").choices(["yaml", "json"]).default("yaml"))
  .option("--output <file>", "write to a file, in place of standard output")
  .addHelpText(
    "after",
    `
Sessions, figures of usage, unpaid checkouts and what is deleted are left out. Passwords are in it.

Examples:
  data-service export > seed.yaml
  data-service export --data dev.sqlite --output seed.yaml`,
  )
  .action(async (options: ExportOptions) => {
    const { exportSeed } = await import("./export-command.js");
    await exportSeed(options);
  });

const certifyCommand = program
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
  .option("--runs <number>", "how often each property is tried (default: 10)", parseRuns)
  .option("--only <names>", "areas, checks or clauses, separated by commas; may be repeated", collect)
  .option(
    "--max-time <duration>",
    "when to end, as 90s, 10m or 1h; what is not run by then stays open",
    parseTime,
  )
  .option(
    "--report-dir <folder>",
    "write report.html, report.json, junit.xml, exchanges.har, and a text and a curl script for each failure",
  )
  .option("--verbose", "print failures with all exchanges and their curl scripts")
  .option("--max-failures <number>", "begin no further check when so many have failed", parseRuns)
  .option("--shard <part>", "run one of several parts, as 2/4; `certify merge` makes one report of all")
  .option(
    "--last-failed <report>",
    "try again what failed in the run of a report, a file or its folder, with the seed and the tries of that run",
  )
  .option("--list", "print the checks with their clauses and needs, and run none")
  .option("--cleanup <ledger>", "run nothing: remove what a run that was killed has left behind")
  .option(
    "--replay <token>",
    "come back to a failure by the token in its report: to its input alone, or to the whole check when that holds",
  )
  .option("--profile <file>", "answers to gaps that are known, such as those that were observed")
  .option("--write-profile <file>", "observe the gaps when the checks are done, and write the answers")
  .addHelpText(
    "after",
    `
Exit codes: 0 conformant, 1 not conformant, 2 inconclusive or no run.

Examples:
  data-service certify http://127.0.0.1:4100 --emulator
  data-service certify --target staging.yaml --max-time 10m --report-dir reports
  data-service certify --target staging.yaml --only items,GEN-04 --runs 100
  data-service certify --target staging.yaml --seed 7 --shard 2/4 --report-dir shard-2
  data-service certify --target staging.yaml --last-failed reports --report-dir reports
  data-service certify --list --only items
  data-service certify --target staging.yaml --cleanup certify-cf1a2b3c4d.ledger.jsonl
${settingsHelp}`,
  )
  .action(async (url: string | undefined, options: CertifyOptions) => {
    // the suite is large, and the other commands do without it
    const { certify } = await import("./certify-command.js");
    await certify(url, options);
  })
  // options behind the name of a subcommand are its own
  .enablePositionalOptions();

certifyCommand
  .command("init")
  .description("write a target file from answers or options, and try it")
  .argument("[url]", "base URL of the deployment")
  .option("--output <file>", "where to write it", "target.yaml")
  .option("--user <role=email>", "owner, admin, member, readonly, outsider; may be repeated", collect)
  .option("--organization <id>", "organization to work in; the owner's personal one without this")
  .option("--database <id>", "database to work in; without it the suite creates one")
  .option("--capability <names>", "what the suite may use, separated by commas; may be repeated", collect)
  .option("--force", "write over a file that is there")
  .addHelpText(
    "after",
    `
Passwords do not go into the file: it names environment variables, as CERTIFY_OWNER_PASSWORD.

Example:
  CERTIFY_OWNER_PASSWORD=… data-service certify init https://staging.example.com --user owner=me@example.com`,
  )
  .action(async (url: string | undefined, options: InitOptions) => {
    const { initTarget } = await import("./certify-init.js");
    await initTarget(url, options);
  });

certifyCommand
  .command("merge")
  .description("make one report and one verdict of those of all shards")
  .argument("<reports...>", "folders of reports, or report.json files")
  .option("--report-dir <folder>", "write report.html, report.json and junit.xml")
  .option("--verbose", "print failures with all exchanges and their curl scripts")
  .addHelpText(
    "after",
    `
Exit codes: 0 conformant, 1 not conformant, 2 inconclusive or not the shards of one run.

Example:
  data-service certify merge shard-1 shard-2 shard-3 shard-4 --report-dir reports`,
  )
  .action(async (reports: readonly string[], options: MergeOptions) => {
    const { mergeShards } = await import("./certify-merge.js");
    mergeShards(reports, options);
  });

program
  .command("observe")
  .description("find out what a deployment answers where the specification is silent")
  .argument("[url]", "base URL; without it, the one in the target file")
  .option("--emulator", "the URL is an emulator's: its control plane gives users, keys, time and plans")
  .option("--target <file>", "YAML or JSON file with users, keys and capabilities of a deployment")
  .option("--profile <file>", "answers that are known already, such as routes that nobody could guess")
  .option("--write-profile <file>", "write the answers as a profile, for `start --profile`")
  .option("--only <gaps>", "gaps, separated by commas; may be repeated", collect)
  .option("--report-dir <folder>", "write observed.html and observed.json")
  .option("--json", "print the report as JSON, and all else on standard error")
  .addHelpText(
    "after",
    `
Exit codes: 0 all gaps were looked at, 2 the run itself failed or was interrupted.

Examples:
  data-service observe --target staging.yaml --write-profile staging.json
  data-service observe --target staging.yaml --only put-item-route,validation-status
  data-service start --profile staging.json`,
  )
  .action(async (url: string | undefined, options: ObserveCommandOptions) => {
    const { observe } = await import("./observe-command.js");
    await observe(url, options);
  });

program
  .command("compare")
  .description("take two deployments through the same requests, and report every answer that differs")
  .argument("[url]", "base URL; without it, the one in the target file")
  .option("--emulator", "the URL is an emulator's: its control plane gives users, keys, time and plans")
  .option("--target <file>", "YAML or JSON file with users, keys and capabilities of a deployment")
  .option("--with <file>", "target file of the other deployment; without it, an emulator of this process")
  .option("--profile <file>", "answers to gaps that the emulator gives, such as those that were observed")
  .option("--har <file>", "recorded traffic, an HTTP Archive, in place of the requests of the suite")
  .option("--seed <number>", "what generated inputs follow from", parseSeed, 1)
  .option("--runs <number>", "how often each property of the suite is tried", parseRuns, 1)
  .option("--only <names>", "areas, checks, clauses or gaps, separated by commas; may be repeated", collect)
  .option("--report-dir <folder>", "write compared.html and compared.json")
  .option("--json", "print the report as JSON, and all else on standard error")
  .addHelpText(
    "after",
    `
The other side is an emulator with the profile, unless --with names a deployment. What fills a plan's storage or uses up
its requests is left out unless --only names it.

Exit codes: 0 alike, 1 different, 2 inconclusive or no run.

Examples:
  data-service compare --target staging.yaml --profile staging.json
  data-service compare --target staging.yaml --with production.yaml --only items,entities
  data-service compare --target staging.yaml --profile staging.json --har session.har
  data-service compare http://127.0.0.1:4100 --emulator --report-dir reports`,
  )
  .action(async (url: string | undefined, options: CompareCommandOptions) => {
    const { compare } = await import("./compare-command.js");
    await compare(url, options);
  });
addControlCommands(program);
