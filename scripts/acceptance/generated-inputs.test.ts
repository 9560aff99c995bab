import { isObject } from "../../openapi/text/is-object.js";
import { expect, it } from "vitest";
import type { OperationObject, ReferenceObject, SchemaObject } from "openapi3-ts/oas31";
import type { Check } from "../../conformance/check/check.js";
import { combinedChecks } from "../../conformance/subjects/combined-checks.js";
import { generateRunId } from "../../conformance/run/run-id.js";
import { Run } from "../../conformance/run/runner.js";
import { selectChecks } from "../../conformance/run/select-checks.js";
import { createEmulatorTarget } from "../../conformance/target/emulator-target.js";
import { Ledger } from "../../conformance/target/ledger.js";
import { createEmulator } from "../../emulator/api/emulator.js";
import { buildDocument } from "../../openapi/document/document.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";

type Fields = Readonly<Record<string, unknown>>;
const document = buildDocument(defaultProfile);

/** Pairs that no check sends, because the specification shows no condition in a batch. */
const untried = ["sk + filterValues", "data + filterValues", "conditionExpression + filterValues"];

it("a run sends every pair of optional fields of queries and writes together in an accepted request", async () => {
  const chosen = ["items", "batches", "transactions", "SQL-17", "SQL-25", "REPO-33", "REPO-37", "REPO-38"];
  const sent = await recordAcceptedRequests(selectChecks(chosen), 10);
  const never = findMissingPairs(sent).filter((name) => /^\w*(?:Items|runSqlQuery|Entities)\b/.test(name));
  expect(never.sort()).toEqual(untried.map((pair) => `batchWriteItems items: ${pair}`).sort());
  const values = sent.flatMap(({ body }) => valuesIn(body));
  const largest = (kind: (value: unknown) => number) => Math.max(...values.map(kind));
  expect(largest((value) => (Array.isArray(value) ? value.length : 0))).toBeGreaterThan(200);
  expect(largest((value) => (isObject(value) ? Object.keys(value).length : 0))).toBeGreaterThan(200);
  expect(largest((value) => (typeof value === "string" ? value.length : 0))).toBeGreaterThan(1000);
  expect(largest((value) => (isFraction(value) ? String(value).length : 0))).toBeGreaterThan(16);
  expect(Math.max(...sent.map(({ body }) => depthOf(body)))).toBeGreaterThan(20);
}, 600_000);

it("a comparison sends every pair of optional fields of every operation", async () => {
  const some = selectChecks(["items", "databases", "repositories", "organizations"]);
  expect(findMissingPairs(await recordAcceptedRequests([...combinedChecks, ...some], 1))).toEqual([]);
}, 600_000);

interface Sent {
  readonly operationId: string | undefined;
  readonly query: Fields;
  /** Undefined if the body was too long to be kept. */
  readonly body: unknown;
}

/** Runs checks on an emulator; returns the requests that the emulator accepted. */
async function recordAcceptedRequests(checks: readonly Check[], runs: number): Promise<readonly Sent[]> {
  const emulator = await createEmulator();
  try {
    const id = generateRunId();
    const target = await createEmulatorTarget({ url: "http://localhost", fetch: emulator.fetch, run: id });
    const ledger = Ledger.create(id, target.baseUrl);
    const run = new Run({ target, ledger, seed: 1, runs, keepExchanges: 1_000_000 });
    await run.prepare();
    for (const check of checks) expect(await run.check(check), check.id).toMatchObject({ level: "passed" });
    return run.recorder.kept.exchanges
      .filter(({ answer }) => answer !== undefined && answer.status < 300)
      .map(({ operationId, request }) => ({
        operationId,
        query: Object.fromEntries(new URL(request.url).searchParams),
        body: parse(request.body),
      }));
  } finally {
    await emulator.close();
  }
}

/** Lists the pairs of optional fields that no request contains, with the object to which they belong. */
function findMissingPairs(sent: readonly Sent[]): readonly string[] {
  return listOptionalFields().flatMap(({ operationId, name, optional, read }) => {
    const objects = sent
      .filter((one) => one.operationId === operationId)
      .flatMap(read)
      .filter(isObject);
    // a field that is null counts as omitted
    const has = (object: Fields, field: string) => (object[field] ?? null) !== null;
    return optional.flatMap((first, at) =>
      optional
        .slice(at + 1)
        .filter((second) => !objects.some((object) => has(object, first) && has(object, second)))
        .map((second) => `${name}: ${first} + ${second}`),
    );
  });
}

function listOptionalFields() {
  const operations = Object.values(document.paths ?? {}).flatMap(
    (item) => Object.values(item) as OperationObject[],
  );
  return operations.flatMap(({ operationId = "", parameters = [], requestBody }) => {
    const query = parameters.flatMap((one) =>
      "in" in one && one.in === "query" && !one.required ? [one.name] : [],
    );
    const content = requestBody !== undefined && "content" in requestBody ? requestBody.content : {};
    const { properties = {}, ...body } = resolved(content["application/json"]?.schema);
    return [
      { operationId, name: operationId, optional: query, read: (one: Sent): unknown => one.query },
      {
        operationId,
        name: operationId,
        optional: optionalOf({ ...body, properties }),
        read: (one: Sent): unknown => one.body,
      },
      ...Object.entries(properties).map(([field, schema]) => ({
        operationId,
        name: `${operationId} ${field}`,
        optional: optionalOf(resolved(resolved(schema).items)),
        read: ({ body: whole }: Sent): unknown => (isObject(whole) ? whole[field] : undefined),
      })),
    ];
  });
}

function resolved(schema: SchemaObject | ReferenceObject = {}): SchemaObject {
  if (!("$ref" in schema)) return schema;
  return (document.components?.schemas?.[schema.$ref.split("/").at(-1) ?? ""] ?? {}) as SchemaObject;
}

function optionalOf({ properties = {}, required = [] }: SchemaObject): readonly string[] {
  return Object.keys(properties).filter((name) => !required.includes(name));
}

function parse(text = ""): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isFraction(value: unknown): boolean {
  return typeof value === "number" && !Number.isInteger(value);
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function valuesIn(value: unknown): readonly unknown[] {
  const inside = typeof value === "object" && value !== null ? Object.values(value) : [];
  return [value, ...inside.flatMap(valuesIn)];
}
