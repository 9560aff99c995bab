import type { SqlJsStatic } from "sql.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { type Coverage, ScenarioDetector } from "../coverage/coverage.js";
import { noReturnAddresses, type ReturnAddresses } from "../billing/return-addresses.js";
import { FaultRules } from "../faults/fault-rules.js";
import { Journal, type JournalBudget } from "../journal/journal.js";
import {
  exportWorld,
  readFixtureName,
  openWorld,
  type WorldSource,
  readStateFile,
} from "../world/open-world.js";
import { Problem } from "../domain/problem.js";
import type { AnsweredRequest } from "../request/answered-request.js";
import { type Snapshot, Snapshots } from "./snapshots.js";
import { StateFileError } from "../state-files/state-file-error.js";
import { addChecksum } from "../state-files/state-file.js";
import type { MemoryBudget } from "../store/memory-budget.js";
import { Clock } from "../time/clock.js";
import type { World } from "../world/world.js";

/** What a namespace needs from its emulator. */
export interface NamespaceDependencies {
  readonly sqlite: SqlJsStatic;
  readonly budget: MemoryBudget;
  readonly journals: JournalBudget;
  /** Number of requests that the journal keeps. */
  readonly journal: number;
  /** Called after every request. */
  readonly onRequest: ((request: AnsweredRequest) => void) | undefined;
  /** The situations that requests have met; undefined when coverage is off. */
  readonly coverage: Coverage | undefined;
  /** Returns the starting state of a fixture with the options of the emulator. @throws a problem for an unknown fixture */
  fixture(name: string): WorldSource;
  /** The other namespaces. */
  readonly namespaces: NamespaceRegistry;
}

/** The namespaces of an emulator. All names must be valid. */
export interface NamespaceRegistry {
  /** Lists the namespaces: the default one first, then the others in order of creation. */
  list(): readonly Namespace[];
  /** @throws a problem `namespace-not-found` */
  find(name: string): Namespace;
  /** Creates a namespace that starts with another world. @throws problems `conflict`, `limit-reached` */
  add(name: string, origin: WorldSource, profile: Profile): Namespace;
  /**
   * Creates a namespace if it does not exist, and sets after how many seconds without a request it is deleted (null: never).
   *
   * @throws problems `default-namespace`, `limit-reached`
   */
  set(name: string, idleSeconds: number | null): Namespace;
  /** @throws problems `namespace-not-found`, `default-namespace` */
  delete(name: string): void;
}

