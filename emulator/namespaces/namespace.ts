import type { SqlJsStatic } from "sql.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { type Coverage, ScenarioDetector } from "../coverage/coverage.js";
import { noReturnAddresses, type ReturnAddresses } from "../billing/return-addresses.js";
import { FaultRules } from "../faults/fault-rules.js";
import { Journal, type JournalBudget } from "../journal/journal.js";
import { exportWorld, readFixtureName, openWorld, type WorldSource } from "../world/open-world.js";
import { Problem } from "../domain/problem.js";
import type { CompletedRequest } from "../request/completed-request.js";
import { type Snapshot, Snapshots } from "./snapshots.js";
import { StateFileError } from "../state-files/state-file-error.js";
import { addChecksum, extractState } from "../state-files/state-file.js";
import type { MemoryBudget } from "../store/memory-budget.js";
import { getMemoryBytes } from "../store/store.js";
import type { World } from "../world/world.js";

/** How an emulator records requests. */
export interface RecordingOptions {
  /** Number of requests that the journal keeps. */
  readonly journal: number;
  /** The situations that requests have met; undefined when coverage is off. */
  readonly coverage?: Coverage | undefined;
  /** Called after every request. */
  readonly onRequest?: ((request: CompletedRequest) => void) | undefined;
}

/** The parts of an emulator that its namespaces use. */
export interface NamespaceDependencies extends RecordingOptions {
  readonly sqlite: SqlJsStatic;
  readonly budget: MemoryBudget;
  readonly journals: JournalBudget;
  /** The random seed of fault rules. It is not the seed in the state, because reading the state takes long. */
  readonly faultSeed: number;
  /** Returns the starting state of a fixture with the options of the emulator. @throws a problem for an unknown fixture */
  readonly fixture: (name: string) => WorldSource;
}

/**
 * An isolated world with its snapshots, fault rules and journal. The world is opened on first access, so that an unused
 * namespace uses no memory.
 */
export class Namespace {
  readonly name: string;
  readonly snapshots: Snapshots;
  /** Not part of the world: a reset deletes the rules, a restore keeps them. */
  readonly faults: FaultRules;
  readonly journal: Journal;
  readonly scenarios: ScenarioDetector | undefined;
  /** The return addresses of the checkout and portal pages. Like the profile, they are not part of the world. */
  returnAddresses: ReturnAddresses = noReturnAddresses;
  readonly #dependencies: NamespaceDependencies;
  /** Size of the states that count against the memory budget. */
  #copiedBytes = 0;
  /** The state that a reset restores. */
  #startingState: WorldSource;
  /** The state from which the world will be opened; undefined once it is open. */
  #pendingState: WorldSource | undefined;
  #profile: Profile;
  #world: World | undefined;

  constructor(name: string, dependencies: NamespaceDependencies, origin: WorldSource, profile: Profile) {
    this.name = name;
    this.snapshots = new Snapshots(dependencies.budget);
    this.faults = new FaultRules(dependencies.faultSeed);
    this.journal = new Journal({
      entries: dependencies.journal,
      budget: dependencies.journals,
      onRequest: dependencies.onRequest,
    });
    this.scenarios =
      dependencies.coverage === undefined ? undefined : new ScenarioDetector(dependencies.coverage);
    this.#dependencies = dependencies;
    this.#startingState = origin;
    this.#pendingState = origin;
    this.#profile = profile;
    this.#countCopies();
  }

  /**
   * The current world. A reset, a restore or a deletion replaces it, so a request must get the world only once, and must
   * keep its store open until the response.
   *
   * @throws a problem `limit-reached` if there is not enough memory to open it
   */
  get world(): World {
    return this.#world ?? this.#open();
  }

  #open(): World {
    const { sqlite, budget } = this.#dependencies;
    const next = this.#pendingState;
    const origin = this.#unopenedState;
    try {
      // Frees the bytes, which are not needed once the world is open.
      this.#pendingState = undefined;
      this.#countCopies();
      return (this.#world = openWorld(sqlite, origin, this.#profile, budget));
    } catch (error) {
      this.#pendingState = next;
      this.#countCopies();
      throw error;
    }
  }

  get profile(): Profile {
    return this.#profile;
  }

  get fixture(): string {
    return readFixtureName(this.world.store);
  }

  get seed(): number {
    return this.world.ids.seed;
  }

  /** Whether the world is open and uses memory. */
  get isOpen(): boolean {
    return this.#world !== undefined;
  }

  /** Whether a pending request uses the world. */
  get isInUse(): boolean {
    return this.#world?.store.isHeld === true;
  }

  /** Size of the state in bytes. */
  size(): number {
    return this.#world?.store.size() ?? this.#unopenedState.bytes.length;
  }

