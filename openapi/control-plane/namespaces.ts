import type { SchemaObject } from "openapi3-ts/oas31";
import { defineSuccess } from "../operations/operation.js";
import { ref } from "../schemas/ref.js";
import type { Properties, SchemaGroup } from "../schemas/schema-builders.js";
import {
  defineControlOperations,
  arraySchema,
  objectSchema,
  controlTimestampSchema,
} from "./define-control.js";

/** The media type of a state as a file. */
export const sqliteMediaType = "application/vnd.sqlite3";

const snapshot = {
  name: "seeded",
  bytes: 184_320,
  fixture: "demo",
  clock: { mode: "manual", now: "2030-01-01T00:00:00.012Z" },
};
const worker = {
  name: "worker-1",
  path: "/ns/worker-1",
  bytes: 184_320,
  isOpen: false,
  snapshots: { count: 0, bytes: 0 },
};

const item = { kind: "item", id: { databaseId: "db_demo", pk: "settings", sk: "currency" } };
const times = { createdAt: "2030-01-01T00:00:00.000Z", updatedAt: "2030-01-01T00:00:00.000Z" };

/** Namespaces and snapshots. */
export const namespaceOperations = defineControlOperations({
  listNamespaces: {
    summary: "List the namespaces",
    routes: { method: "get", path: "/_emulator/namespaces" },
    successes: [
      defineSuccess(
        200,
        "All of them, the default one first, then in the order in which they were made.",
        "NamespaceList",
      ),
    ],
    example: {
      response: { namespaces: [{ ...worker, name: "default", path: "", isOpen: true }, worker] },
    },
  },
  setNamespace: {
    summary: "Make a namespace, or say how long it stays unused",
    description:
      "A namespace that was made for a while, by a program that may be killed before it deletes it, goes by itself: " +
      "with `idleSeconds`, as soon as no request was made in it for so long, by the machine's time, whatever the clock " +
      "of the namespace says. With null it stays, as one does that is made by its first use. The default one stays.",
    routes: { method: "put", path: "/_emulator/namespaces/{name}" },
    requestBody: ref("NamespaceRequest"),
    successes: [defineSuccess(200, "The namespace.", "Namespace")],
    problems: ["default-namespace", "limit-reached"],
    example: { parameters: { name: "worker-1" }, request: { idleSeconds: 600 }, response: worker },
  },
  deleteNamespace: {
    summary: "Delete a namespace with its snapshots",
    description:
      "Requests under way finish in it. Using the name again makes a new namespace. The default one stays.",
    routes: { method: "delete", path: "/_emulator/namespaces/{name}" },
    successes: [defineSuccess(204, "The namespace is gone.")],
    problems: ["namespace-not-found", "default-namespace"],
    example: { parameters: { name: "worker-1" } },
  },
  forkNamespace: {
    summary: "Copy a namespace under a new name",
    description:
      "Copies data, clock, ids, profile and return addresses; not snapshots, fault rules and journal. The copy's starting state, to " +
      "which its resets lead, is this copy. The name of the default namespace is `default`.",
    routes: { method: "post", path: "/_emulator/namespaces/{name}/fork" },
    requestBody: ref("ForkRequest"),
    successes: [defineSuccess(201, "The copy.", "Namespace")],
    problems: ["namespace-not-found", "conflict", "limit-reached"],
    example: { parameters: { name: "default" }, request: { to: "worker-1" }, response: worker },
  },
  listSnapshots: {
    summary: "List the snapshots of the namespace",
    routes: { method: "get", path: "/_emulator/snapshots" },
    successes: [defineSuccess(200, "The snapshots.", "SnapshotList")],
    example: { response: { snapshots: [snapshot] } },
  },
  takeSnapshot: {
    summary: "Save the namespace as a snapshot with a new name",
    routes: { method: "post", path: "/_emulator/snapshots" },
    successes: [defineSuccess(201, "The snapshot.", "Snapshot")],
    problems: ["limit-reached"],
    example: { response: { ...snapshot, name: "snapshot-1" } },
  },
  saveSnapshot: {
    summary: "Save the namespace as a snapshot",
    description: "Saves data, clock and ids, in place of a snapshot of the same name.",
    routes: { method: "post", path: "/_emulator/snapshots/{name}" },
    successes: [defineSuccess(201, "The snapshot.", "Snapshot")],
    problems: ["limit-reached"],
    example: { parameters: { name: "seeded" }, response: snapshot },
  },
  getSnapshot: {
    summary: "Describe a snapshot, or download it",
    description: `With \`Accept: ${sqliteMediaType}\` the answer is the snapshot as a SQLite file.`,
    routes: { method: "get", path: "/_emulator/snapshots/{name}" },
    successes: [defineSuccess(200, "The snapshot.", "Snapshot", { file: sqliteMediaType })],
    problems: ["snapshot-not-found"],
    example: { parameters: { name: "seeded" }, response: snapshot },
  },
  uploadSnapshot: {
    summary: "Keep a SQLite file as a snapshot",
    description:
      "Takes what a download, `--export-on-exit` or `export()` gave, in place of a snapshot of the same name. A file " +
      "that is foreign, damaged or of another version is refused.",
    routes: { method: "put", path: "/_emulator/snapshots/{name}" },
    requestFile: sqliteMediaType,
    successes: [defineSuccess(201, "The snapshot.", "Snapshot")],
    problems: ["limit-reached"],
    example: { parameters: { name: "seeded" }, response: snapshot },
  },
  compareSnapshot: {
    summary: "What has changed since a snapshot",
    description:
      "Compares a snapshot with another one, or, without `to`, with the namespace as it is: users, organizations with " +
      "their members and API keys, and databases with all that they hold. Sessions, orders and figures of usage are left out.",
    routes: { method: "get", path: "/_emulator/snapshots/{name}/changes" },
    parameters: () => [
      {
        name: "to",
        in: "query",
        required: false,
        description: "The later snapshot; the namespace as it is without it.",
        schema: { type: "string" },
      },
    ],
    successes: [defineSuccess(200, "The changes.", "SnapshotChanges")],
    problems: ["snapshot-not-found"],
    example: {
      parameters: { name: "seeded" },
      response: {
        added: [],
        changed: [
          {
            ...item,
            before: { data: { code: "EUR" }, ...times },
            after: { data: { code: "GBP" }, ...times, updatedAt: "2030-01-01T00:00:00.012Z" },
          },
        ],
        removed: [],
      },
    },
  },
  restoreSnapshot: {
    summary: "Go back to a snapshot",
    description:
      "Data, clock and ids are as they were; profile, fault rules and journal stay. Requests under way finish in the " +
      "state in which they began.",
    routes: { method: "post", path: "/_emulator/snapshots/{name}/restore" },
    successes: [defineSuccess(204, "The namespace is as it was.")],
    problems: ["snapshot-not-found"],
    example: { parameters: { name: "seeded" } },
  },
  forkSnapshot: {
    summary: "Make a namespace of a snapshot",
    routes: { method: "post", path: "/_emulator/snapshots/{name}/fork" },
    requestBody: ref("ForkRequest"),
    successes: [defineSuccess(201, "The namespace.", "Namespace")],
    problems: ["snapshot-not-found", "conflict", "limit-reached"],
    example: { parameters: { name: "seeded" }, request: { to: "worker-1" }, response: worker },
  },
  deleteSnapshot: {
    summary: "Delete a snapshot",
    routes: { method: "delete", path: "/_emulator/snapshots/{name}" },
    successes: [defineSuccess(204, "The snapshot is gone.")],
    problems: ["snapshot-not-found"],
    example: { parameters: { name: "seeded" } },
  },
});

