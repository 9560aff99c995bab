import type { ParameterObject, SchemaObject } from "openapi3-ts/oas31";
import { defineSuccess } from "../operations/operation.js";
import { operationIds } from "../operations/register.js";
import { transactionErrorTypes } from "../schemas/batches.js";
import { ref } from "../schemas/ref.js";
import { identifierSchema, nullable, type Properties, type SchemaGroup } from "../schemas/schema-builders.js";
import { loginStatuses } from "../schemas/session.js";
import { sqlErrorCodes } from "../schemas/sql.js";
import {
  defineControlOperations,
  arraySchema,
  objectSchema,
  controlTimestampSchema,
} from "./define-control.js";

/** What a fault rule can do to a request. */
export const faultKinds = [
  "status",
  "latency",
  "drop",
  "truncate",
  "unprocessed",
  "partial",
  "error",
] as const;

/** The longest that a fault rule keeps a request waiting. */
export const maxDelayMs = 60_000;

/** An operation of the service, by its id. */
export const operationIdSchema: SchemaObject = { type: "string", enum: [...operationIds] };

const request = {
  match: { operationId: "putItem" },
  effect: { kind: "status", status: 429, retryAfterSeconds: 2 },
  when: { count: 3 },
};
const fault = { faultId: "fault_6m3x", ...request, fired: 0 };

const query = (name: string, schema: SchemaObject, description: string): ParameterObject => ({
  name,
  in: "query",
  required: false,
  description,
  schema,
});

/** Fault rules, and what was asked and answered. */
export const requestOperations = defineControlOperations({
  createFault: {
    summary: "Add a fault rule",
    description:
      "Rules are looked at in the order they were added, at three points of a request's way. When it arrives, before " +
      "its credential is looked at: `latency` (several add up), `status` and `drop`. When it has been found valid and " +
      "allowed: `unprocessed`, `partial` and `error`. When its work is done: `truncate`, and `status` and `drop` with " +
      "`applied`. At each point the first rule that fires decides. Requests that no operation matches are left alone.",
    routes: { method: "post", path: "/_emulator/faults" },
    requestBody: ref("CreateFaultRequest"),
    successes: [defineSuccess(201, "The rule is in force.", "Fault")],
    problems: ["too-many-faults"],
    example: { request, response: fault },
  },
  listFaults: {
    summary: "List the fault rules",
    routes: { method: "get", path: "/_emulator/faults" },
    successes: [defineSuccess(200, "The rules, oldest first.", "FaultList")],
    example: { response: { faults: [fault] } },
  },
  clearFaults: {
    summary: "Remove all fault rules",
    description: "Requests that a rule keeps waiting go on.",
    routes: { method: "delete", path: "/_emulator/faults" },
    successes: [defineSuccess(204, "There are no rules.")],
    example: {},
  },
  getFault: {
    summary: "Read a fault rule, and how often it has fired",
    routes: { method: "get", path: "/_emulator/faults/{faultId}" },
    successes: [defineSuccess(200, "The rule.", "Fault")],
    problems: ["fault-not-found"],
    example: { parameters: { faultId: fault.faultId }, response: fault },
  },
  deleteFault: {
    summary: "Remove a fault rule",
    routes: { method: "delete", path: "/_emulator/faults/{faultId}" },
    successes: [defineSuccess(204, "The rule is gone.")],
    problems: ["fault-not-found"],
    example: { parameters: { faultId: fault.faultId } },
  },
  getJournal: {
    summary: "Requests to the service and their answers",
    description:
      "The journal keeps the newest 250 requests, or as many as the emulator was started with, or fewer when they are large. `?format=har`, or " +
      "`Accept: application/har+json`, gives an HTTP Archive 1.2.",
    routes: { method: "get", path: "/_emulator/journal" },
    parameters: () => [
      query("operationId", operationIdSchema, "Entries of this operation alone."),
      query(
        "status",
        { type: "integer", minimum: 0, maximum: 599 },
        "Entries answered with this status alone.",
      ),
      query("since", { type: "integer", minimum: 0 }, "Entries with a greater `sequence` alone."),
      query("limit", { type: "integer", minimum: 1 }, "The newest entries alone, this many at most."),
      query("format", { type: "string", enum: ["json", "har"] }, "The form; it wins over `Accept`."),
    ],
    successes: [
      defineSuccess(200, "The journal.", "Journal", {
        file: "application/har+json",
        fileSchema: { type: "object", description: "An HTTP Archive 1.2.", required: ["log"] },
      }),
    ],
    example: {
      response: {
        entries: [
          {
            sequence: 1,
            at: "2030-01-01T00:00:00.001Z",
            durationMs: 0.42,
            operationId: "getHealth",
            caller: null,
            faults: [],
            unknownMembers: [],
            request: {
              method: "GET",
              path: "/health",
              headers: { host: "127.0.0.1:4100" },
              body: null,
              bodyBytes: 0,
              bodyCut: false,
            },
            response: {
              status: 200,
              headers: { "content-type": "application/json" },
              body: '{"status":"Healthy"}',
              bodyBytes: 20,
              bodyCut: false,
            },
          },
        ],
        dropped: 0,
        recording: true,
      },
    },
  },
  clearJournal: {
    summary: "Empty the journal",
    routes: { method: "delete", path: "/_emulator/journal" },
    successes: [defineSuccess(204, "The journal is empty.")],
    example: {},
  },
  getCoverage: {
    summary: "Situations that requests have met",
    description:
      "Counts the requests to all namespaces since the start, deleted ones included, but not those of the console. A reset " +
      "keeps what was met. The ids are those of `data-service coverage`, which shows how to meet the rest.",
    routes: { method: "get", path: "/_emulator/coverage" },
    successes: [defineSuccess(200, "What was met, and what was not.", "Coverage")],
    example: {
      response: {
        counting: true,
        met: ["getItem@api-key", "getItem:success"],
        unmet: ["getItem:item-not-found"],
      },
    },
  },
});

