import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { escapeInvisible } from "../../openapi/text/escape-invisible.js";
import type { ConnectionOptions } from "./connect-to-namespace.js";
import type * as OtherCommands from "./other-commands.js";
import { parsePositiveCount } from "./parse-values.js";
import { fail, print } from "./terminal.js";
import { writeOutputFile } from "./write-file-atomically.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";

type CommandAction = (emulator: Connected, ...given: (string | undefined)[]) => Promise<unknown>;
type Connected = Awaited<ReturnType<typeof OtherCommands.connectToNamespace>>;

/** Adds the commands that control a running emulator from a shell. */
export function addControlCommands(program: Command): void {
  const add =
    (parent: Command) =>
    (signature: string, description: string, work: CommandAction): void =>
      addCommand(parent, signature, description, work);
  const group = (name: string, description: string) =>
    add(addConnectionOptions(program.command(name).description(description)));

  add(program)(
    "reset [fixture]",
    "reset a running emulator to its starting state, or to a fixture",
    ({ world }, fixture) => world.reset(fixture),
  );

  const clock = group("clock", "read or set the clock of a running emulator");
  clock("show", "print the time and the clock mode", ({ world }) => world.clock.get());
  clock(
    "advance <duration>",
    "advance the clock by a duration, e.g. 90s, 10m, 7d or P1M (ISO 8601)",
    ({ world }, duration = "") => world.clock.advance(duration),
  );
  clock("set <time>", "set the time (ISO 8601 with a time zone)", ({ world }, time = "") =>
    world.clock.set(time),
  );
  clock("mode <mode>", "set the clock mode: manual or system", ({ world }, mode) =>
    world.clock.mode(mode as "manual"),
  );

  const fault = group("fault", "make requests to a running emulator fail or take longer");
  fault("list", "list the fault rules", ({ world }) => world.faults.list());
  fault(
    "create <rule>",
    `create a fault rule, e.g. '{"effect":{"kind":"status","status":503},"match":{"operationId":"putItem"}}'`,
    ({ world }, rule = "") => world.faults.create(readRule(rule)),
  );
  fault("clear [id]", "delete one fault rule, or all fault rules", ({ world }, id) =>
    id === undefined ? world.faults.clear() : world.faults.delete(id),
  );

  const journal = group("journal", "read or clear the requests that a running emulator has received");
  journal(
    "list [count]",
    "list the latest requests and their responses (at most <count>)",
    ({ world }, count) =>
      world.journal.entries(count === undefined ? {} : { limit: parsePositiveCount(count) }),
  );
  journal(
    "har <file>",
    "write the requests and their responses to an HTTP Archive",
    async ({ world }, file = "") =>
      writeOutputFile(file, `${JSON.stringify(await world.journal.har(), null, 2)}\n`),
  );
  journal("clear", "clear the journal", ({ world }) => world.journal.clear());

  const snapshot = group("snapshot", "save and restore the state of a running emulator");
  snapshot("list", "list the snapshots", ({ world }) => world.snapshots.list());
  snapshot("save [name]", "save the current state as a snapshot", ({ world }, name) =>
    world.snapshots.save(name),
  );
  snapshot("restore <name>", "return to the state in a snapshot", ({ world }, name = "") =>
    world.snapshots.restore(name),
  );
  snapshot(
    "compare <name> [to]",
    "list the changes since a snapshot, or between two snapshots",
    ({ world }, name = "", to) => world.snapshots.compare(name, to),
  );
  snapshot("delete <name>", "delete a snapshot", ({ world }, name = "") => world.snapshots.delete(name));
  snapshot(
    "download <name> <file>",
    "download a snapshot as a SQLite file",
    async ({ world }, name = "", file = "") => writeOutputFile(file, await world.snapshots.download(name)),
  );
  snapshot(
    "upload <name> <file>",
    "create a snapshot from a downloaded file",
    ({ world }, name = "", file = "") => world.snapshots.upload(name, readFileSync(file)),
  );

  const namespace = group("namespace", "list, copy or delete the namespaces of a running emulator");
  namespace("list", "list the namespaces", ({ all }) => all.namespaces.list());
  namespace(
    "fork <to>",
    "copy the namespace given by --namespace (default: the namespace in the URL) to a new namespace",
    async ({ world }, to = "") => {
      const { name, url } = await world.fork(to);
      return { name, url };
    },
  );
  namespace("delete <name>", "delete a namespace", ({ all }, name = "") => all.namespaces.delete(name));
}

/** Adds one command; prints the result of its action as JSON, or a refusal as one line. */
function addCommand(parent: Command, signature: string, description: string, work: CommandAction): void {
  const command = addConnectionOptions(parent.command(signature).description(description));
  command.action(async (...given: unknown[]) => {
    const values = given.slice(0, command.registeredArguments.length) as (string | undefined)[];
    try {
      const { connectToNamespace } = await import("./other-commands.js");
      // the options may stand before the name of the subcommand as well
      const options = command.optsWithGlobals<ConnectionOptions>();
      const connected = await connectToNamespace({ ...options, createsNamespace: createsNamespace(command) });
      const result = await work(connected, ...values);
      if (result !== undefined) print(`${JSON.stringify(result, null, 2)}\n`);
    } catch (error) {
      // the message may come from another emulator
      fail(escapeInvisible(toErrorMessage(error)));
    }
  });
}

function addConnectionOptions(command: Command): Command {
  const namespace = createsNamespace(command)
    ? "namespace to reset, created if it does not exist"
    : "existing namespace to use";
  return command
    .option("--url <url>", "base URL of the emulator (default: $DATA_SERVICE_URL or http://127.0.0.1:4100)")
    .option("--namespace <name>", `${namespace} (default: the namespace in the URL)`);
}

function createsNamespace(command: Command): boolean {
  return command.name() === "reset";
}

function readRule(text: string): never {
  try {
    return JSON.parse(text) as never;
  } catch (error) {
    throw new Error(`the rule is not valid JSON: ${toErrorMessage(error)}`, {
      cause: error,
    });
  }
}
