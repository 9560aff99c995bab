import { defaultNamespace, parseName } from "../request/name.js";
import type { Namespace } from "../namespaces/namespace.js";
import { type ControlHandlers, ResponseFile } from "./control-types.js";
import { sqliteMediaType } from "../../openapi/control-plane/media-types.js";
import { Problem } from "../domain/problem.js";
import type { Snapshot } from "../namespaces/snapshots.js";
import { addChecksum } from "../state-files/state-file.js";
import { formatTimestamp } from "../time/timestamp.js";
import { compareEntries, collectWorldEntries } from "./world-entries.js";

/** Namespaces and snapshots. */
export const namespaceHandlers = {
  listNamespaces: (_request, _namespace, namespaces) => ({
    namespaces: namespaces.list().map(describeNamespace),
  }),
  setNamespace: ({ path, body }, _namespace, namespaces) =>
    describeNamespace(namespaces.set(parseName(path.name, "namespace"), body.idleSeconds)),
  deleteNamespace: ({ path }, _namespace, namespaces) => {
    namespaces.delete(path.name);
  },
  forkNamespace: ({ path, body }, _namespace, namespaces) =>
    describeNamespace(namespaces.fork(namespaces.find(path.name), body.to)),
  listSnapshots: (_request, { snapshots }) => ({
    snapshots: snapshots.list().map(describeSnapshot),
  }),
  takeSnapshot: (_request, namespace) => describeSnapshot(namespace.save(namespace.snapshots.generateName())),
  saveSnapshot: ({ path }, namespace) => describeSnapshot(namespace.save(parseName(path.name, "snapshot"))),
  getSnapshot: ({ path, accept }, { snapshots }) => {
    const snapshot = snapshots.get(path.name);
    return accept?.includes(sqliteMediaType) === true
      ? new ResponseFile(sqliteMediaType, `${snapshot.name}.sqlite`, addChecksum(snapshot.bytes))
      : describeSnapshot(snapshot);
  },
  uploadSnapshot: ({ path, file }, namespace) => {
    const name = parseName(path.name, "snapshot");
    if (!(file instanceof Uint8Array))
      throw new Problem("malformed-request", "Send the content of the SQLite file as the request body.");
    return describeSnapshot(namespace.upload(name, file));
  },
  compareSnapshot: ({ path, query: { to } }, namespace) => {
    const before = entriesOfSnapshot(namespace, path.name);
    const after = to === undefined ? collectWorldEntries(namespace.world) : entriesOfSnapshot(namespace, to);
    return compareEntries(before, after);
  },
  restoreSnapshot: ({ path }, namespace) => {
    namespace.restore(path.name);
  },
  forkSnapshot: ({ path, body }, namespace, namespaces) =>
    describeNamespace(namespaces.fork(namespace, body.to, path.name)),
  deleteSnapshot: ({ path }, { snapshots }) => {
    snapshots.delete(path.name);
  },
} satisfies Partial<ControlHandlers>;

function describeNamespace(namespace: Namespace) {
  const { name, isOpen, snapshots } = namespace;
  return {
    name,
    path: name === defaultNamespace ? "" : `/ns/${name}`,
    bytes: namespace.size(),
    isOpen,
    snapshots: { count: snapshots.list().length, bytes: snapshots.size() },
  };
}

function entriesOfSnapshot(namespace: Namespace, name: string) {
  const world = namespace.openSnapshot(name);
  try {
    return collectWorldEntries(world);
  } finally {
    world.store.close();
  }
}

function describeSnapshot({ name, bytes, fixture, clock }: Snapshot) {
  return {
    name,
    bytes: bytes.length,
    fixture,
    clock: { mode: clock.mode, now: formatTimestamp(clock.now) },
  };
}
