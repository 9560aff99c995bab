import { accessSync, closeSync, constants, existsSync, openSync, readSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { createEmulator, type Emulator } from "../../emulator/api/emulator.js";
import type { EmulatorOptions } from "../../emulator/api/emulator-options.js";
import { headerText } from "../../emulator/state-files/state-file.js";
import { strictModeAnswers } from "../../openapi/gaps/profile.js";
import type { ClockMode } from "../../emulator/time/clock.js";
import { fail, setOutputErrorHandler, printError } from "./terminal.js";
import type { ProfileOrigin } from "../../openapi/gaps/profile-origin.js";
import { readProfileFile } from "./read-profile-file.js";
import type { StartOptions } from "./start-options.js";
import { findExportTarget } from "./write-file-atomically.js";
import { takeLock } from "./take-lock.js";
import { tryTo } from "../../openapi/text/try-to.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";

/** A listening emulator and the options with which it was started. */
export interface OpenedEmulator {
  readonly emulator: Emulator;
  readonly url: string;
  readonly data: string | undefined;
  readonly exportTo: string | undefined;
  /** URL of the console, as reached from this machine. */
  readonly console: string | undefined;
  /** The origin of the profile, if known. */
  readonly origin: ProfileOrigin | undefined;
  /** The name of the settings file, if one was read. */
  readonly configFile: string | undefined;
}

/** Starts an emulator from the options of a command; ends the command with one message if they are invalid. */
export async function openEmulator(
  options: StartOptions,
  {
    onRequest,
    prepare,
  }: {
    readonly onRequest?: EmulatorOptions["onRequest"];
    /** Called before the emulator listens. */
    readonly prepare?: (emulator: Emulator) => void;
  },
): Promise<OpenedEmulator> {
  const {
    port,
    host,
    https = false,
    fixture,
    seed,
    clock,
    journal,
    strict,
    allowHost,
    namespaceTtl,
    maxMemory,
    middleware,
    configFile,
  } = options;
  // the emulator keeps running if its output cannot be written
  setOutputErrorHandler(() => undefined);
  const { profile, origin } = await readProfileFile(
    options.profile,
    strict === true ? strictModeAnswers : {},
  );
  const { data, exportTo } = readDataOptions(options);
  // createEmulator validates the options
  const emulator = await createEmulator({
    fixture,
    seed,
    clock: clock as ClockMode | undefined,
    data,
    journal,
    profile,
    allowHosts: allowHost,
    namespaceIdleSeconds: namespaceTtl,
    maxMemoryBytes: maxMemory,
    middleware,
    onRequest,
    console: options.console,
    coverage: options.coverage,
  }).catch((error: unknown) => fail(`${toErrorMessage(error)}${options.watch === true ? watchHint : ""}`));
  prepare?.(emulator);
  const url = await emulator
    .listen({ port, host, https })
    .catch((error: unknown) => fail(describeListenError(error, host, port)));
  if (!isLoopback(host))
    printError(
      `warning: listening on ${host}: anyone who can reach this machine can use the emulator and its control plane\n`,
    );
  return {
    emulator,
    url,
    data,
    exportTo,
    origin,
    configFile,
    console: options.console ? `${url}/_emulator/console` : undefined,
  };
}

const watchHint =
  "\nThe emulator has not started, so --watch has no effect: correct the file, then run the command again.";

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

function describeListenError(error: unknown, host: string, port: number): string {
  const code = (error as { readonly code?: string }).code;
  if (code === "EADDRINUSE")
    return `port ${port} on ${host} is in use. Stop the program that uses it, or choose another port (--port 0 chooses a free port)`;
  if (code === "EACCES") return `port ${port} needs administrator rights; choose a port above 1023`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${host} is not an address of this machine; choose another address with --host`;
  return `cannot listen on ${host}:${port}: ${toErrorMessage(error)}`;
}

/** Returns the files to read at startup and to write on exit. Fails at startup, before data can be lost, if one is unusable. */
function readDataOptions({ data, exportOnExit }: StartOptions): {
  readonly data?: string;
  readonly exportTo?: string;
} {
  const exportTo = exportOnExit === true ? data : exportOnExit;
  if (exportOnExit === true && exportTo === undefined)
    fail("--export-on-exit needs a file: use --export-on-exit FILE, or add --data FILE");
  if (exportTo !== undefined) lockExportTarget(exportTo);
  const exported = exportTo === undefined ? {} : { exportTo };
  if (data === undefined || existsSync(data)) return { ...exported, ...(data === undefined ? {} : { data }) };
  // at the first start, the file does not exist yet; the first exit creates it
  if (exportTo !== undefined && resolve(exportTo) === resolve(data)) return exported;
  return fail(
    `the data file ${resolve(data)} does not exist. Name an existing file, or add --export-on-exit to create it on exit`,
  );
}

/** Checks that a file can be written on exit, and locks it. */
function lockExportTarget(name: string): void {
  try {
    const folder = dirname(resolve(name));
    if (!existsSync(folder)) throw new Error(`the folder ${folder} does not exist`);
    const { file } = findExportTarget(name);
    if (!mayReplace(file)) throw new Error("it exists and is not a state file");
    if (!isWritable(dirname(file))) throw new Error(`the folder ${dirname(file)} is not writable`);
    takeLock(join(dirname(file), `.${basename(file)}.lock`));
  } catch (error) {
    fail(`cannot write ${name === "" ? `""` : name} on exit: ${toErrorMessage(error)}; choose another file`);
  }
}

/** Whether a file is missing, empty or an SQLite file, so that a mistake in the command line destroys no other file. */
function mayReplace(file: string): boolean {
  const opened = tryTo(() => openSync(file, "r"));
  if (opened === undefined) return !existsSync(file);
  const start = Buffer.alloc(headerText.length);
  const length = readSync(opened, start);
  closeSync(opened);
  return length === 0 || start.equals(headerText);
}

function isWritable(folder: string): boolean {
  return tryTo(() => (accessSync(folder, constants.W_OK), true)) ?? false;
}
