import { expect, it } from "vitest";
import { checks } from "../checks/register.js";
import type { Fetch } from "../client/exchange.js";
import { gapIds, getSampleAnswers } from "../../openapi/gaps/register.js";
import { mutants, variants } from "./register.js";

/**
 * No mutants break these clauses: a mutant cannot see a key's scopes, and if no login or no credential works, no check
 * can run.
 */
const clausesWithoutMutants = ["AUTH-01", "AUTH-15", "AUTH-21", "AUTH-22", "AUTH-23"];

it("breaks every clause that a check exercises", () => {
  const broken = new Set(mutants.map(({ clause }) => clause));
  const exercised = new Set(checks.flatMap(({ clauses }) => clauses));
  expect([...exercised].filter((clause) => !broken.has(clause)).toSorted()).toEqual(clausesWithoutMutants);
});

it.each([
  ["mutants", mutants],
  ["variants", variants],
])("gives %s ids of their own", (_, all) => {
  const ids = all.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

it("gives every answer to every gap", () => {
  const given = gapIds.map((id) => new Set(variants.map(({ profile }) => JSON.stringify(profile?.[id]))));
  for (const [index, id] of gapIds.entries())
    for (const answer of getSampleAnswers(id)) expect(given[index], id).toContain(JSON.stringify(answer));
});

it("shortens pages of entities even if a request has no limit", async () => {
  const urls: string[] = [];
  const fetch: Fetch = (url) => {
    urls.push(url);
    return Promise.resolve(Response.json({ entities: [] }));
  };
  const wrapped = variants.find(({ id }) => id === "entities/pages-by-time")?.wrap?.(fetch);
  for (let page = 0; page < 3; page++)
    await wrapped?.("http://x/api/v1/repositories/r", { method: "GET", headers: {} });
  expect(urls.map((url) => new URL(url).searchParams.get("limit"))).toEqual(["20", "19", "18"]);
});
