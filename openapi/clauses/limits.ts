/**
 * The numbers in part 8 of the specification. Sizes are in bytes, with 1024 bytes in a KB; times are in milliseconds
 * unless the name says otherwise.
 */
export const limits = {
  batchWriteItems: 25,
  batchGetKeys: 100,
  transactGetItems: 100,
  transactWriteItems: 25,
  transactionRequestBytes: 4 * 1024 * 1024,
  itemBytes: 400 * 1024,
  transactionTokenMs: 10 * 60 * 1000,
  defaultPageSize: 20,
  databaseNameLength: { minimum: 3, maximum: 63 },
  organizationNameLength: { minimum: 2, maximum: 100 },
  accessTokenSeconds: 3600,
  refreshTokenSeconds: 604_800,
} as const;

/** For maxStorageGb and totalStorageGb. */
export const bytesPerGigabyte = 1024 ** 3;

/** The value for "no limit" in an organization's settings, where the specification requires an integer. */
export const unlimitedCount = 2_147_483_647;

/** Limits that every implementation needs but that the specification does not define. */
export const emulatorDefinedLimits = {
  repositoryNameLength: { minimum: 1, maximum: 100 },
  slugLength: { minimum: 1, maximum: 120 },
  /** Nesting of `properties` and `items` in a repository schema; fields at the top have level 1. */
  repositorySchemaDepth: 16,
  /** Number of fields in a repository schema, including nested fields. */
  repositorySchemaFields: 1000,
  /**
   * Limits of patterns in repository schemas: characters of a pattern, instructions of its program and of all programs in
   * a schema, and instructions × characters in the validation of an entity (30 ns each at worst; each text counts as 20
   * characters more).
   */
  pattern: { maximumLength: 1000, maximumSize: 4000, maximumSizeOfAll: 20_000, work: 8_000_000 },
  /** Number and total characters of the mistakes that a response lists. */
  mistakesShown: 1000,
  mistakeCharacters: 256 * 1024,
  /** Maximum number of values, at any depth, in a body that is checked for all mistakes instead of only the first. */
  explainedValues: 5000,
  /**
   * Maximum cost of the conditions, projections and updates, or of the filter and the order, of a request in compared
   * characters (4 ns each), and the cost of parsing one character of an item or entity.
   */
  evaluation: { work: 40_000_000, workOfParsing: 8 },
  emailLength: 254,
  /** Number of values in a request body, at any depth; fields count as three. The largest items have half as many. */
  jsonValues: 400_000,
  /** The same for a body whose numbers or field names need exact reading, such as `1.50`, which takes longer. */
  losslessJsonValues: 240_000,
  /** Entries of a fixture in a request: items, entities and rows. Everything else counts as ten. */
  seedEntries: 20_000,
  /** Nesting of arrays and objects in a request body. */
  jsonDepth: 100,
  /** Characters in a condition or filter. */
  expressionLength: 4096,
  /** Characters in a `clientRequestToken`. */
  tokenLength: 1024,
  /** Characters in an SQL statement. */
  sqlLength: 65_536,
  /** Valid item keys with the answer `plain` to the gap `key-characters`. */
  plainKey: { pattern: /^[-A-Za-z0-9_.:#@~]*$/, maximumLength: 255 },
  /** `settings.maxApiKeys` under each plan. */
  apiKeys: { free: 5, pro: 50, enterprise: unlimitedCount },
} as const;

/** Maximum number of seconds after which an unused namespace is deleted: one week. */
export const maxIdleSeconds = 604_800;

/** The name of a namespace or snapshot, as part of a larger pattern. */
export const namePattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

/** The plan types in part 2, cheapest first. */
export const planTypes = ["free", "pro", "enterprise"] as const;
export type PlanType = (typeof planTypes)[number];

/** The limits of a plan; the enterprise plan has `null` instead. */
export interface PlanLimits {
  readonly maxDatabases: number;
  /** In GB; may have decimals. */
  readonly maxStorageGb: number;
  readonly maxRequestsPerMonth: number;
  readonly maxTeamMembers: number;
}

interface PlanTerms {
  readonly limits: PlanLimits | null;
  readonly trialDays: number;
  readonly monthlyPriceCents: number;
  readonly yearlyPriceCents: number;
}

/** The table of plans in part 8. */
export const planTerms: Readonly<Record<PlanType, PlanTerms>> = {
  free: {
    limits: { maxDatabases: 3, maxStorageGb: 0.1, maxRequestsPerMonth: 10_000, maxTeamMembers: 1 },
    trialDays: 0,
    monthlyPriceCents: 0,
    yearlyPriceCents: 0,
  },
  pro: {
    limits: { maxDatabases: 10, maxStorageGb: 10, maxRequestsPerMonth: 1_000_000, maxTeamMembers: 10 },
    trialDays: 14,
    monthlyPriceCents: 2_900,
    yearlyPriceCents: 29_000,
  },
  enterprise: { limits: null, trialDays: 0, monthlyPriceCents: 0, yearlyPriceCents: 0 },
};
