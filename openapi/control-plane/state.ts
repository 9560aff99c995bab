import { emulatorDefinedLimits } from "../clauses/limits.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import { buildProfileSchema } from "../gaps/profile-schema.js";
import { defineSuccess, get, patch, post, put } from "../operations/operation.js";
import { ref } from "../schemas/ref.js";
import { allRoles } from "../schemas/roles.js";
import * as schema from "../schemas/schema-builders.js";
import * as control from "./define-control.js";

/** The namespace itself: its clock, profile and health. */
export const stateOperations = control.defineOperations({
  getEmulator: get("/_emulator", "Get the version, fixture, profile, clock, counts and seeded credentials", {
    successes: [defineSuccess(200, "The state of the namespace.", "EmulatorState")],
  }),
  resetEmulator: post("/_emulator/reset", "Reset the namespace to its starting state", {
    description:
      "The starting state is the fixture, the file given by `--data`, or, for a fork, the state that was copied. If the " +
      "request contains `fixture`, this fixture becomes the starting state. It can have at most " +
      `${emulatorDefinedLimits.seedEntries.toLocaleString("en")} items, entities and rows; ` +
      "a row counts once more for each index, and everything else counts as ten. The profile and snapshots do not " +
      "change. Requests in progress continue to use the old state.",
    requestBody: ref("ResetRequest"),
    successes: [defineSuccess(204, "The namespace was reset.")],
    example: { request: { fixture: "demo" } },
  }),
  getClock: get("/_emulator/clock", "Get the clock", {
    successes: [defineSuccess(200, "The clock.", "Clock")],
  }),
  changeClock: patch("/_emulator/clock", "Advance or set the clock, or change its mode", {
    requestBody: ref("ClockChange"),
    successes: [defineSuccess(200, "The clock after the change.", "Clock")],
    example: { request: { advance: "PT10M" } },
  }),
  getProfile: get("/_emulator/profile", "Get the current profile", {
    successes: [defineSuccess(200, "One answer for every gap.", "Profile")],
  }),
  setProfile: put("/_emulator/profile", "Replace the profile", {
    description: "Omitted gaps get their default answers.",
    requestBody: ref("Profile"),
    successes: [defineSuccess(200, "The whole profile.", "Profile")],
    example: {
      request: { "validation-status": 422 },
    },
  }),
  setHealth: put("/_emulator/health", "Set what the health endpoints report", {
    requestBody: ref("HealthChange"),
    successes: [defineSuccess(200, "What the health endpoints now report.", "Health")],
    example: {
      request: { health: "Unhealthy", details: "disk full" },
    },
  }),
  getControlPlaneDocument: get("/_emulator/openapi.json", "Get this document", {
    description:
      "Returns the control plane's OpenAPI document. The service's document, for the current profile, is at " +
      "`/openapi.json`.",
    successes: [
      {
        status: 200,
        description: "The OpenAPI document.",
        schema: {
          type: "object",
          properties: {
            openapi: { type: "string" },
            info: { type: "object", additionalProperties: true },
            paths: { type: "object", additionalProperties: true },
          },
          additionalProperties: true,
          required: ["openapi", "info", "paths"],
        },
      },
    ],
  }),
});

/** Statuses that the health endpoints report. */
export const healthFields: Readonly<Record<string, SchemaObject>> = {
  health: { type: "string", enum: ["Healthy", "Unhealthy"] },
  ready: { type: "string", enum: ["Ready", "NotReady"] },
  live: { type: "string", enum: ["Alive", "Dead"] },
  details: {
    type: "string",
    description: "Details that a health endpoint returns while it reports a problem.",
  },
};

/** The schemas of requests and responses. */
export const stateSchemas: schema.SchemaGroup = () => ({
  EmulatorState: control.object({
    version: { type: "string" },
    namespace: {
      type: "string",
      description: "Name of the namespace; `default` for the namespace at the base URL.",
    },
    fixture: { type: "string", description: "The fixture that the state started with." },
    seed: { type: "integer" },
    profile: ref("Profile"),
    clock: ref("Clock"),
    counts: control.object({
      users: { type: "integer" },
      organizations: { type: "integer" },
      apiKeys: { type: "integer" },
      databases: { type: "integer" },
      items: { type: "integer", description: "Number of raw items, not including entities and rows." },
      repositories: { type: "integer" },
      entities: { type: "integer" },
      sqlTables: { type: "integer" },
      sqlRows: { type: "integer" },
    }),
    credentials: ref("Credentials"),
  }),
  Credentials: control.object(
    {
      users: {
        type: "array",
        items: control.object({
          userId: { type: "string" },
          email: { type: "string" },
          password: { type: "string" },
          memberships: {
            type: "array",
            items: control.object({
              organizationId: { type: "string" },
              role: { type: "string", enum: [...allRoles] },
            }),
          },
        }),
      },
      apiKeys: control.array("ApiKey"),
    },
    { description: "The users and keys of the fixture. None of the secrets are real." },
  ),
  ResetRequest: control.object({
    "fixture?": {
      anyOf: [{ type: "string" }, { type: "object" }],
      description:
        "`demo`, `empty`, the name of the fixture that the emulator was started with, or the data itself, in the form of a " +
        "seed file.",
    },
  }),
  Clock: control.object({
    mode: { type: "string", enum: ["manual", "system"] },
    now: control.timestamp,
  }),
  ClockChange: control.object(
    {
      "mode?": { type: "string", enum: ["manual", "system"] },
      "now?": { type: "string", description: "The new time, in ISO 8601 with a time zone." },
      "advance?": {
        type: "string",
        description: "Duration to advance the clock by, such as `90s`, `10m`, `7d`, or `P1M` (ISO 8601).",
      },
    },
    { minProperties: 1 },
  ),
  Profile: {
    type: "object",
    properties: buildProfileSchema().properties ?? {},
    additionalProperties: false,
    description: "An object that maps gap ids to answers.",
  },
  Health: control.object(healthFields),
  HealthChange: control.object(schema.makeOptional(healthFields), { minProperties: 1 }),
});
