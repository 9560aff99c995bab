import fc from "fast-check";

/** How many values of a name are kept. */
const maxValues = 24;

/** What a name has from the start; what stands there often is chosen often. */
const known: Readonly<Record<string, readonly string[]>> = {
  databaseId: Array<string>(12).fill("db_demo"),
  repositoryId: ["repo_demo_products", "repo_demo_events", "repo_demo_products", "repo_demo_events"],
  entityId: ["ent_demo_teapot", "ent_demo_cup", "ent_demo_lamp", "ent_demo_signup", "ent_demo_note"],
  organizationId: [
    ...Array<string>(5).fill("org_demo_pro"),
    "org_demo_free",
    "org_demo_enterprise",
    "org_personal_owner",
  ],
  userId: ["user_demo_member", "user_demo_readonly", "user_demo_mfa"],
  memberId: ["user_demo_member", "user_demo_readonly", "user_demo_admin", "user_demo_owner", "m1@demo.test"],
  email: ["owner", "admin", "member", "readonly", "mfa", "m1"].map((name) => `${name}@demo.test`),
  password: ["demo-password", "demo-password", "wrong"],
  accessToken: [],
  proToken: [],
  refreshToken: [],
  apiKey: ["dsk_demo_all", "dsk_demo_database_read", "dsk_demo_repository_write"],
  apiKeyId: ["key_demo_all"],
  planId: ["plan_free", "plan_pro", "plan_enterprise"],
  tableName: ["products", "page_views", "things"],
  region: ["eu-west-1", "us-east-1"],
  pk: ["customer#ada", "customer#grace", "settings", "fresh", "a/b", "..", "long"],
  sk: ["order#2029-11-03", "order#2029-12-30", "currency", "fresh", "ä", "a"],
  faultId: ["fault_unknown"],
  checkoutId: ["checkout_unknown"],
  cursor: [],
  pageToken: [],
  clientRequestToken: ["t-1", "t-2", "t-3"],
  name: ["side-1", "side-2", "orders", "products", "Acme Tea"],
  to: ["side-1", "side-2", "side-3", "side-4"],
};

/** Ids whose field is called `id`, by how they begin. */
const namesOfIds: Readonly<Record<string, string>> = {
  ent: "entityId",
  db: "databaseId",
  repo: "repositoryId",
  org: "organizationId",
};
const otherNames: Readonly<Record<string, string>> = {
  key: "apiKey",
  nextCursor: "cursor",
  nextPageToken: "pageToken",
  partitionKey: "pk",
};

/** What a client of a world knows of it: values by the names of fields and parameters, learnt from responses. */
export class LiveState {
  readonly #values = new Map(Object.entries(known).map(([name, values]) => [name, [...values]]));

  /** A value of a name as the world is when the value is generated, if one is known. */
  valueOf(name: string): fc.Arbitrary<string | undefined> {
    return fc.noBias(fc.nat()).map((at) => {
      const values = this.#values.get(otherNames[name] ?? name) ?? [];
      return values[at % values.length];
    });
  }

  /** Any value of any name: ids in places where others belong. */
  readonly anyValue: fc.Arbitrary<string> = fc
    .constantFrom(...Object.keys(known))
    .chain((name) => this.valueOf(name))
    .map((value = "") => value);

  /** The value learnt last. */
  lastOf(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  /** Reads a response that was no refusal. */
  learn(body: unknown): void {
    let left = 200;
    const look = (value: unknown, name: string): void => {
      if (left-- < 0) return;
      if (typeof value === "string") this.#add(name, value);
      else if (Array.isArray(value)) for (const entry of value.slice(0, 5)) look(entry, name);
      else if (typeof value === "object" && value !== null)
        for (const [field, inside] of Object.entries(value)) look(inside, field);
    };
    look(body, "");
  }

  #add(name: string, value: string): void {
    if (name === "accessToken" && isForPro(value)) this.#add("proToken", value);
    const of = name === "id" ? (namesOfIds[value.split("_")[0] ?? ""] ?? name) : (otherNames[name] ?? name);
    const values = this.#values.get(of);
    if (values === undefined || of === "name" || value.length > 2000 || values.includes(value)) return;
    // those that were known from the start stay, so that what a request takes away is not all there was
    if (values.length >= maxValues) values.splice((known[of] ?? []).length, 1);
    values.push(value);
  }
}

/** Whether an access token is for the organization that the demo's data belong to. */
function isForPro(token: string): boolean {
  return Buffer.from(token.split(".")[1] ?? "", "base64url").includes("org_demo_pro");
}
