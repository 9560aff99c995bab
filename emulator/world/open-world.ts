import type { SqlJsStatic } from "sql.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { TokenIssuer } from "./tokens.js";
import { IdGenerator } from "./id-generator.js";
import type { MemoryBudget } from "../store/memory-budget.js";
import { Store } from "../store/store.js";
import { Clock, type ClockMode, type ClockState, manualClockStart } from "../time/clock.js";
import type { World } from "./world.js";

/** The state from which a world is opened. */
export interface WorldSource {
  /** A state that {@link exportWorld} has written. Several worlds may share the bytes, which do not change. */
  readonly bytes: Uint8Array;
  /** Replaces the seed in the state. */
  readonly seed?: number;
  /** Whether the bytes are a copy for this namespace, which counts as its memory. */
  readonly isCopy?: boolean;
  /** Replaces the clock mode in the state. */
  readonly clock?: ClockMode;
}

/** The parts of a world outside its tables. An export includes them. */
export interface ClockAndIds {
  readonly clock: ClockState;
  readonly ids: { readonly seed: number; readonly count: number };
}

const defaults: ClockAndIds = {
  clock: { mode: "manual", manualNow: manualClockStart, systemOffset: 0 },
  ids: { seed: 1, count: 0 },
};

/** @throws a problem `limit-reached` if the budget has no room for the world */
export function openWorld(
  sqlite: SqlJsStatic,
  origin: WorldSource,
  profile: Profile,
  budget?: MemoryBudget,
): World {
  const store = Store.open(sqlite, origin.bytes, budget);
  const clockAndIds = readClockAndIds(store);
  const seed = origin.seed ?? clockAndIds.ids.seed;
  const clock = Clock.from(clockAndIds.clock);
  if (origin.clock !== undefined) clock.setMode(origin.clock);
  return {
    store,
    clock,
    ids: new IdGenerator(seed, clockAndIds.ids.count),
    tokens: new TokenIssuer(seed),
    profile,
  };
}

/** Exports a world, without its profile, as the bytes of a SQLite file. This is not possible inside a transaction. */
export function exportWorld({ store, clock, ids }: World): Uint8Array {
  const clockAndIds: ClockAndIds = { clock: clock.state, ids: { seed: ids.seed, count: ids.count } };
  store.meta.write("clockAndIds", JSON.stringify(clockAndIds));
  return store.export();
}

/** Reads the name of the fixture from which the state originates. */
export function readFixtureName(store: Store): string {
  return String(store.meta.read("fixture"));
}

function readClockAndIds(store: Store): ClockAndIds {
  const text = store.meta.read("clockAndIds");
  return text === undefined ? defaults : (JSON.parse(String(text)) as ClockAndIds);
}
