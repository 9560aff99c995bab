import type { SchemaObject } from "openapi3-ts/oas31";
import { ref } from "../schemas/ref.js";
import { transactionErrorTypes } from "../schemas/batches.js";
import { identifier, type Properties, requestObject, type SchemaGroup } from "../schemas/schema-builders.js";
import { loginStatuses } from "../schemas/session.js";
import { sqlErrorCodes } from "../schemas/sql.js";
import { operationIds } from "../operations/register.js";
import { optionalMembers } from "./optional-members.js";

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

/** Rules that make the service fail (`/_emulator/faults`). */
export const faultSchemas: SchemaGroup = (strictness) => {
  const rule = { match: ref("FaultMatch"), effect: ref("FaultEffect"), when: ref("FaultWhen") };
  const effects = {
    status: {
      type: "integer",
      minimum: 400,
      maximum: 599,
      description: "`status`: what is answered, 503 by default, in the service's form of an error.",
    },
    retryAfterSeconds: {
      type: "integer",
      minimum: 1,
      description: "`status`: the `Retry-After` header; 1 by default with status 429, otherwise none.",
    },
    delayMs: {
      type: "integer",
      minimum: 1,
      maximum: maxDelayMs,
      description: "`latency`: real milliseconds before the request is looked at, 1000 by default.",
    },
    count: {
      type: "integer",
      minimum: 0,
      description:
        "`unprocessed`: keys left over, the last ones. `partial`: entries that fail, the first ones. `error` of a " +
        "transaction: operations at fault, the first ones. All 1 by default. `truncate`: bytes of the body that " +
        "are sent, half of them by default.",
    },
    applied: {
      type: "boolean",
      description:
        "`status` and `drop`: true carries the request out before the caller is failed; false, the default, does not.",
    },
    errorType: {
      type: "string",
      enum: [...transactionErrorTypes],
      description: "`error` of transactWriteItems; InternalServerError by default.",
    },
    code: {
      type: "string",
      enum: [...sqlErrorCodes],
      description: "`error` of the SQL operations; SQL_EXECUTION_ERROR by default.",
    },
    loginStatus: {
      type: "string",
      enum: loginStatuses.filter((status) => status !== "Success"),
      description: "`error` of login; Error by default.",
    },
  } satisfies Properties;
  return {
    FaultMatch: optionalMembers(
      strictness,
      {
        operationId: operationIdSchema,
        path: {
          type: "string",
          pattern: "^/",
          maxLength: 2048,
          description:
            "Path below the namespace, without the query. `*` is any text within a segment, a segment `**` any number " +
            "of segments.",
        },
        organizationId: {
          type: "string",
          minLength: 1,
          description: "The organization that the caller's credential is for, or that the path names.",
        },
        caller: { type: "string", minLength: 1, description: "A user id or an API key id." },
      },
      { description: "The requests to the service that a rule is for: all of them without members." },
    ),
    FaultEffect: requestObject(
      strictness,
      { kind: { type: "string", enum: [...faultKinds] }, ...effects },
      {
        optional: Object.keys(effects),
        description: "What happens to the request. Members that the kind does not know are refused.",
      },
    ),
    FaultWhen: optionalMembers(
      strictness,
      {
        nth: {
          type: "integer",
          minimum: 1,
          description: "The matching request at which the rule begins; 1 by default.",
        },
        count: {
          type: "integer",
          minimum: 1,
          description: "How often it fires at most: without end by default, once where `nth` is given.",
        },
        probability: {
          type: "number",
          minimum: 0,
          maximum: 1,
          description: "How likely it fires; 1 by default. The draws follow from the seed.",
        },
      },
      { description: "Which of the matching requests it fires for: all of them without members." },
    ),
    CreateFaultRequest: requestObject(strictness, rule, { optional: ["match", "when"] }),
    Fault: requestObject(strictness, {
      faultId: identifier("The fault rule."),
      ...rule,
      fired: { type: "integer", minimum: 0, description: "How often the rule has fired." },
    }),
    FaultList: requestObject(strictness, {
      faults: { type: "array", items: ref("Fault"), description: "Oldest first, which is their precedence." },
    }),
  };
};