/**
 * An isolated world, its starting state and its snapshots. The first access opens the world,
 * so that an unused namespace uses no memory.
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
  readonly #home: NamespaceDependencies;
  /** Size of the copies that count against the memory budget. */
  #copies = 0;
  /** The state that a reset restores. */
  #start: WorldSource;
  /** The state from which the world will be opened; undefined once it is open. */
  #next: WorldSource | undefined;
  #profile: Profile;
  #world: World | undefined;

  constructor(name: string, home: NamespaceDependencies, origin: WorldSource, profile: Profile) {
    this.name = name;
    this.snapshots = new Snapshots(home.budget);
    // the state is not read just to seed fault rules that may never be created
    this.faults = new FaultRules(origin.seed ?? 1);
    this.journal = new Journal({ entries: home.journal, together: home.journals, onRequest: home.onRequest });
    this.scenarios = home.coverage === undefined ? undefined : new ScenarioDetector(home.coverage);
    this.#home = home;
    this.#start = origin;
    this.#next = origin;
    this.#profile = profile;
    this.#countCopies();
  }

  /**
   * The current world. An asynchronous request gets the world once, and keeps its store open until it is
   * answered, because a reset, a restore or a deletion replaces the world of the namespace.
   *
   * @throws a problem `limit-reached` if there is not enough memory to open it
   */
  get world(): World {
    return this.#world ?? this.#open();
  }

  #open(): World {
    const { sqlite, budget } = this.#home;
    const next = this.#next;
    const origin = this.#closedState;
    try {
      // the bytes are not needed once the world is open
      this.#next = undefined;
      this.#countCopies();
      return (this.#world = openWorld(sqlite, origin, this.#profile, budget));
    } catch (error) {
      this.#next = next;
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

  /** All namespaces of the emulator. */
  get all(): NamespaceRegistry {
    return this.#home.namespaces;
  }

  /** The coverage of the requests to all namespaces. */
  get coverage(): Coverage | undefined {
    return this.#home.coverage;
  }

  /** Whether the world is open and uses memory. */
  get isOpen(): boolean {
    return this.#world !== undefined;
  }

  /** Bytes of the state. */
  size(): number {
    return this.#world?.store.size() ?? this.#closedState.bytes.length;
  }

  /** The state of a world that is not open. */
  get #closedState(): WorldSource {
    return this.#next ?? this.#start;
  }

  /** Whether a reset restores this state. */
  isStartedFrom(state: Uint8Array | undefined): boolean {
    return this.#start.bytes === state;
  }

  /** Restores the starting state, or that of a fixture, which becomes the starting state. The profile does not change. */
  reset(fixture?: string): void {
    if (fixture !== undefined) this.#start = this.#home.fixture(fixture);
    this.#begin(this.#start);
    this.faults.reset();
    this.journal.reset();
    this.scenarios?.reset();
  }

  setProfile(profile: Profile): void {
    this.#profile = profile;
    if (this.#world !== undefined) this.#world = { ...this.#world, profile };
  }

  /**
   * Creates a namespace with a copy of this world and its profile. The copy is also its starting state.
   *
   * @throws problems `conflict`, `limit-reached`
   */
  fork(to: string): Namespace {
    if (this.#world === undefined) return this.#addFork(to, this.#closedState);
    this.#home.budget.assertRoom(this.size());
    return this.#addFork(to, { bytes: exportWorld(this.#world), isCopy: true });
  }

  /**
   * Creates a namespace from a snapshot of this one.
   *
   * @throws problems `snapshot-not-found`, `conflict`, `limit-reached`
   */
  forkSnapshot(name: string, to: string): Namespace {
    const { bytes } = this.snapshots.get(name);
    this.#home.budget.assertRoom(bytes.length);
    return this.#addFork(to, { bytes, isCopy: true });
  }

  #addFork(to: string, origin: WorldSource): Namespace {
    const copy = this.all.add(to, origin, this.#profile);
    copy.returnAddresses = this.returnAddresses;
    return copy;
  }

  /** Saves the world as a snapshot. Replaces a snapshot with the same name. */
  save(name: string): Snapshot {
    const { world } = this;
    const clock = { mode: world.clock.mode, now: world.clock.now() };
    const snapshot = { name, bytes: exportWorld(world), fixture: this.fixture, clock };
    this.snapshots.put(snapshot);
    return snapshot;
  }

  /** Opens a copy of the world of a snapshot. The caller must close its store. @throws a problem `snapshot-not-found` */
  openSnapshot(name: string): World {
    return openWorld(this.#home.sqlite, { bytes: this.snapshots.get(name).bytes }, this.#profile);
  }

  /** @throws a problem `snapshot-not-found` */
  restore(name: string): void {
    // the snapshot may be deleted before the world is opened
    this.#begin({ bytes: this.snapshots.get(name).bytes, isCopy: true });
  }

  /**
   * Saves a file as a snapshot.
   *
   * @throws a problem `malformed-request` for a file that is damaged, from another program or of another version
   */
  upload(name: string, file: Uint8Array): Snapshot {
    const { bytes, clockAndIds, fixture } = readUpload(this.#home.sqlite, file);
    const clock = Clock.from(clockAndIds.clock);
    const snapshot = { name, bytes, fixture, clock: { mode: clock.mode, now: clock.now() } };
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
    this.#begin(this.#start);
    this.snapshots.clear();
    this.#home.budget.change(-this.#copies);
  }

  /** Replaces the world. Pending requests complete in the old world; new requests get the new one. */
  #begin(origin: WorldSource): void {
    this.#world?.store.close();
    this.#world = undefined;
    this.#next = origin;
    this.#countCopies();
  }

  #countCopies(): void {
    const copies = new Set([this.#start, this.#next].filter((origin) => origin?.isCopy === true));
    const bytes = [...copies].reduce((sum, origin) => sum + (origin?.bytes.length ?? 0), 0);
    this.#home.budget.change(bytes - this.#copies);
    this.#copies = bytes;
  }
}

function readUpload(sqlite: SqlJsStatic, file: Uint8Array) {
  try {
    return readStateFile(sqlite, file);
  } catch (error) {
    if (!(error instanceof StateFileError)) throw error;
    throw new Problem("malformed-request", `The file cannot be used: ${error.message}.`);
  }
}
