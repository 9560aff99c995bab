import { Command, InvalidArgumentError } from "commander";
import { version } from "../emulator/version.js";
import { printContract } from "./contract-command.js";
import { start } from "./start-command.js";

const program = new Command("data-service")
  .description("Local emulator of the data service, and its contract.")
  .version(version)
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

await program.parseAsync();

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return port;
}

function parseSeed(text: string): number {
  const seed = Number(text);
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("A seed is a whole number from 0 on.");
  return seed;
}
