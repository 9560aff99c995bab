import { describe, expect, it } from "vitest";
import { getSampleAnswers, type GapId, gapIds } from "../gaps/register.js";
import { parseProfile } from "./parse-profile.js";

describe("parseProfile", () => {
  it.each(gapIds)("accepts every answer of %s by itself", (id: GapId) => {
    for (const answer of getSampleAnswers(id))
      expect(parseProfile({ [id]: answer })).toHaveProperty("profile");
  });

  it.each([
    ["put-item-route", "POST /api/v1/databases/{databaseId}/items/query", "queryItems"],
    ["put-item-route", "POST /api/v1/databases/{databaseId}/items/{pk}[/{sk}]", "queryItems"],
    ["put-item-route", "PUT /api/v1/organizations/{databaseId}", "updateOrganization"],
    ["list-tables-route", "GET /api/v1/management/databases/{databaseId}", "getDatabase"],
    ["plans-route", "GET /health/live", "getLiveness"],
    ["plan-route", "GET /api/v1/organizations/{planId}", "getOrganization"],
  ])("refuses %s %s, which %s has", (gap, answer, operation) => {
    const read = parseProfile({ [gap]: answer });
    expect(read).toHaveProperty("mistakes.0.gap", gap);
    expect(JSON.stringify(read)).toContain(operation);
  });

  it.each(["/_emulator", "/_emulator/x", "/ns/x", "/openapi.json", "/favicon.ico", "/problems/not-found"])(
    "refuses a route where the emulator responds itself: %s",
    (path) =>
      expect(parseProfile({ "plans-route": `GET ${path}` })).toMatchObject({
        mistakes: [{ gap: "plans-route" }],
      }),
  );

  it("refuses two operations on one route", () => {
    expect(parseProfile({ "plans-route": "GET /v2/things", "plan-route": "GET /v2/{planId}" })).toMatchObject(
      {
        mistakes: [{ gap: "plan-route" }],
      },
    );
  });
});
