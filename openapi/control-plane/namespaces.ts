import type { SchemaObject } from "openapi3-ts/oas31";
import { maxIdleSeconds, namePattern } from "../clauses/limits.js";
import { defineSuccess, get, post, put, remove } from "../operations/operation.js";
import { buildQueryParameter } from "../operations/parameters.js";
import { ref } from "../schemas/ref.js";
import type * as schema from "../schemas/schema-builders.js";
import * as control from "./define-control.js";
import { sqliteMediaType } from "./media-types.js";

/** Namespaces and snapshots. */
export const namespaceOperations = control.defineOperations({
  listNamespaces: get("/_emulator/namespaces", "List the namespaces", {
    successes: [
      defineSuccess(
        200,
        "All namespaces: the default namespace first, then the others in order of creation.",
        "NamespaceList",
      ),
    ],
  }),
  setNamespace: put("/_emulator/namespaces/{name}", "Create a namespace, or set when it expires", {
    description:
      "Creates the namespace if it does not exist. After `idleSeconds` seconds of real time without a request, the emulator " +
      "deletes the namespace. Set `idleSeconds` if your program might be killed before it deletes the namespace. If " +
      "`idleSeconds` is null, the emulator never deletes the namespace automatically. A namespace that was created by its " +
      "first request expires only if the emulator was started with `--namespace-ttl`. The default namespace cannot expire.",
    requestBody: ref("NamespaceRequest"),
    successes: [defineSuccess(200, "The namespace.", "Namespace")],
    problems: ["default-namespace", "limit-reached"],
    example: { parameters: { name: "worker-1" }, request: { idleSeconds: 600 } },
  }),
  deleteNamespace: remove("/_emulator/namespaces/{name}", "Delete a namespace and its snapshots", {
    description:
      "Requests in progress continue to use the deleted namespace. Using the name again creates a new namespace. The default " +
      "namespace cannot be deleted.",
    successes: [defineSuccess(204, "The namespace was deleted.")],
    problems: ["namespace-not-found", "default-namespace"],
    example: { parameters: { name: "worker-1" } },
  }),
  forkNamespace: post("/_emulator/namespaces/{name}/fork", "Copy a namespace under a new name", {
    description:
      "Copies the data, clock, id generator, profile and return addresses, but not the snapshots, fault rules or journal. Resetting " +
      "the new namespace restores this copied state. The name of the default namespace is `default`.",
    requestBody: ref("ForkRequest"),
    successes: [defineSuccess(201, "The new namespace.", "Namespace")],
    problems: ["namespace-not-found", "conflict", "limit-reached"],
    example: { parameters: { name: "default" }, request: { to: "worker-1" } },
  }),
  listSnapshots: get("/_emulator/snapshots", "List the namespace's snapshots", {
    successes: [defineSuccess(200, "The snapshots.", "SnapshotList")],
  }),
  takeSnapshot: post("/_emulator/snapshots", "Save the namespace as a snapshot with a generated name", {
    successes: [defineSuccess(201, "The snapshot.", "Snapshot")],
    problems: ["limit-reached"],
  }),
  saveSnapshot: post("/_emulator/snapshots/{name}", "Save the namespace as a snapshot", {
    description: "Saves the data, clock and id generator. A snapshot with the same name is replaced.",
    successes: [defineSuccess(201, "The snapshot.", "Snapshot")],
    problems: ["limit-reached"],
  }),
  getSnapshot: get("/_emulator/snapshots/{name}", "Get a snapshot, or download it", {
    description: `With \`Accept: ${sqliteMediaType}\`, the response is the snapshot as a SQLite file.`,
    successes: [defineSuccess(200, "The snapshot.", "Snapshot", { file: sqliteMediaType })],
    problems: ["snapshot-not-found"],
  }),
  uploadSnapshot: put("/_emulator/snapshots/{name}", "Upload a state file as a snapshot", {
    description:
      "Accepts a file from a download, `--export-on-exit` or `export()`. Replaces a snapshot with the same name. " +
      "Rejects files that are damaged, that another program has created or changed, or whose tables have an unsupported version.",
    requestFile: sqliteMediaType,
    successes: [defineSuccess(201, "The snapshot.", "Snapshot")],
    problems: ["limit-reached"],
  }),
  compareSnapshot: get("/_emulator/snapshots/{name}/changes", "List the changes since a snapshot", {
    description:
      "Compares a snapshot with the current state, or with the later snapshot given in `to`. The comparison covers users, " +
      "organizations, members, API keys, and databases with their contents. It does not cover sessions, orders or usage " +
      "figures.",
    parameters: () => [
      buildQueryParameter(
        "to",
        { type: "string" },
        "Name of the later snapshot. Defaults to the current state.",
      ),
    ],
    successes: [defineSuccess(200, "The changes.", "SnapshotChanges")],
    problems: ["snapshot-not-found", "limit-reached"],
  }),
  restoreSnapshot: post("/_emulator/snapshots/{name}/restore", "Restore a snapshot", {
    description:
      "Restores the data, clock and id generator; the profile, fault rules and journal do not change. Requests in progress continue to use the old state.",
    successes: [defineSuccess(204, "The snapshot was restored.")],
    problems: ["snapshot-not-found", "limit-reached"],
  }),
  forkSnapshot: post("/_emulator/snapshots/{name}/fork", "Create a namespace from a snapshot", {
    requestBody: ref("ForkRequest"),
    successes: [defineSuccess(201, "The namespace.", "Namespace")],
    problems: ["snapshot-not-found", "conflict", "limit-reached"],
    example: { request: { to: "worker-1" } },
  }),
  deleteSnapshot: remove("/_emulator/snapshots/{name}", "Delete a snapshot", {
    successes: [defineSuccess(204, "The snapshot was deleted.")],
    problems: ["snapshot-not-found"],
  }),
});

