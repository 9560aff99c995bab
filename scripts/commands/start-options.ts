import type * as Commander from "commander";
import type { EmulatorOptions } from "../../emulator/api/emulator-options.js";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
import {
  parseEntryCount,
  appendHostName,
  parseIdleTime,
  parsePort,
  parseSeed,
  parseSize,
} from "./parse-values.js";

const { Option } = lazyRequire("commander") as typeof Commander;

/** Options of `data-service start` and `data-service exec`, which has no `json`, `watch` and `persist`. */
export interface StartOptions {
  readonly port: number;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly https?: true;
  readonly fixture: string;
  readonly profile?: string;
  readonly strict?: true;
  readonly seed?: number;
  readonly clock?: string;
  readonly data?: string;
  readonly exportOnExit?: string | true;
  readonly journal?: boolean | number;
  readonly coverage: boolean;
  readonly console: boolean;
  readonly namespaceTtl?: number;
  readonly maxMemory?: number;
  readonly log?: string;
  readonly exitWithParent?: true;
  readonly json?: true;
  readonly watch?: true;
  readonly persist?: string;
  /** Can be set only in a settings file. */
  readonly middleware?: EmulatorOptions["middleware"];
  /** The name of the settings file, if one was read. */
  readonly configFile?: string;
}

/** Adds the options of an emulator. @param port default of `--port` */
export function addStartOptions(command: Commander.Command, port: number): Commander.Command {
  return command
    .option("--port <n>", "port to listen on; 0 chooses a free port", parsePort, port)
    .option(
      "--host <address>",
      "address to listen on; any non-loopback address exposes the emulator to the network",
      "127.0.0.1",
    )
    .option(
      "--allow-host <name>",
      "accept control plane requests that are sent to this host name, not only to localhost and IP addresses; can be repeated",
      appendHostName,
    )
    .option("--https", "serve HTTPS with a self-signed certificate")
    .option(
      "--fixture <name|file>",
      "starting data: a seed file, or a built-in fixture (demo or empty)",
      "demo",
    )
    .option(
      "--profile <file>",
      "profile (JSON file) that says how the emulator behaves where the specification is silent",
    )
    .option("--strict", "reject fields and query parameters that are not in the contract")
    .option(
      "--seed <n>",
      "random seed for generated ids and tokens (default: the seed in the starting data, or 1)",
      parseSeed,
    )
    .addOption(
      new Option(
        "--clock <mode>",
        'clock mode: "manual" starts in 2030 and advances 1 ms per request; "system" follows the machine\'s clock (default: the mode in the starting data, or manual)',
      ).choices(["manual", "system"]),
    )
    .option("--data <file>", "start with the data in this state file (SQLite) instead of a fixture")
    .option("--export-on-exit [file]", "write the data to a state file on exit (default: the --data file)")
    .option("--journal <n>", "number of requests to keep in the journal (default: 250)", parseEntryCount)
    .option("--no-journal", "do not record requests in a journal")
    .option("--no-coverage", "do not collect data for `data-service coverage`")
    .option(
      "--no-console",
      "disable the pages at /_emulator/console, including the checkout and portal pages",
    )
    .option(
      "--namespace-ttl <duration>",
      "delete namespaces that have not been used for this long, e.g. 90s or 10m",
      parseIdleTime,
    )
    .option(
      "--max-memory <size>",
      "maximum memory for all data, e.g. 512MB or 4GB (default: half of the machine's memory, up to 2GB)",
      parseSize,
    )
    .addOption(
      new Option(
        "--log <what>",
        'which requests to log: all ("requests"), rejected or failed ones ("problems"), or none (default: "requests" for start on a terminal, otherwise "none")',
      ).choices(["requests", "problems", "none"]),
    )
    .option(
      "--exit-with-parent",
      "exit when the parent process ends or, except with exec, when standard input is closed",
    );
}
