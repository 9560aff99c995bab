import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Emulator } from "../../emulator/api/emulator.js";
import { openEmulator } from "./open-emulator.js";
import { type RequestLogMode, RequestLog } from "./request-log.js";
import { exportData, saveCoverage } from "./run-until-stopped.js";
import type { StartOptions } from "./start-options.js";
import { watchParent } from "./watch-parent.js";
import { printError } from "./terminal.js";

const forwardedSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * `data-service exec`: runs a command with an emulator that stops when the command ends. Environment variables give the
 * command the URL of the emulator. Exits with the exit code of the command.
 */
export async function runExecCommand(command: readonly string[], options: StartOptions): Promise<void> {
  const choice = (options.log ?? "none") as RequestLogMode;
  const log = choice === "none" ? undefined : new RequestLog(choice, process.stderr);
  const opened = await openEmulator(options, { onRequest: log?.note });
  const { emulator, url } = opened;
  const [file = "", ...args] = command;
  const end = (code: number): never => {
    exportData(opened);
    saveCoverage(opened);
    process.exit(code);
  };
  const endWithoutCommand = ({ code, message }: NodeJS.ErrnoException) => {
    printError(
      `data-service: cannot run ${JSON.stringify(file)}: ${code === "ENOENT" ? "command not found" : message}\n`,
    );
    // exit codes of shells
    return end(code === "ENOENT" ? 127 : 126);
  };
  const child = attemptToSpawn(endWithoutCommand, file, args, {
    stdio: "inherit",
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !variableNames.includes(name))),
      ...getEnvironment(emulator, url),
    },
    // on Windows, commands such as npm are scripts, which only a shell can start
    shell: process.platform === "win32",
  });
  // on a terminal, the command also receives SIGINT, which is sent to the whole process group
  const receivesInterrupts = process.stdin.isTTY;
  for (const signal of forwardedSignals)
    process.on(signal, () => {
      if (!(receivesInterrupts && signal === "SIGINT")) child.kill(signal);
    });
  if (options.exitWithParent === true) watchParent(() => child.kill("SIGTERM"), { input: false });
  child.on("error", endWithoutCommand);
  child.on("exit", (code, signal) => end(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
}

/** Spawns a command. Node throws some errors, and emits others as events. */
function attemptToSpawn(
  onError: (error: NodeJS.ErrnoException) => never,
  ...given: Parameters<typeof spawn>
): ChildProcess {
  try {
    return spawn(...given);
  } catch (error) {
    return onError(error as NodeJS.ErrnoException);
  }
}

/** Variables that the command never inherits, because they may belong to a real service. */
const variableNames = [
  "DATA_SERVICE_API_KEY",
  "DATA_SERVICE_DATABASE_ID",
  "DATA_SERVICE_EMAIL",
  "DATA_SERVICE_PASSWORD",
];

type ApiKey = ReturnType<Emulator["state"]>["credentials"]["apiKeys"][number];

/** Returns environment variables for the command: the URL, the credentials and a database of the emulator. */
function getEnvironment(emulator: Emulator, url: string): Readonly<Record<string, string>> {
  const { users, apiKeys } = emulator.state().credentials;
  const databases = emulator.databases.list();
  const key = chooseKey(apiKeys, databases);
  const database = databases.find(({ organizationId }) => organizationId === key?.organizationId);
  // environment variables cannot contain NUL
  const user = users.find(({ email, password }) => !`${email}${password}`.includes("\0"));
  return {
    DATA_SERVICE_URL: url,
    ...(key === undefined ? {} : { DATA_SERVICE_API_KEY: key.key }),
    ...(database === undefined ? {} : { DATA_SERVICE_DATABASE_ID: database.databaseId }),
    ...(user === undefined ? {} : { DATA_SERVICE_EMAIL: user.email, DATA_SERVICE_PASSWORD: user.password }),
  };
}

/**
 * Returns an API key, preferably of an organization that has databases and with all scopes. Prints a message if there is no
 * key or if the key does not have all scopes.
 */
function chooseKey(
  apiKeys: readonly ApiKey[],
  databases: ReturnType<Emulator["databases"]["list"]>,
): ApiKey | undefined {
  const owners = new Set(databases.map(({ organizationId }) => organizationId));
  const withDatabases = apiKeys.filter(({ organizationId }) => owners.has(organizationId));
  const candidates = withDatabases.length > 0 ? withDatabases : apiKeys;
  const key = candidates.find(({ scopes }) => scopes.includes("*")) ?? candidates[0];
  if (key === undefined)
    printError(
      "data-service: DATA_SERVICE_API_KEY is not set because the starting data has no valid API key\n",
    );
  else if (!key.scopes.includes("*"))
    printError(
      `data-service: DATA_SERVICE_API_KEY is the key "${key.name}" of ${key.organizationId}; it has only the scopes ${key.scopes.join(", ")}\n`,
    );
  return key;
}
