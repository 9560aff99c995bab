import type { SchemaObject } from "openapi3-ts/oas31";
import { defineSuccess, get, post, remove } from "../operations/operation.js";
import { buildQueryParameter } from "../operations/parameters.js";
import { operationIds } from "../operations/register.js";
import { transactionErrorTypes } from "../schemas/batches.js";
import { ref } from "../schemas/ref.js";
import * as schema from "../schemas/schema-builders.js";
import { loginStatuses } from "../schemas/session.js";
import { sqlErrorCodes } from "../schemas/sql.js";
import * as control from "./define-control.js";
import { harMediaType } from "./media-types.js";

/** The effects that a fault rule can have on a request. */
export const faultKinds = [
  "status",
  "latency",
  "drop",
  "truncate",
  "unprocessed",
  "partial",
  "error",
] as const;

/** The maximum delay that a fault rule can add. */
export const maxDelayMs = 60_000;

/** The id of an operation of the service. */
const operationIdSchema: SchemaObject = { type: "string", enum: [...operationIds] };

const request = {
  match: { operationId: "putItem" },
  effect: { kind: "status", status: 429, retryAfterSeconds: 2 },
  when: { count: 3 },
};

/** Fault rules, the journal and coverage. */
export const requestOperations = control.defineOperations({
  createFault: post("/_emulator/faults", "Add a fault rule", {
    description:
      "The emulator checks rules in the order in which they were added, at three stages. Before checking a request's " +
      "credential, it applies `status`, `drop` and `latency`. After finding the request valid and permitted, it applies " +
      "`unprocessed`, `partial` and `error`. After executing the request, it applies `truncate`, and also `status` and " +
      "`drop` if `applied` is true. At each stage, only the first rule that fires takes effect, but the delays of " +
      "`latency` rules add up. Requests that match no operation are not affected.",
    requestBody: ref("CreateFaultRequest"),
    successes: [defineSuccess(201, "The fault rule was added.", "Fault")],
    problems: ["too-many-faults"],
    example: { request },
  }),
  listFaults: get("/_emulator/faults", "List the fault rules", {
    successes: [defineSuccess(200, "The fault rules, oldest first.", "FaultList")],
  }),
  clearFaults: remove("/_emulator/faults", "Delete all fault rules", {
    description: "Requests delayed by a rule continue immediately.",
    successes: [defineSuccess(204, "All fault rules were deleted.")],
  }),
  getFault: get("/_emulator/faults/{faultId}", "Get a fault rule and the number of times it has fired", {
    successes: [defineSuccess(200, "The fault rule.", "Fault")],
    problems: ["fault-not-found"],
  }),
  deleteFault: remove("/_emulator/faults/{faultId}", "Delete a fault rule", {
    successes: [defineSuccess(204, "The fault rule was deleted.")],
    problems: ["fault-not-found"],
  }),
  getJournal: get("/_emulator/journal", "List the requests to the service and their responses", {
    description:
      "By default, the journal keeps the newest 250 requests, or fewer if they " +
      "are large. `?format=har` or `Accept: application/har+json` returns an HTTP Archive 1.2.",
    parameters: () => [
      buildQueryParameter("operationId", operationIdSchema, "Returns only entries for this operation."),
      buildQueryParameter(
        "status",
        { type: "integer", minimum: 0, maximum: 599 },
        "Returns only entries with this response status.",
      ),
      buildQueryParameter(
        "since",
        { type: "integer", minimum: 0 },
        "Returns only entries with a `sequence` greater than this.",
      ),
      buildQueryParameter(
        "limit",
        { type: "integer", minimum: 1 },
        "Returns at most this many of the newest entries.",
      ),
      buildQueryParameter(
        "format",
        { type: "string", enum: ["json", "har"] },
        "The format. Takes precedence over `Accept`.",
      ),
    ],
    successes: [
      defineSuccess(200, "The journal.", "Journal", {
        file: harMediaType,
        fileSchema: {
          type: "object",
          description: "An HTTP Archive 1.2.",
          properties: { log: { type: "object", additionalProperties: true } },
          required: ["log"],
        },
      }),
    ],
  }),
  clearJournal: remove("/_emulator/journal", "Clear the journal", {
    successes: [defineSuccess(204, "The journal was cleared.")],
  }),
  getCoverage: get("/_emulator/coverage", "List the situations that requests have covered", {
    description:
      "Counts all requests since the emulator started, including requests to deleted namespaces, but not requests from " +
      "the console. A reset does not clear the coverage. `data-service coverage` uses the same ids, and shows how to cover " +
      "the remaining situations.",
    successes: [defineSuccess(200, "The ids of the covered and uncovered situations.", "Coverage")],
  }),
});