  /** The state from which the world would be opened. */
  get #unopenedState(): WorldSource {
    return this.#pendingState ?? this.#startingState;
  }

  /** Whether a reset restores this state. */
  isStartedFrom(state: Uint8Array | undefined): boolean {
    return this.#startingState.bytes === state;
  }

  /**
   * Restores the starting state. The profile does not change.
   *
   * @param fixture the name or state of a fixture, which becomes the starting state
   */
  reset(fixture?: string | WorldSource): void {
    if (fixture !== undefined)
      this.#startingState = typeof fixture === "string" ? this.#dependencies.fixture(fixture) : fixture;
    this.#replaceWorld(this.#startingState);
    this.faults.reset();
    this.journal.reset();
    this.scenarios?.reset();
  }

  setProfile(profile: Profile): void {
    this.#profile = profile;
    if (this.#world !== undefined) this.#world = { ...this.#world, profile };
  }

  /**
   * Returns a copy of the world, or of a snapshot, with which another namespace can start.
   *
   * @throws problems `snapshot-not-found`, `limit-reached`
   */
  copy(snapshot?: string): WorldSource {
    if (snapshot === undefined && this.#world === undefined) return this.#unopenedState;
    const saved = snapshot === undefined ? undefined : this.snapshots.get(snapshot);
    const size = saved?.bytes.length ?? this.size();
    // The other namespace keeps the copy as its starting state when it opens it.
    this.#dependencies.budget.assertRoom(size + getMemoryBytes(size));
    return { bytes: saved?.bytes ?? exportWorld(this.world), isCopy: true };
  }

  /** Saves the world as a snapshot. Replaces a snapshot with the same name. */
  save(name: string): Snapshot {
    return this.#putSnapshot(name, exportWorld(this.world), this.world);
  }

  /** Opens a copy of the world of a snapshot. The caller must close its store. @throws a problem `snapshot-not-found` */
  openSnapshot(name: string): World {
    return openWorld(this.#dependencies.sqlite, { bytes: this.snapshots.get(name).bytes }, this.#profile);
  }

  /** @throws problems `snapshot-not-found`, `limit-reached` */
  restore(name: string): void {
    const { bytes } = this.snapshots.get(name);
    // A namespace that is not open loses no changes, and a smaller world needs no more memory.
    const more = getMemoryBytes(bytes.length) - (this.#world?.store.countedBytes ?? Infinity);
    if (more > 0) this.#dependencies.budget.assertRoom(more);
    // The snapshot may be deleted before the world is opened.
    this.#replaceWorld({ bytes, isCopy: true });
  }

  /**
   * Saves a file as a snapshot.
   *
   * @throws a problem `malformed-request` for a file that is damaged, from another program or of another version
   */
  upload(name: string, file: Uint8Array): Snapshot {
    const { sqlite } = this.#dependencies;
    // Copies the bytes, because the caller may change them later.
    const bytes = readUpload(sqlite, file.slice());
    const world = openWorld(sqlite, { bytes }, this.#profile);
    try {
      return this.#putSnapshot(name, bytes, world);
    } finally {
      world.store.close();
    }
  }

  #putSnapshot(name: string, bytes: Uint8Array, { store, clock }: World): Snapshot {
    const { mode } = clock;
    const snapshot = { name, bytes, fixture: readFixtureName(store), clock: { mode, now: clock.now() } };
    this.snapshots.put(snapshot);
    return snapshot;
  }

  /** The world as a SQLite file. */
  export(): Uint8Array<ArrayBuffer> {
    return addChecksum(exportWorld(this.world));
  }

  close(): void {
    this.faults.close();
    this.journal.close();
    this.#replaceWorld(this.#startingState);
    this.snapshots.clear();
    this.#dependencies.budget.change(-this.#copiedBytes);
  }

  /** Replaces the world. Pending requests complete in the old world; new requests get the new one. */
  #replaceWorld(origin: WorldSource): void {
    this.#world?.store.close();
    this.#world = undefined;
    this.#pendingState = origin;
    this.#countCopies();
  }

  #countCopies(): void {
    const copies = new Set(
      [this.#startingState, this.#pendingState].filter((origin) => origin?.isCopy === true),
    );
    const bytes = [...copies].reduce((sum, origin) => sum + (origin?.bytes.length ?? 0), 0);
    this.#dependencies.budget.change(bytes - this.#copiedBytes);
    this.#copiedBytes = bytes;
  }
}

function readUpload(sqlite: SqlJsStatic, file: Uint8Array): Uint8Array {
  try {
    return extractState(sqlite, file);
  } catch (error) {
    if (!(error instanceof StateFileError)) throw error;
    throw new Problem("malformed-request", `The file cannot be used: ${error.message}.`);
  }
}
