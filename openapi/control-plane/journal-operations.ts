import type { ParameterObject, SchemaObject } from "openapi3-ts/oas31";
import { success } from "../operations/operation.js";
import { defineControlOperations } from "./define-control-operations.js";
import { operationIdSchema } from "./fault-schemas.js";

const query = (name: string, schema: SchemaObject, description: string): ParameterObject => ({
  name,
  in: "query",
  required: false,
  description,
  schema,
});

/** What was asked and answered, and the documents that say what can be. */
export const journalOperations = defineControlOperations({
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
      success(200, "The journal.", "Journal", {
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
    successes: [success(204, "The journal is empty.")],
    example: {},
  },
  getCoverage: {
    summary: "Situations that requests have met",
    description:
      "Counts the requests to all namespaces since the start, deleted ones included, but not those of the console. A reset " +
      "keeps what was met. The ids are those of `data-service coverage`, which shows how to meet the rest.",
    routes: { method: "get", path: "/_emulator/coverage" },
    successes: [success(200, "What was met, and what was not.", "Coverage")],
    example: {
      response: {
        counting: true,
        met: ["getItem@api-key", "getItem:success"],
        unmet: ["getItem:item-not-found"],
      },
    },
  },
  getControlPlaneDocument: {
    summary: "This document",
    description:
      "The OpenAPI document of the control plane. That of the service, for the profile in force, is at `/openapi.json`.",
    routes: { method: "get", path: "/_emulator/openapi.json" },
    successes: [
      {
        status: 200,
        description: "The OpenAPI document.",
        schema: { type: "object", additionalProperties: true, required: ["openapi", "info", "paths"] },
      },
    ],
    example: {},
  },
});