const effects: Properties = {
  "status?": {
    type: "integer",
    minimum: 400,
    maximum: 599,
    description: "`status`: what is answered, 503 by default, in the service's form of an error.",
  },
  "retryAfterSeconds?": {
    type: "integer",
    minimum: 1,
    description: "`status`: the `Retry-After` header; 1 by default with status 429, otherwise none.",
  },
  "delayMs?": {
    type: "integer",
    minimum: 1,
    maximum: maxDelayMs,
    description: "`latency`: real milliseconds before the request is looked at, 1000 by default.",
  },
  "count?": {
    type: "integer",
    minimum: 0,
    description:
      "`unprocessed`: keys left over, the last ones. `partial`: entries that fail, the first ones. `error` of a " +
      "transaction: operations at fault, the first ones. All 1 by default. `truncate`: bytes of the body that " +
      "are sent, half of them by default.",
  },
  "applied?": {
    type: "boolean",
    description:
      "`status` and `drop`: true carries the request out before the caller is failed; false, the default, does not.",
  },
  "errorType?": {
    type: "string",
    enum: [...transactionErrorTypes],
    description: "`error` of transactWriteItems; InternalServerError by default.",
  },
  "code?": {
    type: "string",
    enum: [...sqlErrorCodes],
    description: "`error` of the SQL operations; SQL_EXECUTION_ERROR by default.",
  },
  "loginStatus?": {
    type: "string",
    enum: loginStatuses.filter((status) => status !== "Success"),
    description: "`error` of login; Error by default.",
  },
};

const situationIds: SchemaObject = { type: "array", items: { type: "string" } };
const headers: SchemaObject = {
  type: "object",
  additionalProperties: { type: "string" },
  description: "By lower-case name; credentials are redacted.",
};
const message: Properties = {
  headers,
  body: nullable({ type: "string", description: "The text of the body, redacted; null without one." }),
  bodyBytes: { type: "integer", minimum: 0, description: "Length of the whole body." },
  bodyCut: { type: "boolean", description: "Whether `body` is only the beginning." },
};

