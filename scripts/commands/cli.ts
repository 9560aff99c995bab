import type * as Commander from "commander";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
import { version } from "../../emulator/domain/version.js";
import { applySettings, settingsHelp } from "./apply-settings.js";
import { addControlCommands } from "./control-commands.js";
import { print, printError } from "./terminal.js";
import { printContract, printSchema } from "./contract-command.js";
import { exec } from "./exec-command.js";
import { collect, parseRuns, parseSeed, parseTime } from "./parse-values.js";
import { start } from "./start-command.js";
import { addStartOptions } from "./start-options.js";

// an import would have Node read the whole text for its exports first
const { Argument, Command, Option } = lazyRequire("commander") as typeof Commander;

/** The commands and their options. */
export const program = new Command("data-service")
  .description("Local emulator of the data service, with its contract and a conformance suite.")
  .version(version)
  .exitOverride()
  .configureOutput({ writeOut: print, writeErr: printError })
  .showHelpAfterError("(add --help for the options and examples)")
  // what stands behind the command of `exec` is its own
  .enablePositionalOptions()
  .hook("preAction", (_program, command) => applySettings(command));

addStartOptions(program.command("start").description("start the emulator"), 4100)
  .option("--open", "open the console in a browser")
  .option("--persist <folder>", "keep all namespaces in a folder, even if the process is killed")
  .option("--watch", "reload the seed file when it changes, and reset the namespaces that use it")
  .option("--json", "print one JSON line when ready and nothing else")
  .addHelpText(
    "after",
    `
Examples:
  data-service start
  data-service start --port 0 --json --fixture empty
  data-service start --profile profile.json --seed 7
  data-service start --fixture seed.yaml --watch            start with your own data
  data-service start --persist .data                        keep the data from one start to the next
  data-service start --data seed.sqlite                     always begin with the same data
${settingsHelp}`,
  )
  .action(start);

addStartOptions(
  program.command("exec").description("run a command, such as your tests, with an emulator beside it"),
  0,
)
  .argument("<command...>", "the command with its arguments, after --")
  .passThroughOptions()
  .addHelpText(
    "after",
    `
The command runs with DATA_SERVICE_URL set, and from the starting data with DATA_SERVICE_API_KEY, the key with the most
scopes, and DATA_SERVICE_EMAIL and DATA_SERVICE_PASSWORD of the first user. data-service exits with its exit code.

Examples:
  data-service exec -- npm test
  data-service exec --fixture empty --log problems -- npx playwright test
${settingsHelp}`,
  )
  .action(exec);

program
  .command("contract")
  .description("print the OpenAPI document")
  .option("--profile <file>", "profile: JSON file with answers to gaps")
  .addOption(
    new Option("--format <format>", "output format").choices(["json", "yaml", "html"]).default("json"),
  )
  .addHelpText(
    "after",
    `
Examples:
  data-service contract > openapi.json
  data-service contract --profile profile.json --format yaml
  data-service contract --format html > reference.html      a page that works offline`,
  )
  .action(printContract);

program
  .command("schema")
  .description("print the JSON Schema of profile, seed or target files")
  .addArgument(new Argument("<kind>").choices(["profile", "seed", "target"]))
  .addHelpText(
    "after",
    `
With the schema, an editor completes the fields of the file and finds mistakes.

Example:
  data-service schema target > target.schema.json`,
  )
  .action(printSchema);

program
  .command("export")
  .description("export the data of an emulator or a state file as a seed file for --fixture")
  .option("--data <file>", "state file to read instead of a running emulator")
  .option("--url <url>", "base URL of the emulator (default: $DATA_SERVICE_URL or http://127.0.0.1:4100)")
  .option("--namespace <name>", "namespace to export (default: the one of the URL)")
  .addOption(new Option("--format <format>", "output format").choices(["yaml", "json"]).default("yaml"))
  .option("--output <file>", "output file (default: standard output)")
  .addHelpText(
    "after",
    `
The export contains passwords. It leaves out sessions, usage figures, unpaid checkouts and deleted data.

Examples:
  data-service export > seed.yaml
  data-service export --data dev.sqlite --output seed.yaml`,
  )
  .action(late(() => import("./export-command.js"), "exportSeed"));