const effects: schema.Properties = {
  "status?": {
    type: "integer",
    minimum: 400,
    maximum: 599,
    description:
      "For `status`: the status of the response. Defaults to 503. The body has the error format of the service.",
  },
  "retryAfterSeconds?": {
    type: "integer",
    minimum: 1,
    description:
      "For `status`: the value of the `Retry-After` header, in seconds. Defaults to 1 for the status 429; for other " +
      "statuses, the header is omitted by default.",
  },
  "delayMs?": {
    type: "integer",
    minimum: 1,
    maximum: maxDelayMs,
    description:
      "For `latency`: milliseconds of real time before the request is processed. Defaults to 1000.",
  },
  "count?": {
    type: "integer",
    minimum: 0,
    description:
      "For `unprocessed`: how many keys at the end of the batch are left unprocessed. For `partial`: how many entries at the start " +
      "of the batch fail. For `error`: how many operations at the start of a transaction fail. These numbers default to 1. " +
      "For `truncate`: number of body bytes that are sent. Defaults to half of the body.",
  },
  "applied?": {
    type: "boolean",
    description:
      "For `status` and `drop`: whether the request is executed before it fails. Defaults to false.",
  },
  "errorType?": {
    type: "string",
    enum: [...transactionErrorTypes],
    description:
      "The field `errorType` in the response when the `error` effect applies to a transaction. Defaults to InternalServerError.",
  },
  "code?": {
    type: "string",
    enum: [...sqlErrorCodes],
    description:
      "The field `code` in the response when the `error` effect applies to an SQL operation. Defaults to SQL_EXECUTION_ERROR.",
  },
  "loginStatus?": {
    type: "string",
    enum: loginStatuses.filter((status) => status !== "Success"),
    description:
      "The field `status` in the response body when the `error` effect applies to a login. Defaults to Error.",
  },
};

const situationIds: SchemaObject = { type: "array", items: { type: "string" } };
const headers: SchemaObject = {
  type: "object",
  additionalProperties: { type: "string" },
  description: "Headers by lower-case name, with credentials redacted.",
};
const message: schema.Properties = {
  headers,
  body: schema.nullable({
    type: "string",
    description: "The text of the body, with credentials redacted; null if there is no body.",
  }),
  bodyBytes: { type: "integer", minimum: 0, description: "Length of the whole body in bytes." },
  bodyCut: { type: "boolean", description: "Whether `body` contains only the beginning of the body." },
};

