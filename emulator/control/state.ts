import { buildControlPlaneDocument } from "../../openapi/control-plane/document.js";
import { listSeededApiKeys, readSeededCredentialIds } from "../store/seeded-credentials.js";
import { parseProfile } from "../../openapi/document/parse-profile.js";
import { appendPointer } from "../../openapi/validation/json-pointer.js";
import { truncateMistakes } from "../../openapi/validation/truncate-mistakes.js";
import type { Violation } from "../../openapi/validation/violation.js";
import { createValidationProblem, createInvalidBodyProblem } from "../domain/problem.js";
import type { Clock } from "../time/clock.js";
import { addDuration, durationRuleText } from "../time/duration.js";
import { parseTimestamp } from "../time/parse-timestamp.js";
import { maxClockTime, formatTimestamp } from "../time/timestamp.js";
import { writeHealth } from "../store/health.js";
import { version } from "../domain/version.js";
import { getBodyField } from "../handlers/body-field.js";
import { parseJson } from "../json/parse-json.js";
import { describeApiKey } from "./organizations.js";
import type { ControlHandlers } from "./control-types.js";

/** The namespace itself: its clock, profile and health. */
export const stateHandlers = {
  getEmulator: (_request, namespace) => {
    const { store, profile, clock } = namespace.world;
    const apiKeys = store.credentials.allApiKeys();
    const seeded = readSeededCredentialIds(store);
    return {
      version,
      namespace: namespace.name,
      fixture: namespace.fixture,
      seed: namespace.seed,
      profile: { ...profile },
      clock: describeClock(clock),
      counts: {
        users: store.users.all().length,
        organizations: store.organizations.all().length,
        apiKeys: apiKeys.length,
        ...store.databases.totals(),
        ...store.repositories.totals(),
        ...store.sql.countTotals(),
      },
      credentials: {
        users: seeded.users
          .map((userId) => store.users.byId(userId))
          .filter((user) => user !== undefined)
          .map(({ userId, email }) => ({
            userId,
            email,
            password: store.passwords.of(userId) ?? "",
            memberships: store.organizations
              .membershipsOf(userId)
              .map(({ organizationId, role }) => ({ organizationId, role })),
          })),
        apiKeys: listSeededApiKeys(store, clock.now()).map(describeApiKey),
      },
    };
  },
  resetEmulator: ({ body, json }, namespace, namespaces) => {
    const { fixture } = body;
    if (typeof fixture === "object") {
      // An in-process call has no JSON text, but its numbers are exact.
      const seed = getBodyField(json, "fixture") ?? parseJson(JSON.stringify(fixture), { maxDepth: 1000 });
      namespace.reset(namespaces.buildFixture(seed));
    } else namespace.reset(fixture);
  },
  getClock: (_request, { world: { clock } }) => describeClock(clock),
  /** Sets the mode first, then the time, then moves the clock forward. */
  changeClock: ({ body }, { world: { clock } }) => {
    const { mode, now, advance } = body;
    const set = now === undefined ? undefined : parseTimestamp(now);
    if (now !== undefined && set === undefined)
      throw createInvalidBodyProblem(
        "/now",
        "must be an ISO 8601 time with a time zone, such as 2030-01-01T12:00:00Z",
      );
    const from = set ?? clock.nowIn(mode ?? clock.mode);
    const to = advance === undefined ? from : addDuration(from, advance);
    if (to === undefined) throw createInvalidBodyProblem("/advance", durationRuleText);
    // `to` is NaN for a duration that is too long.
    if (!(to >= 0 && to <= maxClockTime))
      throw createInvalidBodyProblem("", "the year must be between 1970 and 9998");
    // Changes nothing until the whole request is known to be valid.
    if (mode !== undefined) clock.setMode(mode);
    if (set !== undefined || advance !== undefined) clock.set(to);
    return describeClock(clock);
  },
  getProfile: (_request, { world }) => ({ ...world.profile }),
  setProfile: ({ body }, namespace) => {
    const completed = parseProfile(body);
    if ("mistakes" in completed) {
      const mistakes = completed.mistakes.map(({ gap, detail }) =>
        toBodyViolation(gap === "" ? "" : appendPointer("", gap), detail),
      );
      throw createValidationProblem(...truncateMistakes(mistakes, (detail) => toBodyViolation("", detail)));
    }
    namespace.setProfile(completed.profile);
    return { ...completed.profile };
  },
  setHealth: ({ body }, { world }) => writeHealth(world.store, body),
  /** Lists the server to which the request was sent. */
  getControlPlaneDocument: ({ baseUrl }) => {
    const { openapi, info, paths, ...rest } = buildControlPlaneDocument();
    const servers =
      baseUrl === undefined ? {} : { servers: [{ url: baseUrl, description: "This emulator." }] };
    return { openapi, info: { ...info }, ...rest, ...servers, paths: { ...paths } };
  },
} satisfies Partial<ControlHandlers>;

function describeClock(clock: Clock) {
  return { mode: clock.mode, now: formatTimestamp(clock.now()) };
}

function toBodyViolation(pointer: string, detail: string): Violation {
  return { in: "body", pointer, detail };
}