const coverageCommand = addCoverageOptions(
  program
    .command("coverage")
    .description("show which situations of the contract the requests to an emulator have met")
    .argument("[url]", "base URL of the emulator (default: $DATA_SERVICE_URL or http://127.0.0.1:4100)"),
)
  .addHelpText(
    "after",
    `
Exit codes: 0; 1 when a threshold of --min is missed; 2 when nothing could be reported.

Examples:
  data-service coverage
  data-service coverage --html coverage.html --min operations=90,refusals=50,scenarios=30
  data-service coverage --ignore Billing,login --json > coverage.json`,
  )
  .action(late(() => import("./coverage-command.js"), "coverage"))
  // options behind the name of a subcommand are its own
  .enablePositionalOptions();

addCoverageOptions(
  coverageCommand
    .command("merge")
    .description("merge the coverage of several emulators")
    .argument("<files...>", "output of --json, or folders of $DATA_SERVICE_COVERAGE_DIR"),
).action(late(() => import("./coverage-command.js"), "mergeCoverage"));

const certifyCommand = addTargetOptions(
  program.command("certify").description("check a deployment, or an emulator, against the specification"),
)
  .option("--only <names>", "areas, checks or clauses to run, comma-separated; may be repeated", collect)
  .option("--require-complete", "exit with 2 when checks were not selected, for CI")
  .option("--seed <n>", "random seed for generated inputs (default: random)", parseSeed)
  .option("--runs <n>", "number of inputs tried per property (default: 10)", parseRuns)
  .option("--max-time <duration>", "stop by then, clean-up included, e.g. 90s, 10m", parseTime)
  .option("--max-failures <n>", "start no further check after n failures", parseRuns)
  .option("--report-dir <dir>", "write HTML, JSON, JUnit and HAR reports, and curl scripts for failures")
  .option("--badge <file>", "write a badge: a .svg picture, or .json for shields.io")
  .option("--verbose", "print failures with all exchanges and their curl scripts")
  .option("--shard <index/count>", "run one part of the checks, e.g. 2/4; merge reports with `certify merge`")
  .option("--last-failed <report>", "run only what failed in this report, with the same seed and runs")
  .option("--replay <token>", "rerun a failure by the token in its report")
  .option("--list", "list the checks with their clauses and needs; run nothing")
  .option("--cleanup <ledger>", "remove what a killed run left behind; run nothing")
  .option("--profile <file>", "known answers to gaps, e.g. written by `observe`")
  .option("--write-profile <file>", "observe the gaps after the checks and write the answers")
  .addHelpText(
    "after",
    `
Exit codes: 0 conformant, or all selected checks passed; 1 not conformant; 2 inconclusive or no run.

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
  .action(late(() => import("./certify-command.js"), "certify"))
  // options behind the name of a subcommand are its own
  .enablePositionalOptions();

certifyCommand
  .command("init")
  .description("create a target file interactively or from options, and try it")
  .argument("[url]", "base URL of the deployment")
  .option("--output <file>", "output file", "target.yaml")
  .option("--user <role=email>", "owner, admin, member, readonly or outsider; may be repeated", collect)
  .option("--organization <id>", "organization to work in (default: the owner's personal one)")
  .option("--database <id>", "database to work in (default: the suite creates one)")
  .option("--capability <names>", "what the suite may use, comma-separated; may be repeated", collect)
  .option("--force", "overwrite an existing file")
  .addHelpText(
    "after",
    `
Passwords are not written to the file: it refers to environment variables such as CERTIFY_OWNER_PASSWORD.

Example:
  CERTIFY_OWNER_PASSWORD=… data-service certify init https://staging.example.com --user owner=me@example.com`,
  )
  .action(late(() => import("./certify-init.js"), "initTarget"));

certifyCommand
  .command("merge")
  .description("merge the reports of all shards into one report and verdict")
  .argument("<reports...>", "report folders or report.json files")
  .option("--report-dir <dir>", "write HTML, JSON and JUnit reports")
  .option("--badge <file>", "write a badge: a .svg picture, or .json for shields.io")
  .option("--require-complete", "exit with 2 when checks were not selected, for CI")
  .option("--verbose", "print failures with all exchanges and their curl scripts")
  .addHelpText(
    "after",
    `
Exit codes: those of certify, and 2 for reports that are not the shards of one run.

Example:
  data-service certify merge shard-1 shard-2 shard-3 shard-4 --report-dir reports`,
  )
  .action(late(() => import("./certify-reports.js"), "mergeShards"));

