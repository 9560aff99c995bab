import fc from "fast-check";

/** Maximum number of values of a name. */
const maxValues = 24;

/** The initial values of each name; repeated values are chosen more often. */
const initialValues: Readonly<Record<string, readonly string[]>> = {
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

/** The names of ids in a field `id`, by prefix. */
const namesByIdPrefix: Readonly<Record<string, string>> = {
  ent: "entityId",
  db: "databaseId",
  repo: "repositoryId",
  org: "organizationId",
};
/** Fields whose values belong to another name. */
const aliases: Readonly<Record<string, string>> = {
  key: "apiKey",
  nextCursor: "cursor",
  nextPageToken: "pageToken",
  partitionKey: "pk",
};

/** Values for fields and parameters, by name: initial values and values from responses. */
export class LiveState {
  readonly #values = new Map(Object.entries(initialValues).map(([name, values]) => [name, [...values]]));

  /** Generates a value of a name that is known at generation time; undefined if there is none. */
  valueOf(name: string): fc.Arbitrary<string | undefined> {
    return fc.noBias(fc.nat()).map((at) => {
      const values = this.#values.get(aliases[name] ?? name) ?? [];
      return values[at % values.length];
    });
  }

  /** Generates any value of any name. */
  readonly anyValue: fc.Arbitrary<string> = fc
    .constantFrom(...Object.keys(initialValues))
    .chain((name) => this.valueOf(name))
    .map((value = "") => value);

  /** Returns the newest value of a name. */
  lastOf(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  /** Adds the values in a successful response. */
  learn(body: unknown): void {
    let remaining = 200;
    const visit = (value: unknown, name: string): void => {
      if (remaining-- < 0) return;
      if (typeof value === "string") this.#add(name, value);
      else if (Array.isArray(value)) for (const entry of value.slice(0, 5)) visit(entry, name);
      else if (typeof value === "object" && value !== null)
        for (const [field, inside] of Object.entries(value)) visit(inside, field);
    };
    visit(body, "");
  }

  #add(name: string, value: string): void {
    if (name === "accessToken" && isForPro(value)) this.#add("proToken", value);
    const of = name === "id" ? (namesByIdPrefix[value.split("_")[0] ?? ""] ?? name) : (aliases[name] ?? name);
    const values = this.#values.get(of);
    if (values === undefined || of === "name" || value.length > 2000 || values.includes(value)) return;
    // keep the initial values, because most newer resources may have been deleted
    if (values.length >= maxValues) values.splice((initialValues[of] ?? []).length, 1);
    values.push(value);
  }
}

/** Whether an access token is for the organization that owns the demo data. */
function isForPro(token: string): boolean {
  return Buffer.from(token.split(".")[1] ?? "", "base64url").includes("org_demo_pro");
}
