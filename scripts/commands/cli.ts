import type * as Commander from "commander";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
import { version } from "../../emulator/domain/version.js";
import { applySettings, settingsHelp } from "./apply-settings.js";
import { addControlCommands } from "./control-commands.js";
import { print, printError } from "./terminal.js";
import { runExecCommand } from "./exec-command.js";
import { appendValue, parsePositiveCount, parseSeed, parseTime } from "./parse-values.js";
import type * as OtherCommands from "./other-commands.js";
import { runStartCommand } from "./start-command.js";
import { addStartOptions } from "./start-options.js";

// with an import, Node would first scan the whole file for exports
const { Argument, Command, Option } = lazyRequire("commander") as typeof Commander;

/** The commands and their options. */
export const program = new Command("data-service")
  .description("Local emulator for the data service, with an OpenAPI document and a conformance suite.")
  .version(version)
  .exitOverride()
  .helpOption("-h, --help", "show help for this command")
  .helpCommand("help [command]", "show help for a command")
  .configureOutput({ writeOut: print, writeErr: printError })
  .showHelpAfterError("(use --help to see the options and examples)")
  // options after the command of `exec` belong to that command
  .enablePositionalOptions()
  .hook("preAction", (_program, command) => applySettings(command));

addStartOptions(program.command("start").description("start the emulator"), 4100)
  .option(
    "--persist <folder>",
    "keep all namespaces in this folder across restarts, even if the process is killed",
  )
  .option("--watch", "when the seed file changes, reload it and reset the namespaces that use it")
  .option("--json", "when the emulator is ready, print a line of JSON instead of text")
  .addHelpText(
    "after",
    `
Examples:
  data-service start
  data-service start --port 0 --json --fixture empty
  data-service start --profile profile.json --seed 7
  data-service start --fixture seed.yaml --watch            start with your own data
  data-service start --persist .data                        keep the data across restarts
  data-service start --data seed.sqlite                     start with the same data every time
${settingsHelp}`,
  )
  .action(runStartCommand);

addStartOptions(
  program
    .command("exec")
    .description("start an emulator, run a command (such as your tests), then stop the emulator"),
  0,
)
  .argument("<command...>", "the command and its arguments, after --")
  .passThroughOptions()
  .addHelpText(
    "after",
    `
The command is run with these environment variables:
  DATA_SERVICE_URL          base URL of the emulator
  DATA_SERVICE_API_KEY      API key in the starting data, if possible one with all scopes
  DATA_SERVICE_DATABASE_ID  id of the first database that this API key can use
  DATA_SERVICE_EMAIL        email address of the first user in the starting data
  DATA_SERVICE_PASSWORD     password of the first user in the starting data
When the command ends, data-service exits with the command's exit code.

Examples:
  data-service exec -- npm test
  data-service exec --fixture empty --log problems -- npx playwright test
${settingsHelp}`,
  )
  .action(runExecCommand);

program
  .command("contract")
  .description("print the service's OpenAPI document")
  .option(
    "--profile <file>",
    "profile (JSON file) that says how the service behaves where the specification is silent",
  )
  .addOption(
    new Option("--format <format>", "output format").choices(["json", "yaml", "html"]).default("json"),
  )
  .addHelpText(
    "after",
    `
Examples:
  data-service contract > openapi.json
  data-service contract --profile profile.json --format yaml
  data-service contract --format html > reference.html      write a page that works offline`,
  )
  .action(runLater("printContract"));

program
  .command("schema")
  .description("print the JSON Schema for profile, seed or target files")
  .addArgument(new Argument("<kind>").choices(["profile", "seed", "target"]))
  .addHelpText(
    "after",
    `
Editors can use the schema to complete field names and report mistakes.

Example:
  data-service schema target > target.schema.json`,
  )
  .action(runLater("printSchema"));

program
  .command("export")
  .description(
    "export the data of a running emulator or a state file as a seed file, e.g. for `start --fixture`",
  )
  .option("--data <file>", "state file to export (default: the data in a running emulator)")
  .option("--url <url>", "base URL of the emulator (default: $DATA_SERVICE_URL or http://127.0.0.1:4100)")
  .option("--namespace <name>", "namespace to export (default: the namespace in the URL)")
  .addOption(new Option("--format <format>", "output format").choices(["yaml", "json"]).default("yaml"))
  .option("--output <file>", "output file (default: standard output)")
  .addHelpText(
    "after",
    `
The export contains passwords. It omits sessions, usage figures, deleted data, stored responses to transactions,
and checkouts, including paid ones whose plan has not started yet.

Examples:
  data-service export > seed.yaml
  data-service export --data dev.sqlite --output seed.yaml`,
  )
  .action(runLater("exportSeed"));

