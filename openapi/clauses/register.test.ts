import { describe, expect, it } from "vitest";
import type { OperationDefinition } from "../operations/operation.js";
import { serviceApi } from "../operations/register.js";
import type { Clause } from "./clause.js";
import { batchClauses, transactionClauses } from "./batches.js";
import { billingClauses } from "./billing.js";
import { databaseClauses } from "./databases.js";
import { generalClauses } from "./general.js";
import { healthClauses } from "./health.js";
import { itemClauses } from "./items.js";
import { organizationClauses } from "./organizations.js";
import { type ClauseId, clauseIds, clauses } from "./register.js";
import { repositoryClauses } from "./repositories.js";
import { sessionClauses } from "./session.js";
import { sqlClauses } from "./sql.js";

const areas: readonly object[] = [
  ...[generalClauses, sessionClauses, databaseClauses, itemClauses, sqlClauses, batchClauses],
  ...[transactionClauses, repositoryClauses, organizationClauses, billingClauses, healthClauses],
];

/** Clauses that apply to no single operation, each with the reason. */
const boundNowhere: Readonly<Partial<Record<ClauseId, string>>> = {};

/** Ids that must not be used again, because the specification does not contain what their clauses said. */
const retired: Readonly<Record<string, string>> = {
  "BILL-10": "whether a checkout changes the plan by itself is the gap checkout-effect",
};

describe("the register of clauses", () => {
  it("contains nothing with a retired id", () => {
    expect(clauseIds.filter((id) => id in retired)).toEqual([]);
  });

  it("contains every clause of every area once", () => {
    expect(areas.flatMap((group) => Object.keys(group)).sort()).toEqual([...clauseIds].sort());
  });

  it("gives ids an area and two digits", () => {
    expect(clauseIds.filter((id) => !/^[A-Z]+-\d{2}$/.test(id))).toEqual([]);
  });

  it("gives every area its own prefixes", () => {
    const prefixes = areas.flatMap((group) => [...new Set(Object.keys(group).map(prefixOf))]);
    expect(prefixes).toEqual([...new Set(prefixes)]);
  });

  it.each([...new Set(clauseIds.map(prefixOf))])("numbers %s without holes, in order", (prefix) => {
    const gone = Object.keys(retired).filter((id) => prefixOf(id) === prefix);
    const ids = [...clauseIds.filter((id) => prefixOf(id) === prefix), ...gone].sort();
    expect(ids).toEqual(ids.map((_, index) => `${prefix}-${String(index + 1).padStart(2, "0")}`));
  });

  it("states each clause as a unique sentence, and where it comes from", () => {
    const all = Object.values<Clause>(clauses);
    expect(all.filter(({ statement }) => !/^\S.+\.$/s.test(statement))).toEqual([]);
    expect(all.filter(({ part }) => !/^\d(\.\d+)?( rule \d+)?$/.test(part))).toEqual([]);
    expect(new Set(all.map(({ statement }) => statement)).size).toBe(all.length);
  });

  it("assigns every clause to an operation, or gives a reason", () => {
    const bound = new Set(
      Object.values<OperationDefinition>(serviceApi.operations).flatMap((operation) => operation.clauses),
    );
    const unbound = clauseIds.filter((id) => !bound.has(id));
    expect(unbound.sort()).toEqual(Object.keys(boundNowhere).sort());
  });
});

function prefixOf(id: string): string {
  return id.replace(/-\d+$/, "");
}
