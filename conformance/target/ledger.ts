import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { RunError } from "../client/violation.js";
import type { LoginName } from "../target/actors.js";

/** What the suite makes on a deployment. */
export type ResourceKind =
  "namespace" | "database" | "repository" | "table" | "organization" | "member" | "items";

/** Something that is to be removed at the end. */
export interface Resource {
  readonly kind: ResourceKind;
  /** The name it is made with; carries the run id, so that it can be found when its id is not known. */
  readonly name: string;
  /** Its id, once the deployment has said it; for `table`, `items` and `namespace` the name is enough. */
  readonly id?: string;
  /** The database or organization that it is in. */
  readonly parent?: string;
  /** Who can remove it; the owner without this. */
  readonly by?: LoginName;
}

/** A resource of the ledger, with its number there. */
export interface LedgerEntry extends Resource {
  readonly number: number;
}

const format = "data-service-certify/1";

interface Header {
  readonly ledger: typeof format;
  readonly run: string;
  readonly baseUrl: string;
}

type Line =
  | Header
  | ({ readonly making: number } & Resource)
  | { readonly made: number; readonly id: string }
  | { readonly removed: number };

/**
 * What a run has made and not yet removed. Every line is written before the request it is about, so that a run that
 * is killed at any moment leaves a list of everything it may have made.
 */
export class Ledger {
  readonly run: string;
  readonly baseUrl: string;
  readonly #file: string | undefined;
  readonly #entries = new Map<number, LedgerEntry>();
  #number = 0;

  private constructor(run: string, baseUrl: string, file: string | undefined) {
    this.run = run;
    this.baseUrl = baseUrl;
    this.#file = file;
  }

  /** @param file a new file; without one the ledger lives in memory alone */
  static begin(run: string, baseUrl: string, file?: string): Ledger {
    const ledger = new Ledger(run, baseUrl, file);
    if (file !== undefined)
      writeFileSync(file, `${JSON.stringify({ ledger: format, run, baseUrl } satisfies Header)}\n`, {
        flag: "wx",
      });
    return ledger;
  }

  /**
   * Opens the ledger of a run that has ended.
   *
   * @throws RunTrouble when the file is no ledger
   */
  static open(file: string): Ledger {
    if (!existsSync(file)) throw new RunError(`ledger ${file} does not exist`);
    const lines = readFileSync(file, "utf8").split("\n");
    const [first = "", ...rest] = lines;
    const header = parseLine(first) as Partial<Header> | undefined;
    if (header?.ledger !== format || typeof header.run !== "string" || typeof header.baseUrl !== "string")
      throw new RunError(`${file} is not the ledger of a certification run`);
    const ledger = new Ledger(header.run, header.baseUrl, file);
    for (const text of rest) {
      // the last line may have been cut off when the run was killed: its request was never sent
      const line = parseLine(text) as Line | undefined;
      if (line !== undefined) ledger.#apply(line);
    }
    return ledger;
  }

  /** What is still to be removed, the newest first. */
  get remaining(): readonly LedgerEntry[] {
    return [...this.#entries.values()].reverse();
  }

  /** Where the ledger is kept; nothing when it lives in memory alone. */
  get file(): string | undefined {
    return this.#file;
  }

  /** Deletes the file when nothing is left to be removed. */
  close(): void {
    if (this.#file !== undefined && this.#entries.size === 0) rmSync(this.#file, { force: true });
  }

  /** Says that a resource is about to be made. */
  making(resource: Resource): LedgerEntry {
    const number = this.#number + 1;
    this.#write({ making: number, ...resource });
    return { number, ...resource };
  }

  /** Says which id a resource has got. */
  made(number: number, id: string): void {
    this.#write({ made: number, id });
  }

  /** Says that a resource is gone, or was never made. */
  removed(number: number): void {
    this.#write({ removed: number });
  }

  #write(line: Line): void {
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
    this.#apply(line);
  }

  #apply(line: Line): void {
    if ("making" in line) {
      const { making: number, ...resource } = line;
      this.#number = Math.max(this.#number, number);
      this.#entries.set(number, { number, ...resource });
    } else if ("made" in line) {
      const entry = this.#entries.get(line.made);
      if (entry !== undefined) this.#entries.set(line.made, { ...entry, id: line.id });
    } else if ("removed" in line) this.#entries.delete(line.removed);
  }
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
