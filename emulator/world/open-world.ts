import type { SqlJsStatic } from "sql.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { TokenIssuer } from "./tokens.js";
import { IdGenerator } from "./id-generator.js";
import { maxIdCount } from "../domain/id-suffix.js";
import { StateFileError } from "../state-files/state-file-error.js";
import { extractState } from "../state-files/state-file.js";
import type { MemoryBudget } from "../store/memory-budget.js";
import { Store } from "../store/store.js";
import { Clock, type ClockMode, type ClockState, manualClockStart } from "../time/clock.js";
import { maxTime } from "../time/timestamp.js";
import type { World } from "./world.js";

/** The source from which a world is opened. */
export interface WorldSource {
  /** A state as {@link exportWorld} gives it. They are never written to, so that several worlds may share them. */
  readonly bytes: Uint8Array;
  /** In place of the seed that the state was written with. */
  readonly seed?: number;
  /** Whether the bytes are a copy for this namespace, which counts as its memory. */
  readonly isCopy?: boolean;
  /** In place of the clock mode that the state was written with. */
  readonly clock?: ClockMode;
}

/** The parts of a world in memory, which are written with its tables on export. */
export interface ClockAndIds {
  readonly clock: ClockState;
  readonly ids: { readonly seed: number; readonly count: number };
}

const defaults: ClockAndIds = {
  clock: { mode: "manual", manualNow: manualClockStart, systemOffset: 0 },
  ids: { seed: 1, count: 0 },
};

/** @throws a problem `limit-reached` where the budget has no room for it */
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

/** The whole world but its profile, as the bytes of a SQLite file; not possible inside a transaction. */
export function exportWorld({ store, clock, ids }: World): Uint8Array {
  const clockAndIds: ClockAndIds = { clock: clock.state, ids: { seed: ids.seed, count: ids.count } };
  store.meta.write("clockAndIds", JSON.stringify(clockAndIds));
  return store.export();
}

/** The fixture that the state began with. */
export function readFixtureName(store: Store): string {
  const name = store.meta.read("fixture");
  if (typeof name !== "string" || !/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name))
    throw new StateFileError("it is damaged: it does not name the namespace's original fixture");
  return name;
}

/** The contents of a file. */
export interface StateFile {
  readonly bytes: Uint8Array;
  readonly fixture: string;
  readonly clockAndIds: ClockAndIds;
}

/**
 * Reads a file with a state, and looks at all of it.
 *
 * @throws StateFileError for a file that is damaged, from another program or of another version
 */
export function readStateFile(sqlite: SqlJsStatic, file: Uint8Array): StateFile {
  const bytes = extractState(sqlite, file);
  const store = Store.open(sqlite, bytes);
  try {
    return { bytes, fixture: readFixtureName(store), clockAndIds: readClockAndIds(store) };
  } finally {
    store.close();
  }
}

/** @throws StateFileError */
function readClockAndIds(store: Store): ClockAndIds {
  const text = store.meta.read("clockAndIds");
  if (text === undefined) return defaults;
  try {
    const { clock, ids } = JSON.parse(String(text)) as ClockAndIds;
    const { mode, manualNow, systemOffset } = clock;
    if (
      ["manual", "system"].includes(mode) &&
      isWhole(manualNow, 0, maxTime) &&
      isWhole(systemOffset, -maxTime, maxTime) &&
      isWhole(ids.seed, 0) &&
      isWhole(ids.count, 0, maxIdCount) &&
      // the offset of a system clock may lead out of all dates
      isWhole(Clock.from(clock).now(), 0, maxTime)
    )
      return { clock, ids };
  } catch {
    // reported below
  }
  throw new StateFileError("it is damaged: the saved clock and id generator cannot be read");
}

function isWhole(value: unknown, min: number, max = Number.MAX_SAFE_INTEGER): boolean {
  return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
}
