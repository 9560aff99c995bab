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

/** The media type of a state file. */
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
        "All namespaces: the default namespace first, then the others in order of creation.",
        "NamespaceList",
      ),
    ],
    example: {
      response: { namespaces: [{ ...worker, name: "default", path: "", isOpen: true }, worker] },
    },
  },
  setNamespace: {
    summary: "Create a namespace, or set when it expires",
    description:
      "Creates the namespace if it does not exist. After `idleSeconds` seconds of real time without a request, the emulator " +
      "deletes the namespace. Set `idleSeconds` if your program might be killed before it deletes the namespace. If " +
      "`idleSeconds` is null, the emulator never deletes the namespace automatically. A namespace that was created by its " +
      "first request expires only if the emulator was started with `--namespace-ttl`. The default namespace cannot expire.",
    routes: { method: "put", path: "/_emulator/namespaces/{name}" },
    requestBody: ref("NamespaceRequest"),
    successes: [defineSuccess(200, "The namespace.", "Namespace")],
    problems: ["default-namespace", "limit-reached"],
    example: { parameters: { name: "worker-1" }, request: { idleSeconds: 600 }, response: worker },
  },
  deleteNamespace: {
    summary: "Delete a namespace and its snapshots",
    description:
      "Pending requests complete in the deleted namespace. Using the name again creates a new namespace. The default " +
      "namespace cannot be deleted.",
    routes: { method: "delete", path: "/_emulator/namespaces/{name}" },
    successes: [defineSuccess(204, "The namespace was deleted.")],
    problems: ["namespace-not-found", "default-namespace"],
    example: { parameters: { name: "worker-1" } },
  },
  forkNamespace: {
    summary: "Copy a namespace to a new name",
    description:
      "Copies the data, clock, ids, profile and return addresses, but not the snapshots, fault rules or journal. Resetting " +
      "the new namespace restores this copied state. The name of the default namespace is `default`.",
    routes: { method: "post", path: "/_emulator/namespaces/{name}/fork" },
    requestBody: ref("ForkRequest"),
    successes: [defineSuccess(201, "The new namespace.", "Namespace")],
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
    description: "Saves the data, clock and ids. A snapshot with the same name is replaced.",
    routes: { method: "post", path: "/_emulator/snapshots/{name}" },
    successes: [defineSuccess(201, "The snapshot.", "Snapshot")],
    problems: ["limit-reached"],
    example: { parameters: { name: "seeded" }, response: snapshot },
  },
  getSnapshot: {
    summary: "Get a snapshot, or download it",
    description: `With \`Accept: ${sqliteMediaType}\`, the response is the snapshot as a SQLite file.`,
    routes: { method: "get", path: "/_emulator/snapshots/{name}" },
    successes: [defineSuccess(200, "The snapshot.", "Snapshot", { file: sqliteMediaType })],
    problems: ["snapshot-not-found"],
    example: { parameters: { name: "seeded" }, response: snapshot },
  },
  uploadSnapshot: {
    summary: "Upload a SQLite file as a snapshot",
    description:
      "Accepts a file created by a download, `--export-on-exit` or `export()`. Replaces a snapshot with the same name. " +
      "Rejects a file that is damaged, that another program created, or whose tables have an unsupported version.",
    routes: { method: "put", path: "/_emulator/snapshots/{name}" },
    requestFile: sqliteMediaType,
    successes: [defineSuccess(201, "The snapshot.", "Snapshot")],
    problems: ["limit-reached"],
    example: { parameters: { name: "seeded" }, response: snapshot },
  },
  compareSnapshot: {
    summary: "List the changes since a snapshot",
    description:
      "Compares a snapshot with the current state or, with `to`, with a later snapshot. The comparison covers users, " +
      "organizations, members, API keys, and databases with their contents. It does not cover sessions, orders and usage " +
      "figures.",
    routes: { method: "get", path: "/_emulator/snapshots/{name}/changes" },
    parameters: () => [
      {
        name: "to",
        in: "query",
        required: false,
        description: "Name of the later snapshot. Defaults to the current state.",
        schema: { type: "string" },
      },
    ],
    successes: [defineSuccess(200, "The changes.", "SnapshotChanges")],
    problems: ["snapshot-not-found", "limit-reached"],
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
    summary: "Restore a snapshot",
    description:
      "Restores the data, clock and ids; the profile, fault rules and journal do not change. Pending requests complete " +
      "in the state in which they started.",
    routes: { method: "post", path: "/_emulator/snapshots/{name}/restore" },
    successes: [defineSuccess(204, "The snapshot was restored.")],
    problems: ["snapshot-not-found"],
    example: { parameters: { name: "seeded" } },
  },
  forkSnapshot: {
    summary: "Create a namespace from a snapshot",
    routes: { method: "post", path: "/_emulator/snapshots/{name}/fork" },
    requestBody: ref("ForkRequest"),
    successes: [defineSuccess(201, "The namespace.", "Namespace")],
    problems: ["snapshot-not-found", "conflict", "limit-reached"],
    example: { parameters: { name: "seeded" }, request: { to: "worker-1" }, response: worker },
  },
  deleteSnapshot: {
    summary: "Delete a snapshot",
    routes: { method: "delete", path: "/_emulator/snapshots/{name}" },
    successes: [defineSuccess(204, "The snapshot was deleted.")],
    problems: ["snapshot-not-found"],
    example: { parameters: { name: "seeded" } },
  },
});

/** The kinds of entries that a comparison lists. */
export const worldEntryKinds = [
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
  kind: { type: "string", enum: [...worldEntryKinds] },
  id: {
    type: "object",
    additionalProperties: true,
    description:
      "Fields that identify the entry. For an item, they are `databaseId`, `pk` and `sk`; for a row, they are " +
      "`databaseId`, `table` and `key`.",
  },
} satisfies Properties;
const values: SchemaObject = {
  type: "object",
  additionalProperties: true,
  description: "All fields of the entry, except those that identify it.",
};

/** The schemas of requests and responses. */
export const namespaceSchemas: SchemaGroup = () => ({
  Namespace: objectSchema({
    name: { type: "string" },
    path: { type: "string", description: "Path prefix of the namespace; empty for the default namespace." },
    bytes: { type: "integer", description: "Size of the state in bytes." },
    isOpen: {
      type: "boolean",
      description: "Whether the namespace is in use. A namespace that is not in use needs almost no memory.",
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
      description:
        "Seconds from the last request until the namespace is deleted; null if the namespace is never deleted.",
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
    bytes: { type: "integer", description: "Size of the state in bytes." },
    fixture: { type: "string", description: "The fixture that the state started with." },
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
