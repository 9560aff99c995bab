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

/** What a namespace needs from the emulator it belongs to. */
export interface NamespaceDependencies {
  readonly sqlite: SqlJsStatic;
  readonly budget: MemoryBudget;
  readonly journals: JournalBudget;
  /** How many requests are remembered. */
  readonly journal: number;
  /** Called after every request. */
  readonly onRequest: ((request: AnsweredRequest) => void) | undefined;
  /** The situations that requests have met; undefined when coverage is off. */
  readonly coverage: Coverage | undefined;
  /** What a fixture begins with, under the options of the emulator. @throws a problem for one that is not known */
  fixture(name: string): WorldSource;
  /** The other namespaces. */
  readonly namespaces: NamespaceRegistry;
}

/** The namespaces of an emulator; the names are valid ones. */
export interface NamespaceRegistry {
  /** All of them, the default one first, then in the order in which they were made. */
  list(): readonly Namespace[];
  /** @throws a problem `namespace-not-found` */
  find(name: string): Namespace;
  /** Makes a namespace that begins from another world. @throws problems `conflict`, `limit-reached` */
  add(name: string, origin: WorldSource, profile: Profile): Namespace;
  /**
   * Makes a namespace, unless there is one, and says after how many seconds without a request it goes; null for never.
   *
   * @throws problems `default-namespace`, `limit-reached`
   */
  set(name: string, idleSeconds: number | null): Namespace;
  /** @throws problems `namespace-not-found`, `default-namespace` */
  delete(name: string): void;
}

/**
 * One isolated world, the state it started from, and its snapshots. The first access opens the world,
 * so that an unused namespace takes no memory.
 */
export class Namespace {
  readonly name: string;
  readonly snapshots: Snapshots;
  /** Beside the world: a reset clears them, a restore leaves them. */
  readonly faults: FaultRules;
  readonly journal: Journal;
  readonly scenarios: ScenarioDetector | undefined;
  /** Where the pages of checkout and portal lead back to; a setting beside the world, as the profile is. */
  returnAddresses: ReturnAddresses = noReturnAddresses;
  readonly #home: NamespaceDependencies;
  /** Bytes of copies that the budget counts. */
  #copies = 0;
  /** Where a reset leads. */
  #start: WorldSource;
  /** What the world is opened from; nothing once it is. */
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
   * The world at this moment. A request that waits for something takes it once, and holds its store until it is
   * answered: a reset, a restore or a deletion gives the namespace another world.
   *
   * @throws a problem `limit-reached` where there is no memory to open it
   */
  get world(): World {
    return this.#world ?? this.#open();
  }

  #open(): World {
    const { sqlite, budget } = this.#home;
    const next = this.#next;
    const origin = this.#closedState;
    try {
      // its bytes are not needed beside the world
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

  /** What the requests to all namespaces have met. */
  get coverage(): Coverage | undefined {
    return this.#home.coverage;
  }

  /** Whether the world is open and takes memory. */
  get isOpen(): boolean {
    return this.#world !== undefined;
  }

  /** Bytes of the state. */
  size(): number {
    return this.#world?.store.size() ?? this.#closedState.bytes.length;
  }

  /** What a world that is not open begins with. */
  get #closedState(): WorldSource {
    return this.#next ?? this.#start;
  }

  /** Whether a reset leads to this state. */
  isStartedFrom(state: Uint8Array | undefined): boolean {
    return this.#start.bytes === state;
  }

  /** Back to the starting state, or to that of a fixture, which is the starting state from then on. The profile stays. */
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
   * Makes a namespace with a copy of this world and its profile, which is the copy's starting state as well.
   *
   * @throws problems `conflict`, `limit-reached`
   */
  fork(to: string): Namespace {
    if (this.#world === undefined) return this.#addFork(to, this.#closedState);
    this.#home.budget.assertRoom(this.size());
    return this.#addFork(to, { bytes: exportWorld(this.#world), isCopy: true });
  }

  /**
   * Makes a namespace that begins as a snapshot of this one.
   *
   * @throws problems `snapshot-not-found`, `conflict`, `limit-reached`
   */
  forkSnapshot(name: string, to: string): Namespace {
    const { bytes } = this.snapshots.get(name);
    this.#home.budget.assertRoom(bytes.length);
    return this.#addFork(to, { bytes, isCopy: true });
  }

  #addFork(to: string, origin: WorldSource): Namespace {
    return this.#withAddresses(this.all.add(to, origin, this.#profile));
  }

  #withAddresses(copy: Namespace): Namespace {
    copy.returnAddresses = this.returnAddresses;
    return copy;
  }

  /** Saves the world under a name, in place of a snapshot that had it. */
  save(name: string): Snapshot {
    const { world } = this;
    const clock = { mode: world.clock.mode, now: world.clock.now() };
    const snapshot = { name, bytes: exportWorld(world), fixture: this.fixture, clock };
    this.snapshots.put(snapshot);
    return snapshot;
  }

  /** A copy of the world of a snapshot, whose store the caller closes. @throws a problem `snapshot-not-found` */
  openSnapshot(name: string): World {
    return openWorld(this.#home.sqlite, { bytes: this.snapshots.get(name).bytes }, this.#profile);
  }

  /** @throws a problem `snapshot-not-found` */
  restore(name: string): void {
    // the snapshot may be deleted before the world is opened
    this.#begin({ bytes: this.snapshots.get(name).bytes, isCopy: true });
  }

  /**
   * Keeps a file as a snapshot.
   *
   * @throws a problem `malformed-request` for one that is foreign, damaged or of another version
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
    return this.toStateFile(exportWorld(this.world));
  }

  /** A state of this emulator, such as that of a snapshot, as a SQLite file. */
  toStateFile(state: Uint8Array): Uint8Array<ArrayBuffer> {
    return addChecksum(state);
  }

  close(): void {
    this.faults.close();
    this.journal.close();
    this.#begin(this.#start);
    this.snapshots.clear();
    this.#home.budget.change(-this.#copies);
  }

  /** Requests that wait finish in the world they began in; everybody else meets the new one. */
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
