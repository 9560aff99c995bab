/**
 * Every number of part 8 of the specification, once. Schemas, the emulator and the checks read it here.
 * Sizes are bytes by the default answer of gap `size-unit` (see {@link getSizeLimit}), times are milliseconds unless the
 * name says otherwise.
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

/** A limit of sizes in bytes, by the answer of gap `size-unit`. */
export function getSizeLimit(of: "item" | "transaction", unit: 1000 | 1024): number {
  return of === "item" ? 400 * unit : 4 * unit * unit;
}

/** The bytes of a GB, in maxStorageGb and totalStorageGb, by the answer of gap `size-unit`. */
export function getBytesPerGigabyte(unit: 1000 | 1024): number {
  return unit ** 3;
}

/** The value that stands for "no ceiling" in an organization's settings, where the specification wants an integer. */
export const unlimitedCount = 2_147_483_647;

/** Bounds that the specification does not set and every implementation needs. */
export const emulatorDefinedLimits = {
  repositoryNameLength: { minimum: 1, maximum: 100 },
  slugLength: { minimum: 1, maximum: 120 },
  /** Levels of `properties` and `items` in a repository schema; fields at the top are level 1. */
  repositorySchemaDepth: 16,
  /** Fields in a whole repository schema, nested ones included. */
  repositorySchemaFields: 1000,
  /**
   * Patterns of repository schemas: characters of one, instructions of one program and of all in a schema, and
   * instructions × characters in the validation of one entity (some 30 ns each at worst; a text counts 20 characters more).
   */
  pattern: { maximumLength: 1000, maximumSize: 4000, maximumSizeOfAll: 20_000, work: 8_000_000 },
  /** Mistakes of a request that an answer names, and the characters that it names them with; it counts the others. */
  mistakesShown: 1000,
  mistakeCharacters: 256 * 1024,
  /** Bodies with up to this many values, at any depth, are checked for all mistakes; larger ones for the first. */
  explainedValues: 5000,
  /**
   * What the conditions, or the filter and the order, of one request may cost, in characters compared, some 4 ns each;
   * and the cost of parsing one character of an item or entity for them.
   */
  evaluation: { work: 40_000_000, workOfParsing: 8 },
  emailLength: 254,
  /** Values in a request body, at every depth; an item that holds as many as it can has half of that. Fields count as three. */
  jsonValues: 400_000,
  /** Levels of arrays and objects in a request body. */
  jsonDepth: 100,
  /** Characters of a condition or filter. */
  expressionLength: 4096,
  /** Characters of a `clientRequestToken`. */
  tokenLength: 1024,
  /** Characters of an SQL statement. */
  sqlLength: 65_536,
  /** Keys of items by the answer `plain` of gap `key-characters`. */
  plainKey: { pattern: /^[-A-Za-z0-9_.:#@~]*$/, maximumLength: 255 },
  /** `settings.maxApiKeys` under each plan. */
  apiKeys: { free: 5, pro: 50, enterprise: unlimitedCount },
} as const;

/** The plan types of part 2, cheapest first. */
export const planTypes = ["free", "pro", "enterprise"] as const;
export type PlanType = (typeof planTypes)[number];

/** The limits of one plan; the whole record is `null` for a plan without limits (the enterprise plan). */
export interface PlanLimits {
  readonly maxDatabases: number;
  /** GB of 1,024³ bytes; a decimal. */
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

/** The plan table of part 8. */
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
