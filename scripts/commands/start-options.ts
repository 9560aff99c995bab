import type * as Commander from "commander";
import type { EmulatorOptions } from "../../emulator/api/emulator-options.js";
import { requireLate } from "../../openapi/packaged/require-late.js";
import { parseEntries, parseHostName, parseIdleTime, parsePort, parseSeed } from "./parse-values.js";

const { Option } = requireLate("commander") as typeof Commander;

/** What `data-service start` and `data-service exec` are told. */
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
  readonly console: boolean;
  readonly open?: true;
  readonly namespaceTtl?: number;
  readonly log?: string;
  readonly exitWithParent?: true;
  readonly json?: true;
  /** From a file of settings alone. */
  readonly middleware?: EmulatorOptions["middleware"];
}

/** Adds the options of an emulator; the port that is taken unless another is named differs. */
export function addStartOptions(command: Commander.Command, port: number): Commander.Command {
  return command
    .option("--port <number>", "port to listen on; 0 takes any free one", parsePort, port)
    .option(
      "--host <address>",
      "address to listen on; anything but loopback opens it to the network",
      "127.0.0.1",
    )
    .option(
      "--allow-host <name>",
      "host name under which clients may use the control plane, beside localhost and IP addresses; may be repeated",
      parseHostName,
    )
    .option("--https", "listen with a self-signed certificate that is made at the start")
    .option(
      "--fixture <name or file>",
      "starting state: demo, empty, or a seed file of your own, as ./seed.yaml",
      "demo",
    )
    .option("--profile <file>", "JSON file with answers to gaps of the specification")
    .option("--strict", "refuse members and query parameters that the contract does not know")
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
    .option("--no-console", "leave out the pages at /_emulator/console, checkout and portal included")
    .option(
      "--namespace-ttl <duration>",
      "delete a namespace that nobody used for so long, as 90s, 10m or 1h",
      parseIdleTime,
    )
    .addOption(
      new Option(
        "--log <what>",
        "which requests to show while it runs (default: requests on a terminal, otherwise none)",
      ).choices(["requests", "problems", "none"]),
    )
    .option(
      "--exit-with-parent",
      "end when the process that started it has gone, or the pipe at standard input ends",
    );
}
