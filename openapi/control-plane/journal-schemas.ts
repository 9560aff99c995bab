import type { SchemaObject } from "openapi3-ts/oas31";
import { ref } from "../schemas/ref.js";
import {
  responseObject,
  nullable,
  type Properties,
  type SchemaGroup,
  timestamp,
} from "../schemas/schema-builders.js";

const situationIds: SchemaObject = { type: "array", items: { type: "string" } };

/** Requests and answers as they were (`/_emulator/journal`). */
export const journalSchemas: SchemaGroup = (strictness) => {
  const headers: SchemaObject = {
    type: "object",
    additionalProperties: { type: "string" },
    description: "By lower-case name; credentials are redacted.",
  };
  const message = {
    headers,
    body: nullable({ type: "string", description: "The text of the body, redacted; null without one." }),
    bodyBytes: { type: "integer", minimum: 0, description: "Length of the whole body." },
    bodyCut: { type: "boolean", description: "Whether `body` is only the beginning." },
  } satisfies Properties;
  return {
    Journal: responseObject(strictness, {
      entries: { type: "array", items: ref("JournalEntry"), description: "Oldest first." },
      dropped: { type: "integer", minimum: 0, description: "Entries that made room for newer ones." },
      recording: { type: "boolean", description: "False when the emulator was started without a journal." },
    }),
    Coverage: responseObject(strictness, {
      counting: { type: "boolean", description: "False when the emulator was started without coverage." },
      met: { ...situationIds, description: "The situations that requests have met, by their ids." },
      unmet: { ...situationIds, description: "The others." },
    }),
    JournalEntry: responseObject(strictness, {
      sequence: { type: "integer", minimum: 1, description: "Grows by one with every answer." },
      at: { ...timestamp(strictness), description: "The request's time by the emulator's clock." },
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
      request: responseObject(strictness, {
        method: { type: "string" },
        path: { type: "string", description: "With the query, below the namespace." },
        ...message,
      }),
      response: responseObject(strictness, {
        status: { type: "integer", description: "0 where the connection was dropped without an answer." },
        ...message,
      }),
    }),
    JournalCaller: responseObject(strictness, {
      kind: { type: "string", enum: ["user", "apiKey"] },
      id: { type: "string", description: "The user id or API key id." },
      organizationId: { type: "string", description: "The organization that the credential is for." },
    }),
  };
};
