import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Role } from "../../openapi/schemas/roles.js";
import { isObject } from "../../openapi/text/is-object.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";
import type { createdKinds } from "../client/created-kinds.js";
import { RunError } from "../client/violation.js";
import { parseJsonOrUndefined } from "../client/json-text.js";
import type { LoginName } from "./actors.js";

/** Kinds of resources that the suite creates on a deployment; a `role` is a change of the role of one of the target's users. */
export type ResourceKind = keyof typeof createdKinds | "namespace" | "items" | "role";

/** A resource to remove, or a change to undo, at the end. */
export interface Resource {
  readonly kind: ResourceKind;
  /**
   * The name of the resource; contains the run id, so that it can be found if its id is unknown. For a `role`, this is the
   * address of the user.
   */
  readonly name: string;
  /** The id, once the deployment has returned it; `table`, `items` and `namespace` need only the name. */
  readonly id?: string;
  /** The database or organization of the resource. */
  readonly parent?: string;
  /** The user who can remove the resource. Defaults to the owner. */
  readonly by?: LoginName;
  /** The role that the user of a `role` had before. */
  readonly role?: Role;
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
 * Lists what a run has created and not yet removed. Every line is written before its request is sent, so that a run
 * killed at any moment leaves a list of everything that it may have created.
 */
export class Ledger {
  readonly #entries = new Map<number, LedgerEntry>();
  #number = 0;

  /** @param file the file of the ledger; undefined if it is only in memory */
  private constructor(
    readonly run: string,
    readonly baseUrl: string,
    readonly file: string | undefined,
  ) {}

  /** @param file path of a new file; if omitted, the ledger is only in memory */
  static create(run: string, baseUrl: string, file?: string): Ledger {
    const ledger = new Ledger(run, baseUrl, file);
    if (file !== undefined)
      writeFileSync(file, `${JSON.stringify({ ledger: format, run, baseUrl } satisfies Header)}\n`, {
        flag: "wx",
      });
    return ledger;
  }

  /**
   * Creates a ledger with a file in the given folder, or else in the working directory, or else in the directory for
   * temporary files.
   *
   * @param suffix distinguishes the ledgers of a run with several deployments
   * @throws RunError when the file cannot be written, because no run may start without one
   */
  static createFile(run: string, baseUrl: string, folder?: string, suffix = ""): Ledger {
    let reason: unknown;
    for (const place of folder === undefined ? [".", tmpdir()] : [folder])
      try {
        mkdirSync(place, { recursive: true });
        return Ledger.create(run, baseUrl, resolve(join(place, `certify-${run}${suffix}.ledger.jsonl`)));
      } catch (error) {
        reason = error;
      }
    throw new RunError(`cannot write the ledger of this run: ${toErrorMessage(reason)}`);
  }

  /**
   * Opens the ledger of a run that has ended.
   *
   * @throws RunError when the file is not a ledger
   */
  static open(file: string): Ledger {
    if (!existsSync(file)) throw new RunError(`ledger ${file} does not exist`);
    const [first = "", ...rest] = readLines(file);
    const header = parseJsonOrUndefined(first) as Partial<Header> | undefined;
    if (header?.ledger !== format || typeof header.run !== "string" || typeof header.baseUrl !== "string")
      throw new RunError(`${file} is not the ledger of a certification run`);
    const ledger = new Ledger(header.run, header.baseUrl, file);
    for (const text of rest) {
      // The last line may be incomplete if the run was killed; its request was never sent.
      const line = parseJsonOrUndefined(text);
      if (isObject(line)) ledger.#apply(line as unknown as Line);
    }
    return ledger;
  }

  /** The resources that remain to be removed, newest first. */
  get remaining(): readonly LedgerEntry[] {
    return [...this.#entries.values()].reverse();
  }

  /** Deletes the file if nothing remains to be removed. */
  close(): void {
    if (this.file !== undefined && this.#entries.size === 0) rmSync(this.file, { force: true });
  }

  /** Records that a resource is about to be created. */
  recordCreation(resource: Resource): LedgerEntry {
    const number = this.#number + 1;
    this.#write({ making: number, ...resource });
    return { number, ...resource };
  }

  /** Records the id of a resource. */
  recordId(number: number, id: string): void {
    this.#write({ made: number, id });
  }

  /** Records that a resource is gone or was never created. */
  recordRemoval(number: number): void {
    this.#write({ removed: number });
  }

  #write(line: Line): void {
    if (this.file !== undefined) appendFileSync(this.file, `${JSON.stringify(line)}\n`);
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

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch (error) {
    throw new RunError(`cannot read the ledger ${file}: ${toErrorMessage(error)}`);
  }
}
