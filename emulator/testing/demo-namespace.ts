import { defaultProfile } from "../../openapi/gaps/profile.js";
import { defaultJournalEntryCount } from "../journal/journal.js";
import { emulatorLimits } from "../memory/limits.js";
import type { Namespace } from "../namespaces/namespace.js";
import { Namespaces } from "../namespaces/namespaces.js";
import { openFixture } from "../seeds/starting-state.js";
import { loadSqlite } from "../sqlite/sqlite.js";

/** Creates a namespace with the demo fixture but without an emulator, for tests that access its store directly. */
export async function createDemoNamespace(): Promise<Namespace> {
  const sqlite = await loadSqlite();
  return new Namespaces(sqlite, {
    ...openFixture(sqlite, "demo"),
    profile: defaultProfile,
    seed: undefined,
    clock: undefined,
    data: undefined,
    allowHosts: [],
    journal: defaultJournalEntryCount,
    maxNamespaces: emulatorLimits.namespaces,
  }).get("");
}