/** The schemas of requests and responses. */
export const requestSchemas: schema.SchemaGroup = () => ({
  FaultMatch: control.object(
    {
      "operationId?": operationIdSchema,
      "path?": {
        type: "string",
        pattern: "^/",
        maxLength: 2048,
        description:
          "Path after the namespace's base URL, without the query. `*` matches any text within a segment; the segment `**` matches " +
          "any number of segments.",
      },
      "organizationId?": {
        type: "string",
        minLength: 1,
        description:
          "Id of the organization that the caller's credential is for, or of the organization in the path.",
      },
      "caller?": { type: "string", minLength: 1, description: "A user id or an API key id." },
    },
    {
      description:
        "The requests that the rule applies to. If no fields are given, the rule applies to all requests.",
    },
  ),
  FaultEffect: control.object(
    { kind: { type: "string", enum: [...faultKinds] }, ...effects },
    {
      description: "What happens to the request. Fields that do not apply to the kind are rejected.",
    },
  ),
  FaultWhen: control.object(
    {
      "nth?": {
        type: "integer",
        minimum: 1,
        description:
          "Which matching request the rule fires for first, counted from 1: with 3, it skips the first two. Defaults to 1.",
      },
      "count?": {
        type: "integer",
        minimum: 1,
        description:
          "Maximum number of times that the rule fires. Defaults to 1 if `nth` is given; otherwise, there is no limit.",
      },
      "probability?": {
        type: "number",
        minimum: 0,
        maximum: 1,
        description:
          "Probability that the rule fires. Defaults to 1. The random choices depend only on the random seed.",
      },
    },
    {
      description:
        "The matching requests that the rule fires for. If no fields are given, the rule fires for all matching requests.",
    },
  ),
  CreateFaultRequest: control.object({
    "match?": ref("FaultMatch"),
    effect: ref("FaultEffect"),
    "when?": ref("FaultWhen"),
  }),
  Fault: control.object({
    faultId: schema.identifier("Id of the fault rule."),
    match: ref("FaultMatch"),
    effect: ref("FaultEffect"),
    when: ref("FaultWhen"),
    fired: { type: "integer", minimum: 0, description: "Number of times that the rule has fired." },
  }),
  FaultList: control.object({
    faults: control.array("Fault", "The rules, oldest first, in the order in which they are checked."),
  }),
  Journal: control.object({
    entries: control.array("JournalEntry", "The entries, oldest first."),
    dropped: { type: "integer", minimum: 0, description: "Number of older entries that are no longer kept." },
    recording: { type: "boolean", description: "False if the emulator was started without a journal." },
  }),
  Coverage: control.object({
    counting: { type: "boolean", description: "False if the emulator was started without coverage." },
    met: { ...situationIds, description: "Ids of the situations that requests have covered." },
    unmet: { ...situationIds, description: "Ids of the situations that no request has covered." },
  }),
  JournalEntry: control.object({
    sequence: {
      type: "integer",
      minimum: 1,
      description: "Number of the entry. Entries are numbered in the order of their responses.",
    },
    at: { ...control.timestamp, description: "Time of the request according to the namespace's clock." },
    durationMs: {
      type: "number",
      minimum: 0,
      description:
        "Milliseconds of real time from the arrival of the request to the response. Only this field differs between " +
        "runs with the same random seed.",
    },
    operationId: schema.nullable({
      type: "string",
      description: "Id of the operation; null if no operation matches.",
    }),
    caller: {
      anyOf: [ref("JournalCaller"), { type: "null" }],
      description: "The caller; null if there is no valid credential.",
    },
    faults: {
      type: "array",
      items: { type: "string" },
      description: "Ids of the fault rules that fired.",
    },
    unknownFields: {
      type: "array",
      items: { type: "string" },
      description:
        "Unknown fields and query parameters that the emulator ignored, as the profile allows. A field is shown " +
        "as a JSON pointer into the body, and a query parameter as `?name`. Those of a body with 1000 or more fields " +
        "are not shown.",
    },
    request: control.object({
      method: { type: "string" },
      path: { type: "string", description: "Path after the namespace's base URL, with the query." },
      ...message,
    }),
    response: control.object({
      status: {
        type: "integer",
        description: "HTTP status; 0 if the connection was dropped without a response.",
      },
      ...message,
    }),
  }),
  JournalCaller: control.object({
    kind: { type: "string", enum: ["user", "apiKey"] },
    id: { type: "string", description: "The user id or API key id." },
    organizationId: { type: "string", description: "The organization that the credential is for." },
  }),
});
