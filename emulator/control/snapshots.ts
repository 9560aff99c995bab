import { sqliteMediaType } from "../../openapi/control-plane/namespace-operations.js";
import { parseName } from "../request/name.js";
import { Problem } from "../domain/problem.js";
import type { Namespace } from "../namespaces/namespace.js";
import type { Snapshot } from "../namespaces/snapshots.js";
import { addChecksum } from "../state-files/state-file.js";
import { formatTimestamp } from "../time/timestamp.js";
import { type ControlHandler, FileOrBody } from "./control-types.js";
import { describeNamespace } from "./namespaces.js";
import { compareEntries, worldEntries, type WorldEntries } from "./world-entries.js";

/** GET /_emulator/snapshots. */
export const listSnapshots: ControlHandler<"listSnapshots"> = (_request, { snapshots }) => ({
  snapshots: snapshots.list().map(describeSnapshot),
});

/** POST /_emulator/snapshots. */
export const takeSnapshot: ControlHandler<"takeSnapshot"> = (_request, namespace) =>
  describeSnapshot(namespace.save(namespace.snapshots.generateName()));

/** POST /_emulator/snapshots/{name}. */
export const saveSnapshot: ControlHandler<"saveSnapshot"> = ({ path }, namespace) =>
  describeSnapshot(namespace.save(parseName(path.name, "snapshot")));

/** GET /_emulator/snapshots/{name}. */
export const getSnapshot: ControlHandler<"getSnapshot"> = ({ path }, namespace) => {
  const snapshot = namespace.snapshots.get(path.name);
  return new FileOrBody(describeSnapshot(snapshot), {
    mediaType: sqliteMediaType,
    name: `${snapshot.name}.sqlite`,
    bytes: () => addChecksum(snapshot.bytes),
  });
};

/** PUT /_emulator/snapshots/{name}. */
export const uploadSnapshot: ControlHandler<"uploadSnapshot"> = ({ path, file }, namespace) => {
  const name = parseName(path.name, "snapshot");
  if (!(file instanceof Uint8Array))
    throw new Problem("malformed-request", "Send the bytes of the SQLite file as the body.");
  return describeSnapshot(namespace.upload(name, file));
};

/** GET /_emulator/snapshots/{name}/changes. */
export const compareSnapshot: ControlHandler<"compareSnapshot"> = ({ path, query: { to } }, namespace) => {
  const before = entriesOfSnapshot(namespace, path.name);
  const after = to === undefined ? worldEntries(namespace.world) : entriesOfSnapshot(namespace, to);
  return compareEntries(before, after);
};

function entriesOfSnapshot(namespace: Namespace, name: string): WorldEntries {
  const world = namespace.openSnapshot(name);
  try {
    return worldEntries(world);
  } finally {
    world.store.close();
  }
}

/** POST /_emulator/snapshots/{name}/restore. */
export const restoreSnapshot: ControlHandler<"restoreSnapshot"> = ({ path }, namespace) => {
  namespace.restore(path.name);
};

/** POST /_emulator/snapshots/{name}/fork. */
export const forkSnapshot: ControlHandler<"forkSnapshot"> = ({ path, body }, namespace) =>
  describeNamespace(namespace.forkSnapshot(path.name, body.to));

/** DELETE /_emulator/snapshots/{name}. */
export const deleteSnapshot: ControlHandler<"deleteSnapshot"> = ({ path }, { snapshots }) => {
  snapshots.delete(path.name);
};

function describeSnapshot({ name, bytes, fixture, clock }: Snapshot) {
  return {
    name,
    bytes: bytes.length,
    fixture,
    clock: { mode: clock.mode, now: formatTimestamp(clock.now) },
  };
}
