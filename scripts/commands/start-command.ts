import { version } from "../../emulator/domain/version.js";
import { isFixtureName } from "../../fixtures/register.js";
import { commandName, fail, print, printError } from "./terminal.js";
import { formatGreeting } from "./greeting.js";
import { type OpenedEmulator, openEmulator } from "./open-emulator.js";
import { type RequestLogMode, RequestLog } from "./request-log.js";
import { Persistence } from "./persistence.js";
import { exportData, runUntilStopped, saveCoverage } from "./run-until-stopped.js";
import type { StartOptions } from "./start-options.js";
import { watchParent } from "./watch-parent.js";
import { readFileSync, watchFile } from "node:fs";
import type { Emulator } from "../../emulator/api/emulator.js";
import { tryTo } from "../../openapi/text/try-to.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";

/** `data-service start`: runs until SIGINT or SIGTERM. */
export async function runStartCommand(options: StartOptions): Promise<void> {
  if (options.watch === true && isFixtureName(options.fixture))
    fail(`--watch needs a seed file (--fixture seed.yaml); ${options.fixture} is a built-in fixture`);
  const isForPrograms = options.json === true;
  // logging takes time, and health checks would fill the log of a container
  const logsByDefault = process.stdout.isTTY && !isForPrograms;
  const logMode = (options.log ?? (logsByDefault ? "requests" : "none")) as RequestLogMode;
  // with --json, standard output has only one line
  const log = new RequestLog(logMode, isForPrograms ? process.stderr : process.stdout);
  if (options.persist !== undefined && (options.data ?? options.exportOnExit) !== undefined)
    fail("--persist saves all data in its folder; do not combine it with --data or --export-on-exit");
  const persistence = options.persist === undefined ? undefined : new Persistence(options.persist);
  // with --json, the number of requests is not printed
  const listeners = [
    ...(isForPrograms && logMode === "none" ? [] : [log.note]),
    ...(persistence === undefined ? [] : [persistence.note]),
  ];
  const opened = await openEmulator(options, {
    onRequest:
      listeners.length === 0 ? undefined : (request) => listeners.forEach((listen) => listen(request)),
    prepare: (emulator) => persistence?.open(emulator),
  });
  const { exportTo } = opened;
  const save = () => {
    exportData(opened);
    return persistence?.save() !== false;
  };
  const stop = runUntilStopped(opened.emulator, save, () => {
    saveCoverage(opened);
    if (isForPrograms) return;
    print(`stopped after ${log.summary()}${exportTo === undefined ? "" : `; wrote ${exportTo}`}\n`);
  });
  const persisted = persistence?.describe(options.fixture);
  if (
    options.watch === true &&
    persisted?.isUsed === true &&
    persistence?.isOlderThan(options.fixture) === true
  )
    printError(
      `${options.fixture} has changed, but the emulator uses the older data in ${persisted.folder}. ` +
        `To load the changed file, run "${commandName} reset", or stop the emulator and delete ${persisted.folder}\n`,
    );
  if (persisted?.isUsed === true && (options.seed ?? options.clock) !== undefined)
    printError(
      `The random seed and the clock come from the data in ${persisted.folder}. ` +
        "--seed and --clock apply only to new namespaces, and after a reset.\n",
    );
  // print this last, because its reader may stop the emulator at once
  print(
    isForPrograms
      ? `${JSON.stringify(toReadyLine(opened, options.persist))}\n`
      : formatGreeting(opened, persisted),
  );
  if (options.exitWithParent === true) watchParent(stop);
  if (options.watch === true)
    watchSeed(options.fixture, opened.emulator, () => persistence?.markAllChanged());
}

function toReadyLine({ emulator, url, data, exportTo, console }: OpenedEmulator, persist?: string) {
  const { fixture, seed, credentials, clock } = emulator.state();
  return {
    ready: true,
    version,
    url,
    controlPlane: `${url}/_emulator`,
    pid: process.pid,
    fixture,
    seed,
    clock,
    credentials,
    data: data ?? null,
    exportOnExit: exportTo ?? null,
    persist: persist ?? null,
    console: console ?? null,
  };
}

const intervalMs = 200;

/**
 * Reloads a seed file whenever it changes; prints a mistake in the file and then keeps the data.
 *
 * @param onReload called after namespaces were reset
 */
function watchSeed(file: string, emulator: Emulator, onReload: () => void): void {
  // a file that cannot be read is undefined; the emulator explains why
  const readText = () => tryTo(() => readFileSync(file, "utf8"));
  let loadedText = readText();
  let hasMistake = false;
  const check = () => {
    const text = readText();
    // many editors empty a file before writing it
    if (text === "") return;
    // saving a file without a change must not reset namespaces
    if (text === loadedText && text !== undefined) {
      if (hasMistake) printError(`${file} has its previous content again; the data was not changed\n`);
      hasMistake = false;
      return;
    }
    try {
      emulator.reload();
      onReload();
      loadedText = text;
      hasMistake = false;
      printError(`${file} has changed; every namespace that started from it was reset\n`);
    } catch (error) {
      hasMistake = true;
      printError(`${toErrorMessage(error)}\nThe data was not changed.\n`);
    }
  };
  watchFile(file, { interval: intervalMs, persistent: false }, check);
  // the first poll of watchFile detects no change, but the file may have changed before it
  setTimeout(check, 2 * intervalMs).unref();
}
