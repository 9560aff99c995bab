import fc from "fast-check";

/** A request of a random sequence. */
export interface RandomRequest {
  readonly method: string;
  /** Path below the namespace. */
  readonly path: string;
  readonly body?: unknown;
  readonly as: "owner" | "key" | "nobody";
}

const items = "/api/v1/databases/db_demo/items";
const text = fc.constantFrom("a", "b", "c#1", "c#2", "ä/ö", "");
const data = fc.dictionary(fc.constantFrom("n", "tag", "deep"), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
});
const key = fc.record({ pk: text, sk: text }, { requiredKeys: ["pk"] });
const keys = fc.array(key, { maxLength: 4 });
const put = fc.record({ pk: text, sk: text, data }, { requiredKeys: ["pk", "data"] });
const at = ({ pk, sk }: { readonly pk: string; readonly sk?: string }) =>
  `${items}/${encodeURIComponent(pk)}${sk === undefined ? "" : `/${encodeURIComponent(sk)}`}`;

type Call = Omit<RandomRequest, "as">;

const ofService: readonly fc.Arbitrary<Call>[] = [
  put.map((body) => ({ method: "PUT", path: items, body })),
  key.map((of) => ({ method: "GET", path: at(of) })),
  key.map((of) => ({ method: "DELETE", path: at(of) })),
  fc
    .record({ limit: fc.integer({ min: 0, max: 5 }) })
    .map((body) => ({ method: "POST", path: `${items}/scan`, body })),
  text.map((partitionKey) => ({ method: "POST", path: `${items}/query`, body: { partitionKey } })),
  keys.map((wanted) => ({ method: "POST", path: `${items}/batch/get`, body: { keys: wanted } })),
  fc
    .array(
      put.map((entry) => ({ operation: "Put", ...entry })),
      { minLength: 1, maxLength: 3 },
    )
    .map((entries) => ({ method: "POST", path: `${items}/batch/write`, body: { items: entries } })),
  fc
    .array(
      put.map((entry) => ({ action: "Put", ...entry })),
      { minLength: 1, maxLength: 3 },
    )
    .map((entries) => ({
      method: "POST",
      path: `${items}/transact/write`,
      body: { items: entries, clientRequestToken: "t" },
    })),
  fc
    .constantFrom(
      "CREATE TABLE things (id INT PRIMARY KEY, name TEXT)",
      "INSERT INTO things (id, name) VALUES (1, 'one')",
      "UPDATE things SET name = 'uno' WHERE id = 1",
      "SELECT * FROM things",
      "DELETE",
    )
    .map((sql) => ({
      method: "POST",
      path: `/databases/db_demo/sql/${sql.startsWith("CREATE") ? "execute" : "query"}`,
      body: { sql },
    })),
  text.map((name) => ({
    method: "POST",
    path: "/api/v1/management/databases",
    body: { name, region: "eu-west-1" },
  })),
  fc.constant({ method: "POST", path: "/api/v1/organizations", body: { name: "New", slug: "new" } }),
  fc.constant({
    method: "POST",
    path: "/auth/password",
    body: { email: "member@demo.test", password: "demo-password" },
  }),
  fc.constantFrom("/api/v1/plans", "/nothing", "/health", "/api/v1/management/databases").map((path) => ({
    method: "GET",
    path,
  })),
];

const effect = fc.constantFrom(
  { kind: "status", status: 429 },
  { kind: "status", applied: true },
  { kind: "latency", delayMs: 1 },
  { kind: "drop" },
  { kind: "truncate" },
  { kind: "unprocessed" },
  { kind: "partial" },
  { kind: "error" },
);
const ofControlPlane: readonly fc.Arbitrary<Call>[] = [
  fc
    .record({ effect, when: fc.record({ probability: fc.constantFrom(0.1, 0.5), count: fc.constant(3) }) })
    .map((body) => ({ method: "POST", path: "/_emulator/faults", body })),
  fc.constant({ method: "DELETE", path: "/_emulator/faults" }),
  fc
    .constantFrom("PT1S", "PT30M")
    .map((advance) => ({ method: "PATCH", path: "/_emulator/clock", body: { advance } })),
  fc.constant({ method: "GET", path: "/_emulator" }),
];

/** Generates sequences of mostly valid requests, some of them to the control plane. */
export const requestsArbitrary: fc.Arbitrary<RandomRequest[]> = fc.array(
  fc
    .tuple(
      fc.oneof(
        { weight: 6, arbitrary: fc.oneof(...ofService) },
        { weight: 1, arbitrary: fc.oneof(...ofControlPlane) },
      ),
      fc.constantFrom("owner" as const, "owner" as const, "key" as const, "nobody" as const),
    )
    .map(([call, as]) => ({ ...call, as })),
  { minLength: 10, maxLength: 40 },
);
