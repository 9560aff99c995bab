import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { namespaceOperations } from "../../openapi/control-plane/namespaces.js";
import type { Emulator } from "../../emulator/api/emulator.js";
import type { EmulatorNamespace } from "../../emulator/api/emulator-namespace.js";
import type { CompletedRequest } from "../../emulator/request/completed-request.js";
import { fail, printError } from "./terminal.js";
import { assertLocksHeld, renewLocks, takeLock } from "./take-lock.js";
import { writeFileAtomically } from "./write-file-atomically.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";
import { tryTo } from "../../openapi/text/try-to.js";

/** Minimum time between saves, in milliseconds; the interval grows if a save takes longer than a tenth of it. */
const saveEveryMs = 500;
/** Maximum duration of a save while the emulator runs, in milliseconds; then requests get a turn before the rest is saved. */
const maxTurnMs = 50;
/** Maximum time until a failed save is repeated, in milliseconds. The interval doubles with each failure. */
const maxRetryMs = 10_000;
const uploadName = "persisted";

/** The folder in which the state of an emulator is kept, and the initial state. */
export interface PersistedState {
  readonly folder: string;
  /** Whether the default namespace started with the state in the folder. */
  readonly isUsed: boolean;
  /** The fixture that a reset restores, as on the command line. */
  readonly fixture: string;
}

/**
 * Saves all namespaces of an emulator in a folder, in one state file per namespace with its data, clock and ids. Namespaces
 * are saved within a second of a request and at the end, and each file is written atomically, so that a killed process
 * loses at most the last second.
 */
export class Persistence {
  readonly #changed = new Set<string>();
  /** The namespaces after the last request that can create or delete namespaces. */
  #known: ReadonlySet<string> = new Set();
  /** The namespaces that this process has loaded or saved; it does not delete other files. */
  readonly #saved = new Set<string>();
  #emulator: Emulator | undefined;
  #timer: NodeJS.Timeout | undefined;
  #nextMs = saveEveryMs;
  #isUsed = false;
  /** When the loaded default namespace was saved, in milliseconds since 1970. */
  #openedAt = Infinity;

  /** Locks the folder; ends the command if another emulator uses it. */
  constructor(private readonly folder: string) {
    try {
      mkdirSync(folder, { recursive: true });
      takeLock(join(folder, "emulator.lock"));
    } catch (error) {
      fail(`cannot save data in ${folder}: ${toErrorMessage(error)}; choose another folder`);
    }
  }

  /** Loads the namespaces of the folder into an emulator; ends the command if a file cannot be used. */
  open(emulator: Emulator): void {
    this.#emulator = emulator;
    for (const file of this.#files()) {
      const name = toNamespaceName(file);
      renewLocks();
      try {
        if (name === "default") {
          this.#isUsed = true;
          this.#openedAt = statSync(join(this.folder, file)).mtimeMs;
        }
        const namespace = getNamespace(emulator, name);
        namespace.snapshots.upload(uploadName, readFileSync(join(this.folder, file)));
        namespace.snapshots.restore(uploadName);
        namespace.snapshots.delete(uploadName);
        this.#saved.add(name);
      } catch (error) {
        fail(
          `${join(this.folder, file)}: ${toErrorMessage(error)}\nTo start without this file, move it to another folder.`,
        );
      }
    }
    this.#known = new Set(this.#listNames());
  }

  #markNewNamespaces(): void {
    const names = this.#listNames();
    for (const name of names) if (!this.#known.has(name)) this.#changed.add(name);
    this.#known = new Set(names);
  }

  #listNames(): readonly string[] {
    return this.#emulator?.namespaces.list().map(({ name }) => name) ?? [];
  }

  /** Whether a file has changed since the default namespace was saved. */
  isOlderThan(file: string): boolean {
    return tryTo(() => statSync(file).mtimeMs > this.#openedAt) ?? false;
  }

  /** Returns what to print about the folder once it is open. */
  describe(fixture: string): PersistedState {
    return { folder: this.folder, isUsed: this.#isUsed, fixture };
  }

  readonly note = ({ path, operationId = "" }: CompletedRequest): void => {
    this.#changed.add(/^\/ns\/([^/?]+)/.exec(path)?.[1] ?? "default");
    // a fork, or a namespace that was deleted and created again, is new without a request to it
    if (operationId in namespaceOperations) this.#markNewNamespaces();
    this.#saveSoon();
  };

  /** Marks all namespaces as changed. */
  markAllChanged(): void {
    for (const name of this.#listNames()) this.#changed.add(name);
    this.#saveSoon();
  }

  #saveSoon(): void {
    this.#timer ??= setTimeout(() => this.save(maxTurnMs), this.#nextMs).unref();
  }

  /**
   * Writes changed and new namespaces, and deletes the files of deleted namespaces. Tries again later if a file cannot be
   * written.
   *
   * @param turnMs the time after which the rest is left to the next save, in milliseconds
   * @returns whether everything was written
   */
  save(turnMs = Infinity): boolean {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const emulator = this.#emulator;
    if (emulator === undefined) return true;
    const started = performance.now();
    const isLate = () => performance.now() - started > turnMs;
    let failures = 0;
    const attempt = (work: () => void) => {
      if (!this.#attempt(work)) failures += 1;
    };
    attempt(() => {
      assertLocksHeld();
      const existing = this.#listNames();
      for (const name of this.#changed) {
        if (isLate()) break;
        renewLocks();
        if (!existing.includes(name)) {
          this.#changed.delete(name);
          continue;
        }
        attempt(() => {
          writeFileAtomically(join(this.folder, toFileName(name)), getNamespace(emulator, name).export());
          this.#changed.delete(name);
          this.#saved.add(name);
        });
      }
      for (const name of this.#saved) {
        if (existing.includes(name)) continue;
        rmSync(join(this.folder, toFileName(name)), { force: true });
        this.#saved.delete(name);
      }
    });
    const isSaved = failures === 0 && this.#changed.size === 0;
    const spentMs = performance.now() - started;
    const restMs = Math.max(saveEveryMs, 10 * spentMs);
    if (failures > 0) this.#nextMs = Math.max(restMs, Math.min(2 * this.#nextMs, maxRetryMs));
    else this.#nextMs = isSaved ? restMs : spentMs;
    if (!isSaved) this.#saveSoon();
    return isSaved;
  }

  /** Reports an error instead of throwing it, so that the other files are still saved. */
  #attempt(save: () => void): boolean {
    try {
      save();
      return true;
    } catch (error) {
      printError(`data-service: cannot save data in ${this.folder}: ${toErrorMessage(error)}\n`);
      return false;
    }
  }

  #files(): readonly string[] {
    return readdirSync(this.folder).filter((file) => /^[a-z0-9=._-]+\.sqlite$/.test(file));
  }
}

function getNamespace(emulator: Emulator, name: string): EmulatorNamespace {
  return name === "default" ? emulator : emulator.namespace(name);
}

/** Windows treats these names as devices, with any extension. */
const deviceNames = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;

/** Returns a file name for a namespace that is unique even if file names ignore case and is never a Windows device. */
export function toFileName(name: string): string {
  const mark = deviceNames.test(name) ? "==" : "";
  return `${mark}${name.replace(/[A-Z]/g, (letter) => `=${letter.toLowerCase()}`)}.sqlite`;
}

/** Returns the namespace of a file. */
export function toNamespaceName(file: string): string {
  const name = file.slice(0, -".sqlite".length).replace(/^==/, "");
  return name.replace(/=([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
