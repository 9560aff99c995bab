import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  repositoriesPath,
  type RepositoryResponse,
  createRepositoryTestSetup,
  type RepositoryTestSetup,
} from "../testing/repository-client.js";

/** An entity in the model. Its data has the fields `k` and `v`, one of them, or neither. */
interface Known {
  readonly id: string;
  readonly data: { readonly k?: number; readonly v?: unknown };
  readonly version: number;
}

type Step =
  | { readonly kind: "create"; readonly data: Known["data"] }
  | { readonly kind: "update"; readonly which: number; readonly data: Known["data"] }
  | { readonly kind: "delete"; readonly which: number }
  | { readonly kind: "list"; readonly limit: number }
  | { readonly kind: "query"; readonly limit: number; readonly value: number; readonly descending: boolean };

const data = fc.record(
  { k: fc.nat(2), v: fc.constantFrom<unknown>(null, false, true, -1, 2, 10, "", "a", "b", [1], {}) },
  { requiredKeys: [] },
);
const which = fc.nat(30);
const limit = fc.integer({ min: 1, max: 4 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("create" as const), data }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("update" as const), which, data }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("list" as const), limit }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("query" as const),
      limit,
      value: fc.nat(2),
      descending: fc.boolean(),
    }),
  },
);

let scene: RepositoryTestSetup;
beforeAll(async () => {
  scene = await createRepositoryTestSetup();
});
afterAll(() => scene.emulator.close());

/** Returns a text that sorts like the value. Independent of the emulator's own comparison. */
function toSortableText(value: unknown): string {
  if (value === undefined) return "0";
  if (value === null) return "1";
  if (typeof value === "boolean") return value ? "3" : "2";
  if (typeof value === "number") return `4${String(value + 100).padStart(4, "0")}`;
  if (typeof value === "string") return `5${value}`;
  return Array.isArray(value) ? "6" : "7";
}

function expected(known: readonly Known[], { value, descending }: Extract<Step, { kind: "query" }>) {
  const matching = known.filter(({ data: { k } }) => k === value);
  // a stable sort keeps the order of creation for equal values
  matching.sort((a, b) =>
    toSortableText(a.data.v) < toSortableText(b.data.v)
      ? -1
      : toSortableText(a.data.v) > toSortableText(b.data.v)
        ? 1
        : 0,
  );
  return descending ? matching.reverse() : matching;
}

async function run(steps: readonly Step[]): Promise<void> {
  const { owner } = scene;
  const created = await owner.post(repositoriesPath, { name: `model ${rounds}`, entityName: "E" });
  rounds += 1;
  const repositoryId = created.body.repositoryId;
  const path = `/api/v1/repositories/${repositoryId}`;
  let known: readonly Known[] = [];
  for (const action of steps) {
    const chosen = "which" in action ? known[action.which % Math.max(1, known.length)] : undefined;
    if (action.kind === "create") {
      const { status, body } = await owner.post(path, { data: action.data });
      expect([status, body.version]).toEqual([201, 1]);
      known = [...known, { id: body.id, data: action.data, version: 1 }];
    } else if (action.kind === "update") {
      const { status, body } = await owner.put(`${path}/${chosen?.id ?? "none"}`, { data: action.data });
      expect(status).toBe(chosen === undefined ? 404 : 200);
      if (chosen === undefined) continue;
      const changed = { id: chosen.id, data: action.data, version: chosen.version + 1 };
      expect(body).toMatchObject(changed);
      known = known.map((one) => (one === chosen ? changed : one));
    } else if (action.kind === "delete") {
      const { status } = await owner.delete(`${path}/${chosen?.id ?? "none"}`);
      expect(status).toBe(204);
      known = known.filter((one) => one !== chosen);
    } else {
      const wanted = action.kind === "list" ? known : expected(known, action);
      const found: unknown[] = [];
      for (let cursor: string | null = null; ;) {
        const { body }: RepositoryResponse =
          action.kind === "list"
            ? await owner.get(`${path}?limit=${action.limit}${cursor === null ? "" : `&cursor=${cursor}`}`)
            : await owner.post(`${path}/query`, {
                filter: "k = :k",
                filterValues: { ":k": action.value },
                sortBy: "v",
                sortOrder: action.descending ? "desc" : "asc",
                limit: action.limit,
                cursor,
              });
        expect(body.totalCount).toBe(wanted.length);
        expect(body.entities.length).toBe(Math.min(action.limit, wanted.length - found.length));
        found.push(...body.entities.map(({ id, data, version }) => ({ id, data, version })));
        cursor = body.nextCursor;
        if (cursor === null) break;
      }
      expect(found).toEqual(wanted);
    }
  }
  expect((await owner.get(`${repositoriesPath}/${repositoryId}`)).body.itemCount).toBe(known.length);
}

let rounds = 0;

it("[REPO-08] [REPO-33] [REPO-35] [REPO-36] [REPO-38] matches the model after any sequence of operations", async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40, size: "max" }), run), {
    numRuns: Number(process.env.PROPERTY_RUNS ?? 25),
  });
});
