import type { SqlJsStatic } from "sql.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { Tokens } from "./tokens.js";
import { Ids } from "./ids.js";
import type { MemoryBudget } from "../store/memory-budget.js";
import { Store } from "../store/store.js";
import { Clock, type ClockMode, type ClockState } from "../time/clock.js";
import type { World } from "./world.js";

/** What a world is opened from. */
export interface WorldSource {
  /** A state as {@link exportWorld} gives it. They are never written to, so that several worlds may share them. */
  readonly bytes: Uint8Array;
  /** In place of the seed that the state was written with. */
  readonly seed?: number;
  /** Whether the bytes are a copy made for this namespace, which counts as its memory. */
  readonly isCopy?: boolean;
  /** In place of the clock mode that the state was written with. */
  readonly clock?: ClockMode;
}

/** What belongs to a world beside its tables: it lives in memory and is written with the tables on export. */
interface ClockAndIds {
  readonly clock: ClockState;
  readonly ids: { readonly seed: number; readonly count: number };
}

/** @throws a problem `limit-reached` where the budget has no room for it */
export function openWorld(
  sqlite: SqlJsStatic,
  origin: WorldSource,
  profile: Profile,
  budget?: MemoryBudget,
): World {
  const store = Store.open(sqlite, origin.bytes, budget);
  const { clock: state, ids } = JSON.parse(String(store.meta.read("clockAndIds"))) as ClockAndIds;
  const seed = origin.seed ?? ids.seed;
  const clock = Clock.from(state);
  if (origin.clock !== undefined) clock.setMode(origin.clock);
  return { store, clock, ids: new Ids(seed, ids.count), tokens: new Tokens(seed), profile };
}

/** The whole world but its profile, as the bytes of a SQLite file; not possible inside a transaction. */
export function exportWorld({ store, clock, ids }: World): Uint8Array {
  const clockAndIds: ClockAndIds = { clock: clock.state, ids: { seed: ids.seed, count: ids.count } };
  store.meta.write("clockAndIds", JSON.stringify(clockAndIds));
  return store.export();
}

/** The fixture that the state began with. */
export function readFixture(store: Store): string {
  return String(store.meta.read("fixture"));
}
