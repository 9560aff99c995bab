import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Emulator } from "../../emulator/api/emulator.js";
import type { EmulatorNamespace } from "../../emulator/api/emulator-namespace.js";
import type { AnsweredRequest } from "../../emulator/request/answered-request.js";
import { fail } from "./command-error.js";
import { printError } from "./print.js";
import { isRunning, writeFileAtomically } from "./write-file-atomically.js";

/** What is saved is hardly older, unless saving takes longer than a tenth of the time. */
const saveEveryMs = 500;
/** The lock of another machine, as in another container, counts as left behind when it is older. */
const lockAgeMs = 10_000;
const uploadName = "persisted";

/** Who uses a folder. */
interface Lock {
  readonly pid: number;
  readonly host: string;
}

/**
 * Keeps all namespaces of an emulator in a folder, one state file each: data, clock and ids. They are saved within a second
 * of a request and at the end, each file as a whole, so that a killed process loses a second at most.
 */
export class Persistence {
  readonly #folder: string;
  readonly #lock: string;
  readonly #changed = new Set<string>();
  #emulator: Emulator | undefined;
  #timer: NodeJS.Timeout | undefined;
  #nextMs = saveEveryMs;

  /** Takes the folder. Ends the command where another emulator uses it. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#lock = join(folder, "emulator.lock");
    try {
      mkdirSync(folder, { recursive: true });
      this.#takeLock();
    } catch (error) {
      fail(`cannot keep data in ${folder}: ${messageOf(error)}`);
    }
    setInterval(() => this.#touchLock(), lockAgeMs / 4).unref();
    process.on("exit", () => rmSync(this.#lock, { force: true }));
  }

  #takeLock(): void {
    const holder = this.#readLock();
    if (holder !== undefined)
      throw new Error(
        `the emulator with the process id ${holder.pid}${holder.host === hostname() ? "" : ` on ${holder.host}`} uses it. Stop that one, or choose another folder`,
      );
    rmSync(this.#lock, { force: true });
    const lock: Lock = { pid: process.pid, host: hostname() };
    writeFileSync(this.#lock, JSON.stringify(lock), { flag: "wx" });
  }

  /** The lock of an emulator that runs. */
  #readLock(): Lock | undefined {
    let lock: Lock;
    try {
      lock = JSON.parse(readFileSync(this.#lock, "utf8")) as Lock;
    } catch {
      return undefined;
    }
    const isHeld =
      lock.host === hostname()
        ? lock.pid !== process.pid && isRunning(lock.pid)
        : Date.now() - statSync(this.#lock).mtimeMs < lockAgeMs;
    return isHeld ? lock : undefined;
  }

  #touchLock(): void {
    try {
      utimesSync(this.#lock, new Date(), new Date());
    } catch {
      // a folder that was removed is told when it is written to
    }
  }

  /** Gives an emulator the namespaces of the folder. Ends the command where a file cannot be used. */
  open(emulator: Emulator): void {
    this.#emulator = emulator;
    for (const file of this.#files()) {
      const namespace = handleOf(emulator, nameOf(file));
      try {
        namespace.snapshots.upload(uploadName, readFileSync(join(this.#folder, file)));
        namespace.restore(uploadName);
        namespace.snapshots.delete(uploadName);
      } catch (error) {
        fail(`${join(this.#folder, file)}: ${messageOf(error)}\nMove the file away to begin without it.`);
      }
    }
  }

  readonly note = ({ path }: AnsweredRequest): void => {
    this.#changed.add(/^\/ns\/([^/?]+)/.exec(path)?.[1] ?? "default");
    this.#timer ??= setTimeout(() => this.save(), this.#nextMs).unref();
  };

  /** Writes what has changed, and removes the files of namespaces that are gone. */
  save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const emulator = this.#emulator;
    if (emulator === undefined) return;
    const started = performance.now();
    try {
      const there = new Set(emulator.namespaces.list().map(({ name }) => name));
      for (const name of this.#changed) {
        if (there.has(name))
          writeFileAtomically(join(this.#folder, fileOf(name)), handleOf(emulator, name).export());
        this.#changed.delete(name);
      }
      for (const file of this.#files())
        if (!there.has(nameOf(file))) rmSync(join(this.#folder, file), { force: true });
    } catch (error) {
      printError(`data-service: cannot keep data in ${this.#folder}: ${messageOf(error)}\n`);
    }
    this.#nextMs = Math.max(saveEveryMs, 10 * (performance.now() - started));
  }

  #files(): readonly string[] {
    return readdirSync(this.#folder).filter((file) => /^[a-z0-9=._-]+\.sqlite$/.test(file));
  }
}

function handleOf(emulator: Emulator, name: string): EmulatorNamespace {
  return name === "default" ? emulator : emulator.namespace(name);
}

/** The file of a namespace: names that differ by case alone are different files everywhere. */
function fileOf(name: string): string {
  return `${name.replace(/[A-Z]/g, (letter) => `=${letter.toLowerCase()}`)}.sqlite`;
}

function nameOf(file: string): string {
  return file.slice(0, -".sqlite".length).replace(/=([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