/** What they take and give. */
export const requestSchemas: SchemaGroup = () => ({
  FaultMatch: objectSchema(
    {
      "operationId?": operationIdSchema,
      "path?": {
        type: "string",
        pattern: "^/",
        maxLength: 2048,
        description:
          "Path below the namespace, without the query. `*` is any text within a segment, a segment `**` any number " +
          "of segments.",
      },
      "organizationId?": {
        type: "string",
        minLength: 1,
        description: "The organization that the caller's credential is for, or that the path names.",
      },
      "caller?": { type: "string", minLength: 1, description: "A user id or an API key id." },
    },
    { description: "The requests to the service that a rule is for: all of them without members." },
  ),
  FaultEffect: objectSchema(
    { kind: { type: "string", enum: [...faultKinds] }, ...effects },
    {
      description: "What happens to the request. Members that the kind does not know are refused.",
    },
  ),
  FaultWhen: objectSchema(
    {
      "nth?": {
        type: "integer",
        minimum: 1,
        description: "The matching request at which the rule begins; 1 by default.",
      },
      "count?": {
        type: "integer",
        minimum: 1,
        description: "How often it fires at most: without end by default, once where `nth` is given.",
      },
      "probability?": {
        type: "number",
        minimum: 0,
        maximum: 1,
        description: "How likely it fires; 1 by default. The draws follow from the seed.",
      },
    },
    { description: "Which of the matching requests it fires for: all of them without members." },
  ),
  CreateFaultRequest: objectSchema({
    "match?": ref("FaultMatch"),
    effect: ref("FaultEffect"),
    "when?": ref("FaultWhen"),
  }),
  Fault: objectSchema({
    faultId: identifierSchema("The fault rule."),
    match: ref("FaultMatch"),
    effect: ref("FaultEffect"),
    when: ref("FaultWhen"),
    fired: { type: "integer", minimum: 0, description: "How often the rule has fired." },
  }),
  FaultList: objectSchema({
    faults: arraySchema("Fault", "Oldest first, which is their precedence."),
  }),
  Journal: objectSchema({
    entries: arraySchema("JournalEntry", "Oldest first."),
    dropped: { type: "integer", minimum: 0, description: "Entries that made room for newer ones." },
    recording: { type: "boolean", description: "False when the emulator was started without a journal." },
  }),
  Coverage: objectSchema({
    counting: { type: "boolean", description: "False when the emulator was started without coverage." },
    met: { ...situationIds, description: "The situations that requests have met, by their ids." },
    unmet: { ...situationIds, description: "The others." },
  }),
  JournalEntry: objectSchema({
    sequence: { type: "integer", minimum: 1, description: "Grows by one with every answer." },
    at: { ...controlTimestampSchema, description: "The request's time by the emulator's clock." },
    durationMs: {
      type: "number",
      minimum: 0,
      description:
        "Real milliseconds from the request's arrival to its answer: the one thing here that the seed does not decide.",
    },
    operationId: nullable({ type: "string", description: "Null where no operation matched." }),
    caller: {
      anyOf: [ref("JournalCaller"), { type: "null" }],
      description:
        "Null without a credential, with one that was refused, or where a fault rule answered before it was looked at.",
    },
    faults: {
      type: "array",
      items: { type: "string" },
      description: "The fault rules that fired, by their ids.",
    },
    unknownMembers: {
      type: "array",
      items: { type: "string" },
      description:
        "What the request held and the contract does not know, where the profile has it ignored: JSON pointers into the " +
        "body, and `?name` for query parameters.",
    },
    request: objectSchema({
      method: { type: "string" },
      path: { type: "string", description: "With the query, below the namespace." },
      ...message,
    }),
    response: objectSchema({
      status: { type: "integer", description: "0 where the connection was dropped without an answer." },
      ...message,
    }),
  }),
  JournalCaller: objectSchema({
    kind: { type: "string", enum: ["user", "apiKey"] },
    id: { type: "string", description: "The user id or API key id." },
    organizationId: { type: "string", description: "The organization that the credential is for." },
  }),
});