/** What a comparison tells apart. */
export const entryKinds = [
  "user",
  "organization",
  "member",
  "apiKey",
  "database",
  "item",
  "repository",
  "entity",
  "table",
  "row",
] as const;

const entry = {
  kind: { type: "string", enum: [...entryKinds] },
  id: {
    type: "object",
    additionalProperties: true,
    description:
      "Which one it is: `databaseId`, `pk` and `sk` of an item; of a row `databaseId`, `table` and its key.",
  },
} satisfies Properties;
const values: SchemaObject = {
  type: "object",
  additionalProperties: true,
  description: "All that is known of it beside its id.",
};

/** What they take and give. */
export const namespaceSchemas: SchemaGroup = () => ({
  Namespace: objectSchema({
    name: { type: "string" },
    path: { type: "string", description: "What its paths begin with; empty for the default namespace." },
    bytes: { type: "integer", description: "Size of its state." },
    isOpen: {
      type: "boolean",
      description: "Whether it is in use; one that is not takes next to no memory.",
    },
    snapshots: objectSchema({
      count: { type: "integer" },
      bytes: { type: "integer" },
    }),
  }),
  NamespaceList: objectSchema({ namespaces: arraySchema("Namespace") }),
  NamespaceRequest: objectSchema({
    idleSeconds: {
      type: ["integer", "null"],
      minimum: 1,
      maximum: 604_800,
      description: "How long it stays after the last request in it; null for ever.",
    },
  }),
  ForkRequest: objectSchema({
    to: {
      type: "string",
      pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$",
      description: "Name of the new namespace.",
    },
  }),
  Snapshot: objectSchema({
    name: { type: "string" },
    bytes: { type: "integer", description: "Size of its state." },
    fixture: { type: "string", description: "The fixture that the state began with." },
    clock: objectSchema({
      mode: { type: "string", enum: ["manual", "system"] },
      now: controlTimestampSchema,
    }),
  }),
  SnapshotChanges: objectSchema({
    added: arraySchema("SnapshotEntry"),
    changed: arraySchema("ChangedEntry"),
    removed: arraySchema("SnapshotEntry"),
  }),
  SnapshotEntry: objectSchema({ ...entry, value: values }),
  ChangedEntry: objectSchema({ ...entry, before: values, after: values }),
  SnapshotList: objectSchema({ snapshots: arraySchema("Snapshot") }),
});