certifyCommand
  .command("matrix")
  .description("compare reports of several deployments or versions, clause by clause")
  .argument("<reports...>", "report folders or report.json files")
  .option("--output <file>", "write a .txt, .md or .html file in place of standard output")
  .addHelpText(
    "after",
    `
Exit codes: 0, or 2 for reports that cannot be read.

Examples:
  data-service certify matrix reports/*/report.json
  data-service certify matrix staging production --output matrix.html`,
  )
  .action(late(() => import("./certify-reports.js"), "printMatrix"));

addTargetOptions(
  program
    .command("observe")
    .description("find out what a deployment answers where the specification is silent"),
)
  .option("--only <gaps>", "gaps to observe, comma-separated; may be repeated", collect)
  .option("--profile <file>", "known answers, e.g. routes that cannot be guessed")
  .option("--write-profile <file>", "write the answers as a profile for `start --profile`")
  .option("--report-dir <dir>", "write observed.html and observed.json")
  .option("--json", "print the report as JSON; messages go to standard error")
  .addHelpText(
    "after",
    `
Exit codes: 0 all gaps were observed, 2 the run itself failed or was interrupted.

Examples:
  data-service observe --target staging.yaml --write-profile staging.json
  data-service observe --target staging.yaml --only put-item-route,validation-status
  data-service start --profile staging.json`,
  )
  .action(late(() => import("./observe-command.js"), "observe"));

addTargetOptions(
  program
    .command("compare")
    .description("send the same requests to two deployments and report every difference"),
)
  .option("--with <file>", "target file of the other deployment (default: an emulator in this process)")
  .option("--profile <file>", "answers to gaps for the emulator, e.g. written by `observe`")
  .option("--har <file>", "recorded traffic (HTTP Archive) instead of the suite's requests")
  .option("--seed <number>", "random seed for generated inputs", parseSeed, 1)
  .option("--runs <number>", "number of inputs tried per property", parseRuns, 1)
  .option("--only <names>", "areas, checks, clauses or gaps, separated by commas; may be repeated", collect)
  .option("--accept <file>", "accepted causes, each with a reason; only others fail")
  .option(
    "--write-accept [file]",
    "write the causes found as accepted (default: the file of --accept, or differences.yaml)",
  )
  .option("--report-dir <folder>", "write compared.html and compared.json")
  .option("--json", "print the report as JSON; messages go to standard error")
  .addHelpText(
    "after",
    `
The other deployment is an emulator with the profile, unless --with names a deployment. Checks that fill a plan's storage
or use up its requests are left out unless --only names them.

Exit codes: 0 same or accepted, 1 different, 2 inconclusive or no run.

Examples:
  data-service compare --target staging.yaml --profile staging.json
  data-service compare --target staging.yaml --profile staging.json --write-accept differences.yaml
  data-service compare --target staging.yaml --profile staging.json --accept differences.yaml
  data-service compare --target staging.yaml --with production.yaml --only items,entities
  data-service compare --target staging.yaml --profile staging.json --har session.har
  data-service compare http://127.0.0.1:4100 --emulator --report-dir reports`,
  )
  .action(late(() => import("./compare-command.js"), "compare"));
addControlCommands(program);

type Action = (...given: never[]) => unknown;

/** The action of a command whose module is large: it is loaded when the command runs. */
function late<Name extends string>(load: () => Promise<Readonly<Record<Name, Action>>>, name: Name) {
  return async (...given: unknown[]): Promise<void> => {
    await (await load())[name](...(given as never[]));
  };
}

/** Adds how coverage is reported. */
function addCoverageOptions(command: Commander.Command): Commander.Command {
  return command
    .option("--json", "print the report as JSON: all situations and how to meet each")
    .option("--markdown", "print a summary as Markdown")
    .option("--html <file>", "write the report as a page: unmet situations and how to meet them")
    .option(
      "--min <thresholds>",
      "percentages to reach, e.g. operations=90,successes=80,refusals=50,scenarios=30",
    )
    .option("--ignore <names>", "ids, operations or areas out of scope; may be repeated", collect);
}

/** Adds what names a deployment: certify, observe and compare take it alike. */
function addTargetOptions(command: Commander.Command): Commander.Command {
  return command
    .argument("[url]", "base URL (default: the one in the target file)")
    .option("--emulator", "the URL is an emulator: its control plane provides users, keys, time and plans")
    .option("--target <file>", "target file: users, keys and capabilities of a deployment (YAML or JSON)");
}
