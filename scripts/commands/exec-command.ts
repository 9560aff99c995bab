import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Emulator } from "../../emulator/api/emulator.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { scopes, type Scope } from "../../openapi/schemas/roles.js";
import { hasScope } from "../../emulator/access/authorize.js";
import { openEmulator } from "./open-emulator.js";
import { type LogChoice, RequestLog } from "./request-log.js";
import { exportData, saveCoverage } from "./run-until-stopped.js";
import type { StartOptions } from "./start-options.js";
import { watchParent } from "./watch-parent.js";
import { printError } from "./terminal.js";

const forwarded = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * `data-service exec`: runs a command beside an emulator, which ends with it. The command finds the emulator in its
 * environment, and its exit code is ours.
 */
export async function exec(command: readonly string[], options: StartOptions): Promise<void> {
  const choice = (options.log ?? "none") as LogChoice;
  const log = choice === "none" ? undefined : new RequestLog(choice, process.stderr);
  const opened = await openEmulator(options, { onRequest: log?.note });
  const { emulator, url } = opened;
  const [file = "", ...args] = command;
  const child = spawn(file, args, {
    stdio: "inherit",
    // a credential from outside, which may be for a real service, is no use here
    env: { ...omitCredentials(process.env), ...getEnvironment(emulator, url) },
    // npm and its like are scripts there, which only a shell starts
    shell: process.platform === "win32",
  });
  // a terminal signals the whole group: the command has the signal already
  const isTold = process.stdin.isTTY;
  for (const signal of forwarded)
    process.on(signal, () => {
      if (!(isTold && signal === "SIGINT")) child.kill(signal);
    });
  if (options.exitWithParent === true) watchParent(() => child.kill("SIGTERM"), { input: false });
  const end = (code: number) => {
    exportData(opened);
    saveCoverage(opened);
    process.exit(code);
  };
  child.on("error", (error: NodeJS.ErrnoException) => {
    const why = error.code === "ENOENT" ? "there is no such command" : error.message;
    printError(`data-service: cannot run ${file}: ${why}\n`);
    // what shells end with
    end(error.code === "ENOENT" ? 127 : 126);
  });
  child.on("exit", (code, signal) => end(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
}

const credentialNames = ["DATA_SERVICE_API_KEY", "DATA_SERVICE_EMAIL", "DATA_SERVICE_PASSWORD"];

function omitCredentials(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !credentialNames.includes(name)));
}

type ApiKey = ReturnType<Emulator["state"]>["credentials"]["apiKeys"][number];

/** What the command finds in its environment: where the emulator is, and whom it knows. */
function getEnvironment(emulator: Emulator, url: string): Readonly<Record<string, string>> {
  const { users } = emulator.state().credentials;
  const key = findStrongestKey(emulator);
  const [user] = users;
  return {
    DATA_SERVICE_URL: url,
    ...(key === undefined ? {} : { DATA_SERVICE_API_KEY: key.key }),
    ...(user === undefined ? {} : { DATA_SERVICE_EMAIL: user.email, DATA_SERVICE_PASSWORD: user.password }),
  };
}

/** The key with the widest scopes, of an organization with databases if several have these; a line says which one it is unless it may do everything, or that there is none. */
function findStrongestKey(emulator: Emulator): ApiKey | undefined {
  const databases = new Map(
    emulator.organizations.list().map((one) => [one.organizationId, Math.min(one.databases, 1)]),
  );
  const has = ({ organizationId }: ApiKey) => databases.get(organizationId) ?? 0;
  const [key] = emulator
    .state()
    .credentials.apiKeys.toSorted((a, b) => countRights(b) - countRights(a) || has(b) - has(a));
  if (key === undefined)
    printError("data-service: DATA_SERVICE_API_KEY is not set: the starting data has no valid API key\n");
  else if (!key.scopes.includes("*"))
    printError(
      `data-service: DATA_SERVICE_API_KEY is the key "${key.name}" of ${key.organizationId}, whose scopes are ${key.scopes.join(", ")}\n`,
    );
  return key;
}

/** How many scopes that name one right a key's scopes stand for, in the profile of the specification. */
function countRights({ scopes: given }: { readonly scopes: readonly Scope[] }): number {
  return scopes.filter((scope) => hasScope(given, scope, defaultProfile)).length;
}
