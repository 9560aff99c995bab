import type { SqlJsStatic } from "sql.js";
import { fixtureNames, isFixtureName } from "../../fixtures/register.js";
import type { FixtureStates } from "../namespaces/namespaces.js";
import type { SeededState } from "./read-seed.js";
import { startingState } from "./starting-state.js";

/** The fixtures of an emulator: those of the package, and the one of its own, which comes before one of the same name. */
export function fixtureStates(sqlite: SqlJsStatic, own?: SeededState): FixtureStates {
  return {
    names: [...new Set([...(own === undefined ? [] : [own.name]), ...fixtureNames])],
    stateOf: (name) => {
      if (name === own?.name) return own.bytes;
      return isFixtureName(name) ? startingState(sqlite, name) : undefined;
    },
  };
}
