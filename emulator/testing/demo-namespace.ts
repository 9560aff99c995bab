import { defaultProfile } from "../../openapi/profile.js";
import { usualEntries } from "../journal/journal.js";
import { emulatorLimits } from "../limits.js";
import type { Namespace } from "../namespace.js";
import { Namespaces } from "../namespaces.js";
import { loadSqlite } from "../store/sqlite.js";

/** A namespace with the demo fixture and nothing around it, for tests that reach into its store. */
export async function demoNamespace(): Promise<Namespace> {
  return new Namespaces(await loadSqlite(), {
    fixture: "demo",
    profile: defaultProfile,
    seed: undefined,
    clock: undefined,
    data: undefined,
    journal: usualEntries,
    maxNamespaces: emulatorLimits.namespaces,
  }).get("");
}
