import { type Area, areaOf, type Check } from "../check/check.js";

/** Requests that a check of an area usually sends, with ten tries a property. Rough is good enough. */
const requestsOfArea: Readonly<Record<Area, number>> = {
  preconditions: 45,
  health: 5,
  session: 14,
  plans: 9,
  databases: 66,
  items: 56,
  batches: 73,
  transactions: 81,
  repositories: 70,
  entities: 69,
  sql: 65,
  organizations: 29,
  members: 34,
  billing: 22,
  access: 109,
  isolation: 38,
  limits: 23,
  concurrency: 92,
  sequences: 81,
  time: 8,
};

/** The checks that send many more; `report.json` of a run against an emulator has the figures. */
const requestsOfCheck: Readonly<Partial<Record<Check["id"], number>>> = {
  "databases/pages": 185,
  "items/compared-puts": 210,
  "items/sort-key-conditions": 320,
  "items/sequences": 315,
  "transactions/write": 190,
  "entities/schema": 510,
  "entities/array-elements": 200,
  "entities/object-members": 205,
  "entities/schema-on-update": 320,
  "entities/sequences": 195,
  "sql/parameters": 245,
  "sql/where-key": 190,
  "sql/order": 185,
  "sql/pages": 260,
  "sql/sequences": 210,
  "sql/type-integers": 395,
  "sql/type-bigint": 245,
  "sql/type-double": 230,
  "sql/type-decimal": 210,
  "sql/type-time": 265,
  "members/random-histories": 265,
  "concurrency/transfers": 235,
  "sequences/role-changed": 390,
};

/** What setting up and tidying up costs beside the requests of a check. */
const baseCost = 5;

/** The share of a run that a check has, in requests of a run with the usual number of tries. */
export function costOf(check: Pick<Check, "id">): number {
  return baseCost + (requestsOfCheck[check.id] ?? requestsOfArea[areaOf(check)]);
}

/** A check under way counts as done up to this share: how long it still takes nobody knows. */
const maxShareOfRunning = 0.9;

/** How much of a run is done, from 0 to 1, by what its checks usually cost. */
export function shareDone(
  checks: readonly Check[],
  finished: ReadonlySet<Check["id"]>,
  running: readonly { readonly check: Check; readonly requests: number }[],
): number {
  let done = 0;
  let total = 0;
  for (const check of checks) {
    const cost = costOf(check);
    total += cost;
    if (finished.has(check.id)) done += cost;
  }
  for (const { check, requests } of running)
    if (!finished.has(check.id)) done += Math.min(requests, costOf(check) * maxShareOfRunning);
  return total === 0 ? 1 : Math.min(1, done / total);
}
