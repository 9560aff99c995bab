import { emulatorLimits } from "../memory/limits.js";
import { Problem } from "../domain/problem.js";
import type { MemoryBudget } from "../store/memory-budget.js";
import type { ClockMode } from "../time/clock.js";

/** A saved world. */
export interface Snapshot {
  readonly name: string;
  /** The state, as returned by `exportWorld`. */
  readonly bytes: Uint8Array;
  readonly fixture: string;
  /** The clock at the moment of saving. */
  readonly clock: { readonly mode: ClockMode; readonly now: number };
}

/** Maximum number of snapshots that an error lists. */
const maxListedNames = 10;

/** The snapshots of one namespace by name. */
export class Snapshots {
  readonly #byName = new Map<string, Snapshot>();

  constructor(private readonly budget: MemoryBudget) {}

  /** Saves a snapshot. Replaces one with the same name. @throws a problem `limit-reached` */
  put(snapshot: Snapshot): void {
    const before = this.#byName.get(snapshot.name);
    if (before === undefined && this.#byName.size >= emulatorLimits.snapshotsPerNamespace)
      throw new Problem(
        "limit-reached",
        `A namespace can have at most ${emulatorLimits.snapshotsPerNamespace} snapshots. Delete snapshots that you ` +
          "no longer need.",
      );
    const bytes = snapshot.bytes.length - (before?.bytes.length ?? 0);
    this.budget.assertRoom(bytes);
    this.budget.change(bytes);
    this.#byName.set(snapshot.name, snapshot);
  }

  /** @throws a problem `snapshot-not-found` */
  get(name: string): Snapshot {
    const snapshot = this.#byName.get(name);
    if (snapshot !== undefined) return snapshot;
    const names = [...this.#byName.keys()];
    const listed = names.slice(0, maxListedNames).map((existing) => JSON.stringify(existing));
    const more = names.length > maxListedNames ? ` and ${names.length - maxListedNames} more` : "";
    throw new Problem(
      "snapshot-not-found",
      `The namespace has no snapshot ${JSON.stringify(name)}. ` +
        (names.length === 0 ? "It has no snapshots." : `Its snapshots are ${listed.join(", ")}${more}.`),
    );
  }

  /** @throws a problem `snapshot-not-found` */
  delete(name: string): void {
    this.budget.change(-this.get(name).bytes.length);
    this.#byName.delete(name);
  }

  /** Lists the snapshots in the order in which their names were first used. */
  list(): readonly Snapshot[] {
    return [...this.#byName.values()];
  }

  /** Returns an unused name: `snapshot-1` and so on. */
  generateName(): string {
    let number = this.#byName.size + 1;
    while (this.#byName.has(`snapshot-${number}`)) number += 1;
    return `snapshot-${number}`;
  }

  /** Size of all snapshots. */
  size(): number {
    return this.list().reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  /** Deletes all snapshots. */
  clear(): void {
    this.budget.change(-this.size());
    this.#byName.clear();
  }
}