const entry = {
  kind: {
    type: "string",
    enum: [
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
    ],
  },
  id: {
    type: "object",
    additionalProperties: true,
    description:
      "Fields that identify the entry. For an item, they are `databaseId`, `pk` and `sk`; for a row, they are " +
      "`databaseId`, `table` and `key`.",
  },
} satisfies schema.Properties;
const values: SchemaObject = {
  type: "object",
  additionalProperties: true,
  description: "All fields of the entry, except those that identify it.",
};

/** The schemas of requests and responses. */
export const namespaceSchemas: schema.SchemaGroup = () => ({
  Namespace: control.object({
    name: { type: "string" },
    path: { type: "string", description: "Path prefix of the namespace; empty for the default namespace." },
    bytes: { type: "integer", description: "Size of the state in bytes." },
    isOpen: {
      type: "boolean",
      description:
        "Whether the namespace's data is loaded. A namespace whose data is not loaded needs almost no memory.",
    },
    snapshots: control.object({
      count: { type: "integer" },
      bytes: { type: "integer" },
    }),
  }),
  NamespaceList: control.object({ namespaces: control.array("Namespace") }),
  NamespaceRequest: control.object({
    idleSeconds: {
      type: ["integer", "null"],
      minimum: 1,
      maximum: maxIdleSeconds,
      description:
        "Seconds from the last request until the namespace is deleted; null if the namespace is never deleted.",
    },
  }),
  ForkRequest: control.object({
    to: {
      type: "string",
      pattern: `^${namePattern}$`,
      description: "Name of the new namespace.",
    },
  }),
  Snapshot: control.object({
    name: { type: "string" },
    bytes: { type: "integer", description: "Size of the state in bytes." },
    fixture: { type: "string", description: "The fixture that the state started with." },
    clock: control.object({
      mode: { type: "string", enum: ["manual", "system"] },
      now: control.timestamp,
    }),
  }),
  SnapshotChanges: control.object({
    added: control.array("SnapshotEntry"),
    changed: control.array("ChangedEntry"),
    removed: control.array("SnapshotEntry"),
  }),
  SnapshotEntry: control.object({ ...entry, value: values }),
  ChangedEntry: control.object({ ...entry, before: values, after: values }),
  SnapshotList: control.object({ snapshots: control.array("Snapshot") }),
});