const coverageCommand = addCoverageOptions(
  program
    .command("coverage")
    .description(
      "show which operations, errors and scenarios the requests to a running emulator have covered",
    )
    .argument("[url]", "base URL of the emulator (default: $DATA_SERVICE_URL or http://127.0.0.1:4100)"),
)
  .addHelpText(
    "after",
    `
Exit codes: 0 success; 1 the coverage is below a --min threshold; 2 no report could be created.

Examples:
  data-service coverage
  data-service coverage --html coverage.html --min operations=90,refusals=50,scenarios=30
  data-service coverage --ignore Billing,login --json > coverage.json`,
  )
  .action(runLater("runCoverageCommand"))
  // options after the name of a subcommand belong to that subcommand
  .enablePositionalOptions();

addCoverageOptions(
  coverageCommand
    .command("merge")
    .description("merge the coverage of several emulators into one report")
    .argument(
      "<files...>",
      "files that contain the output of --json, or folders to which emulators wrote coverage ($DATA_SERVICE_COVERAGE_DIR)",
    ),
).action(runLater("mergeCoverage"));

const certifyCommand = addTargetOptions(
  program
    .command("certify")
    .description("check whether a deployment or an emulator conforms to the specification"),
)
  .option("--only <names>", "areas, checks or clauses to run, comma-separated; can be repeated", appendValue)
  .option("--require-complete", "exit with code 2 instead of 0 if some checks were not selected (for CI)")
  .option("--seed <n>", "random seed for generated inputs (default: random)", parseSeed)
  .option("--runs <n>", "number of inputs to try per property (default: 10)", parsePositiveCount)
  .option("--max-time <duration>", "maximum duration, including cleanup, e.g. 90s or 10m", parseTime)
  .option("--max-failures <n>", "do not start more checks after n failures", parsePositiveCount)
  .option(
    "--report-dir <folder>",
    "folder for HTML, JSON, JUnit and HAR reports, and for curl scripts that reproduce failures",
  )
  .option("--verbose", "print a curl script and all requests and responses for each failure")
  .option(
    "--shard <index/count>",
    "run one shard of the checks, e.g. 2/4; merge the reports with `certify merge`",
  )
  .option(
    "--last-failed <report>",
    "run only the checks that failed in this report, with its seed and number of runs",
  )
  .option("--replay <token>", "reproduce the failure that has this token in a report")
  .option("--list", "list the checks with their clauses and requirements, without running them")
  .option(
    "--cleanup <ledger>",
    "run no checks, but remove what a killed run left behind, as listed in its ledger file",
  )
  .option(
    "--profile <file>",
    "profile (JSON file) with known answers to gaps in the specification, e.g. one written by `observe`",
  )
  .option(
    "--write-profile <file>",
    "after the checks, find the deployment's answers to gaps in the specification and save them as a profile",
  )
  .addHelpText(
    "after",
    `
Exit codes: 0 conformant, or all selected checks passed; 1 not conformant; 2 inconclusive, or nothing was run.

Examples:
  data-service certify http://127.0.0.1:4100 --emulator
  data-service certify --target staging.yaml --max-time 10m --report-dir reports
  data-service certify --target staging.yaml --only items,GEN-04 --runs 100
  data-service certify --target staging.yaml --seed 7 --shard 2/4 --report-dir shard-2
  data-service certify --target staging.yaml --last-failed reports --report-dir reports
  data-service certify --list --only items
  data-service certify --target staging.yaml --cleanup certify-cf1a2b3c4d.ledger.jsonl`,
  )
  .action(runLater("runCertifyCommand"))
  // options after the name of a subcommand belong to that subcommand
  .enablePositionalOptions();

certifyCommand
  .command("merge")
  .description("merge the reports from all shards into one report and verdict")
  .argument("<reports...>", "report folders or report.json files")
  .option("--report-dir <folder>", "folder for HTML, JSON and JUnit reports")
  .option("--require-complete", "exit with code 2 instead of 0 if some checks were not selected (for CI)")
  .option("--verbose", "print a curl script and all requests and responses for each failure")
  .addHelpText(
    "after",
    `
Exit codes: the same as for certify; also 2 if the reports are not from all shards of one run.

Example:
  data-service certify merge shard-1 shard-2 shard-3 shard-4 --report-dir reports`,
  )
  .action(runLater("mergeShards"));

