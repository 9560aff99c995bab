import { existsSync, readFileSync } from "node:fs";
import type { SqlJsStatic } from "sql.js";
import { type FixtureName, fixtures } from "../fixtures/register.js";
import type { Profile } from "../openapi/profile.js";
import { Tokens } from "./access/tokens.js";
import { FaultRules } from "./faults/fault-rules.js";
import { Ids } from "./ids.js";
import { Journal } from "./journal/journal.js";
import { loadFixture } from "./store/load-fixture.js";
import { Store } from "./store/store.js";
import { Clock, type ClockMode } from "./time/clock.js";
import type { World } from "./world.js";

/** How a namespace begins. */
export interface Beginning {
  readonly fixture: FixtureName;
  readonly profile: Profile;
  readonly seed: number;
  readonly clock: ClockMode;
  /** Whether requests are recorded (default true). */
  readonly journal?: boolean;
}

/** The bytes of every fixture's starting state, once a process: opening them is cheaper than filling tables. */
const startingStates = new Map<FixtureName, Uint8Array>();

function startingState(sqlite: SqlJsStatic, fixture: FixtureName): Uint8Array {
  let bytes = startingStates.get(fixture);
  if (bytes === undefined) {
    bytes = readStartingState(fixture) ?? writeStartingState(sqlite, fixture);
    startingStates.set(fixture, bytes);
  }
  return bytes;
}

/** What the build wrote beside the bundle; nothing when the sources run as they are. */
function readStartingState(fixture: FixtureName): Uint8Array | undefined {
  const file = new URL(`../starting-states/${fixture}.sqlite`, import.meta.url);
  return existsSync(file) ? readFileSync(file) : undefined;
}

/** Loads a fixture into empty tables. */
export function writeStartingState(sqlite: SqlJsStatic, fixture: FixtureName): Uint8Array {
  const store = Store.create(sqlite);
  store.transaction(() => loadFixture(store, fixtures[fixture]));
  const bytes = store.export();
  store.close();
  return bytes;
}

/** One isolated world and what it started from. */
export class Namespace {
  readonly name: string;
  /** Beside the world: a reset clears them, a restore leaves them. */
  readonly faults: FaultRules;
  readonly journal: Journal;
  readonly #sqlite: SqlJsStatic;
  readonly #beginning: Beginning;
  #fixture: FixtureName;
  #world: World;

  constructor(name: string, sqlite: SqlJsStatic, beginning: Beginning) {
    this.name = name;
    this.faults = new FaultRules(beginning.seed);
    this.journal = new Journal(beginning.journal);
    this.#sqlite = sqlite;
    this.#beginning = beginning;
    this.#fixture = beginning.fixture;
    this.#world = this.#begin(beginning.profile);
  }

  get world(): World {
    return this.#world;
  }

  get fixture(): FixtureName {
    return this.#fixture;
  }

  get seed(): number {
    return this.#beginning.seed;
  }

  /** Back to the starting state, of another fixture if one is named; the profile stays in force. */
  reset(fixture: FixtureName = this.#fixture): void {
    const before = this.#world;
    this.#fixture = fixture;
    this.#world = this.#begin(before.profile);
    before.store.close();
    this.faults.reset();
    this.journal.reset();
  }

  setProfile(profile: Profile): void {
    this.#world = { ...this.#world, profile };
  }

  close(): void {
    this.faults.close();
    this.#world.store.close();
  }

  #begin(profile: Profile): World {
    const { seed, clock } = this.#beginning;
    return {
      store: Store.open(this.#sqlite, startingState(this.#sqlite, this.#fixture)),
      clock: new Clock(clock),
      ids: new Ids(seed),
      tokens: new Tokens(seed),
      profile,
    };
  }
}
