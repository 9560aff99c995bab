import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../emulator/api/emulator.js";
import type { EmulatorNamespace } from "../../emulator/api/emulator-namespace.js";
import type { AnsweredRequest } from "../../emulator/request/answered-request.js";
import { fail, printError } from "./terminal.js";
import { takeLock } from "./take-lock.js";
import { writeFileAtomically } from "./write-file-atomically.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";

/** What is saved is hardly older, unless saving takes longer than a tenth of the time. */
const saveEveryMs = 500;
const uploadName = "persisted";

/** Where the state of an emulator is kept, and what it began with. */
export interface KeptState {
  readonly folder: string;
  /** Whether the default namespace began with the state of the folder. */
  readonly isUsed: boolean;
  /** The fixture that a reset goes back to, as on the command line. */
  readonly fixture: string;
}

/**
 * Keeps all namespaces of an emulator in a folder, one state file each: data, clock and ids. They are saved within a second
 * of a request and at the end, each file as a whole, so that a killed process loses a second at most.
 */
export class Persistence {
  readonly #folder: string;
  readonly #changed = new Set<string>();
  #emulator: Emulator | undefined;
  #timer: NodeJS.Timeout | undefined;
  #nextMs = saveEveryMs;
  #isUsed = false;

  /** Takes the folder. Ends the command where another emulator uses it. */
  constructor(folder: string) {
    this.#folder = folder;
    try {
      mkdirSync(folder, { recursive: true });
      takeLock(join(folder, "emulator.lock"));
    } catch (error) {
      fail(`cannot keep data in ${folder}: ${toErrorMessage(error)}; choose another folder`);
    }
  }

  /** Gives an emulator the namespaces of the folder. Ends the command where a file cannot be used. */
  open(emulator: Emulator): void {
    this.#emulator = emulator;
    for (const file of this.#files()) {
      const name = toNamespaceName(file);
      const namespace = getNamespace(emulator, name);
      if (name === "default") this.#isUsed = true;
      try {
        namespace.snapshots.upload(uploadName, readFileSync(join(this.#folder, file)));
        namespace.snapshots.restore(uploadName);
        namespace.snapshots.delete(uploadName);
      } catch (error) {
        fail(
          `${join(this.#folder, file)}: ${toErrorMessage(error)}\nMove the file away to begin without it.`,
        );
      }
    }
  }

  /** What to say of the folder once it is open. */
  describe(fixture: string): KeptState {
    return { folder: this.#folder, isUsed: this.#isUsed, fixture };
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
          writeFileAtomically(join(this.#folder, toFileName(name)), getNamespace(emulator, name).export());
        this.#changed.delete(name);
      }
      for (const file of this.#files())
        if (!there.has(toNamespaceName(file))) rmSync(join(this.#folder, file), { force: true });
    } catch (error) {
      printError(`data-service: cannot keep data in ${this.#folder}: ${toErrorMessage(error)}\n`);
    }
    this.#nextMs = Math.max(saveEveryMs, 10 * (performance.now() - started));
  }

  #files(): readonly string[] {
    return readdirSync(this.#folder).filter((file) => /^[a-z0-9=._-]+\.sqlite$/.test(file));
  }
}

function getNamespace(emulator: Emulator, name: string): EmulatorNamespace {
  return name === "default" ? emulator : emulator.namespace(name);
}

/** Windows takes these for devices, whatever follows a dot. */
const deviceNames = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;

/** The file of a namespace: another one for each name, also where file names ignore case, and no device of Windows. */
export function toFileName(name: string): string {
  const mark = deviceNames.test(name) ? "==" : "";
  return `${mark}${name.replace(/[A-Z]/g, (letter) => `=${letter.toLowerCase()}`)}.sqlite`;
}

/** The namespace of a file. */
export function toNamespaceName(file: string): string {
  const name = file.slice(0, -".sqlite".length).replace(/^==/, "");
  return name.replace(/=([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