addTargetOptions(
  program
    .command("observe")
    .description("find out how a deployment behaves where the specification is silent"),
)
  .option("--only <gaps>", "gaps to observe, comma-separated; can be repeated", appendValue)
  .option(
    "--profile <file>",
    "profile (JSON file) with known answers to gaps in the specification, e.g. routes that the suite cannot find by itself",
  )
  .option("--write-profile <file>", "save the answers as a profile (a JSON file) for `start --profile`")
  .option("--report-dir <folder>", "folder for the reports observed.html and observed.json")
  .option("--json", "print the report as JSON; messages go to standard error")
  .addHelpText(
    "after",
    `
Exit codes: 0 the run completed; 2 the run failed or was interrupted.

Examples:
  data-service observe --target staging.yaml --write-profile staging.json
  data-service observe --target staging.yaml --only put-item-route,validation-status
  data-service start --profile staging.json`,
  )
  .action(runLater("runObserveCommand"));

addTargetOptions(
  program
    .command("compare")
    .description("send the same requests to two deployments and report every difference"),
)
  .option(
    "--with <file>",
    "target file of the other deployment, or URL of an emulator (default: an emulator that this command starts)",
  )
  .option("--profile <file>", "profile (JSON file) for the emulator to use, e.g. one written by `observe`")
  .option(
    "--har <file>",
    "HTTP Archive (HAR file) of recorded requests to send instead of the suite's requests",
  )
  .option("--seed <n>", "random seed for generated inputs", parseSeed, 1)
  .option("--runs <n>", "number of inputs to try per property", parsePositiveCount, 1)
  .option(
    "--only <names>",
    "areas, checks, clauses or gaps to compare, comma-separated; can be repeated",
    appendValue,
  )
  .option(
    "--accept <file>",
    "file of accepted causes of differences, each with a reason; the command fails only if it finds other causes",
  )
  .option(
    "--write-accept [file]",
    "write the causes found in this run to a file for --accept (default: the --accept file, or differences.yaml)",
  )
  .option("--report-dir <folder>", "folder for the reports compared.html and compared.json")
  .option("--json", "print the report as JSON; messages go to standard error")
  .addHelpText(
    "after",
    `
By default, the command compares the deployment with an emulator that uses the given profile. To compare it with
another deployment, use --with. The command skips checks that use up an organization's storage or monthly
requests, unless you select these checks with --only.

Exit codes: 0 no differences, or only accepted ones; 1 other differences; 2 inconclusive, or something could not be
compared. With --write-accept, differences do not make the command fail.

Examples:
  data-service compare --target staging.yaml --profile staging.json
  data-service compare --target staging.yaml --profile staging.json --write-accept differences.yaml
  data-service compare --target staging.yaml --profile staging.json --accept differences.yaml
  data-service compare --target staging.yaml --with production.yaml --only items,entities
  data-service compare --target staging.yaml --profile staging.json --har session.har
  data-service compare http://127.0.0.1:4100 --emulator --report-dir reports`,
  )
  .action(runLater("runCompareCommand"));
addControlCommands(program);

/** Returns an action whose module is large and therefore loaded only when the command runs. */
function runLater(name: keyof typeof OtherCommands) {
  return async (...given: unknown[]): Promise<void> => {
    const commands = await import("./other-commands.js");
    await (commands[name] as (...given: unknown[]) => unknown)(...given);
  };
}

/** Adds the options of a coverage report. */
function addCoverageOptions(command: Commander.Command): Commander.Command {
  return command
    .option("--json", "print the report as JSON, including how to cover each operation, error and scenario")
    .option("--markdown", "print a summary as Markdown")
    .option("--html <file>", "write the report as an HTML page")
    .option(
      "--min <thresholds>",
      "minimum coverage percentages, e.g. operations=90,successes=80,refusals=50,scenarios=30",
    )
    .option(
      "--ignore <names>",
      "areas, operations or situation ids to ignore, comma-separated; can be repeated",
      appendValue,
    );
}

/** Adds the argument and options that name a deployment, for certify, observe and compare. */
function addTargetOptions(command: Commander.Command): Commander.Command {
  return command
    .argument("[url]", "base URL of the deployment (default: the base URL in the target file)")
    .option(
      "--emulator",
      "the URL belongs to an emulator; the suite creates users and keys there, and changes plans and the clock",
    )
    .option(
      "--target <file>",
      "target file (YAML or JSON), which describes a deployment: its URL, users, keys and capabilities",
    );
}
