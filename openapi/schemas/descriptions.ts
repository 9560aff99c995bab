import type { SchemaObject } from "openapi3-ts/oas31";

/** What the fields of a schema mean, and, as `is`, what the schema itself is. */
type SchemaDescription = Readonly<Record<string, string>>;

/** What fields of these names mean where a description says nothing else. */
const commonFields: Readonly<Record<string, string>> = {
  name: "Its name.",
  createdAt: "When it was created.",
  updatedAt: "When it was changed last.",
  slug: "Its short name for URLs.",
  billingEmail: "Address for invoices.",
  requireMfa: "Whether members have to give a second factor when they log in.",
};
const fieldDefinition = {
  type: "The JSON type of the values.",
  required: "Whether every entity has to have the field.",
};

/** Descriptions of schemas and fields, where the definition of a schema gives none itself. */
export const descriptions: Readonly<Record<string, SchemaDescription>> = {
  Violation: { is: "One place of a request that is not valid." },

  LoginRequest: { is: "The credentials of a user." },
  LoginResult: {
    is: "The result of a login: HTTP status 200 whether or not it succeeded.",
    status:
      "`Success`: the session is in `authResponse`. `InvalidCredentials`: wrong e-mail address or password. " +
      "`EmailVerificationRequired`: the address has to be verified first. `MfaRequired`: a second factor has to be given. " +
      "`Error`: the login failed for another reason.",
  },
  AuthResponse: {
    is: "A session: tokens, and who they are for.",
    email: "E-mail address of the user.",
    name: "Name of the user.",
    avatarUrl: "Picture of the user; null without one.",
  },
  RefreshRequest: {
    is: "The session to continue.",
    refreshToken: "The refresh token that was issued last.",
  },
  RefreshResponse: {
    is: "New tokens for a session.",
    accessToken: "A new access token.",
    expiresIn: "Lifetime of the access token in seconds.",
  },
  SwitchOrganizationRequest: { is: "The organization that the new tokens are for." },

  CreateDatabaseRequest: { is: "A database to be created." },
  DatabaseCreated: {
    is: "A database that was just created.",
    status: "Always `Creating`: the database can be used when its status has become `Active`.",
  },
  Database: {
    is: "A database of an organization.",
    status:
      "`Creating`: being provisioned. `Active`: ready for use. `Inactive`: paused. `Maintenance`: undergoing maintenance. " +
      "`Deleting`: being deleted. `Error`: has met an error. `BackingUp`: a backup is in progress. `Restoring`: a restore is " +
      "in progress.",
  },
  DatabasePage: { is: "A page of databases." },

  PutItemRequest: { is: "An item to be created or replaced." },
  PutItemResult: {
    is: "The item that was written.",
    pk: "Its partition key.",
    updatedAt: "When it was written.",
  },
  Item: { is: "A raw item.", pk: "Its partition key." },
  FoundItem: { is: "An item as queries and scans return it.", pk: "Its partition key." },
  QueryItemsRequest: { is: "Which items of a partition to read.", partitionKey: "The partition to read." },
  ScanItemsRequest: { is: "Which items of the database to read." },
  ItemPage: { is: "A page of the items of one partition.", items: "The items, in sort-key order." },
  ScanPage: { is: "A page of the items of a database.", items: "The items of the page." },

  ItemKey: { is: "The key of an item." },
  BatchWriteRequest: { is: "Writes that are independent of each other.", items: "At most 25 writes." },
  BatchWriteEntry: {
    is: "One write of a batch.",
    operation: "`Put` creates or replaces the item, `Delete` removes it.",
  },
  BatchWriteResponse: {
    is: "The result of a batch. The status is 200 even if some failed.",
    successCount: "Writes that succeeded.",
    failedCount: "Writes that failed.",
  },
  BatchWriteError: { is: "A write of a batch that failed.", pk: "Partition key of the item." },
  BatchGetRequest: { is: "Keys of items to read.", keys: "At most 100 keys." },
  BatchGetResponse: { is: "The items that were found, and the keys that could not be processed." },
  UnprocessedKey: {
    is: "A key that could not be processed: ask for it again.",
    pk: "Partition key of the item.",
  },
  TransactGetRequest: { is: "Items to read at one point in time.", items: "At most 100 keys." },
  TransactGetEntry: { is: "One item to read." },
  TransactGetResponse: { is: "The items, as they were at one point in time." },
  TransactGetResult: {
    is: "One item of a consistent read.",
    pk: "Partition key that was asked for.",
    itemExists: "Whether there is an item with this key.",
  },
  TransactWriteRequest: {
    is: "Operations of which all are applied, or none.",
    items: "At most 25 operations; the request may have 4 MB.",
  },
  TransactWriteEntry: { is: "One operation of a transaction." },
  TransactWriteResponse: { is: "The result of a transaction." },
  TransactionError: { is: "Why an operation of a transaction failed.", pk: "Partition key of the item." },

  FieldDefinition: fieldDefinition,
  FieldDefinitionInput: fieldDefinition,
  CreateRepositoryRequest: { is: "A repository to be created." },
  RepositoryCreated: { is: "A repository that was just created." },
  Repository: {
    is: "A typed collection of entities in a database.",
    status: "`Active`: it can be used.",
  },
  RepositoryPage: { is: "A page of repositories." },

  WriteEntityRequest: { is: "The data of an entity." },
  Entity: { is: "A record of a repository." },
  QueryEntitiesRequest: { is: "Which entities to read, and in which order." },
  EntityPage: { is: "A page of entities.", entities: "The entities, in the order that was asked for." },

  CreateOrganizationRequest: { is: "An organization to be created.", name: "2 to 100 characters." },
  UpdateOrganizationRequest: {
    is: "Changes to an organization. Fields that are left out stay as they are.",
    name: "2 to 100 characters.",
  },
  OrganizationSettingsChange: {
    is: "Changes to the settings of an organization.",
  },
  OrganizationSettings: {
    is: "Ceilings and policies of an organization.",
    ssoEnabled: "Whether members can log in through single sign-on.",
  },
  OrganizationCreated: {
    is: "An organization that was just created; the caller owns it.",
    status: "Always `active`.",
  },
  Organization: {
    is: "An organization: it owns databases and has members and a subscription.",
    status:
      "`active`: fully operational. `suspended`: usually because of billing. `deleted`: kept for a while, not usable.",
  },
  OrganizationMembership: {
    organizationName: "Name of the organization.",
    role: "The caller's role in it.",
    joinedAt: "When the caller joined.",
  },
  OrganizationList: { is: "The organizations of the caller." },

  InviteMemberRequest: { is: "A person to be invited." },
  UpdateMemberRequest: { is: "The new role of a member." },
  Member: {
    is: "A member of an organization, or somebody who is invited.",
    email: "E-mail address of the member.",
    status: "`active`: has accepted the invitation. `pending`: is invited.",
    joinedAt: "When the invitation was accepted; null while it is pending.",
  },
  InvitedMember: {
    is: "Somebody who was just invited.",
    email: "Address that was invited.",
    status: "Always `pending`.",
    invitedAt: "When the invitation was sent.",
  },
  MemberList: { is: "The members of an organization." },

  PaymentInfo: {
    is: "The subscription of an organization.",
    status:
      "`active`: active and paid. `trialing`: in the free trial. `past_due`: a payment failed, within the grace period. " +
      "`canceled`: ended. `incomplete`: not set up completely.",
    planName: "Name of the plan.",
    currentPeriodStart: "Start of the period that is paid for.",
    currentPeriodEnd: "End of the period that is paid for.",
  },
  Product: {
    is: "What a subscription is for.",
    description: "What it offers, for people.",
    prices: "What it costs.",
    benefits: "What comes with it.",
  },
  Price: { is: "A price of a product." },
  Benefit: {
    is: "Something that comes with a product.",
    type: "Its kind.",
    description: "What it is, for people.",
  },
  Order: {
    is: "What the organization was charged.",
    paid: "Whether it was paid.",
    invoiceNumber: "Number of the invoice.",
    invoicePdfUrl: "Where the invoice can be downloaded.",
  },
  CreateCheckoutRequest: { is: "The plan to subscribe to.", planType: "The plan that is bought." },
  Checkout: {
    is: "A checkout session: send the user to `checkoutUrl`.",
    productName: "Name of the product.",
  },
  PaymentPortal: { is: "A link to the billing portal." },
  PaymentStatus: {
    is: "Whether the organization's plan can be used.",
    status: "Status of the subscription, as in the payment info.",
    isTrial: "Whether the subscription is in its free trial.",
    planType: "Type of the plan.",
  },
  Usage: {
    is: "What an organization has used.",
    databaseCount: "Databases that it has.",
    billingPeriodStart: "Start of the billing period.",
    billingPeriodEnd: "End of the billing period.",
    generatedAt: "When the figures were put together.",
  },

  Plan: {
    is: "A plan of the catalog.",
    planType: "Its type, which checkouts and organizations refer to.",
    description: "What it offers, for people.",
    trialDays: "Length of the free trial in days; 0 without one.",
    sortOrder: "Its place in the catalog: lower numbers first.",
    features: "What it includes and what it does not.",
  },
  PlanFeature: {
    is: "A feature that a plan has or has not.",
    included: "Whether the plan has it.",
  },
  PlanLimits: {
    is: "The limits of a plan.",
    maxDatabases: "Databases that an organization may have.",
    maxRequestsPerMonth: "Requests in a month.",
    maxTeamMembers: "Members that an organization may have.",
  },

  SqlQueryRequest: { is: "A statement that reads or writes rows." },
  SqlResultColumn: { is: "A column of a result." },
  SqlQueryResponse: {
    is: "The result of a statement.",
    rows: "Rows of this page; none after a write.",
    columns: "Columns of the rows, in their order; none after a write.",
    executionTimeMs: "How long the statement took, in milliseconds.",
  },
  SqlExecuteRequest: { is: "A statement that changes tables or indexes." },
  SqlExecuteResponse: {
    is: "That a statement was executed.",
    success: "Whether it was executed.",
    message: "What was done, for people.",
    affectedRows: "Rows that were changed: 0 for statements that define tables and indexes.",
  },
  SqlTableList: { is: "The tables of a database.", tables: "The tables." },
  SqlTable: { is: "A table.", rowCount: "Rows that it has." },
  SqlTableSchema: {
    is: "The definition of a table.",
    tableName: "Its name.",
    columns: "Its columns, in their order.",
    indexes: "Its indexes, without the primary key.",
  },
  SqlColumn: {
    is: "A column of a table.",
    isPartitionKey: "Whether it is part of the partition key.",
    isClusteringKey: "Whether it is part of the clustering key.",
    isNullable: "Whether it may be null.",
  },
  SqlPrimaryKey: {
    is: "The primary key of a table.",
    partitionKeys: "Columns of the partition key, in their order.",
    clusteringKeys: "Columns of the clustering key, in their order: rows of a partition are sorted by them.",
  },
  SqlIndex: {
    is: "An index of a table.",
    columns: "Its columns, in their order.",
    isUnique: "Whether no two rows may have the same values.",
  },
  SqlError: {
    code:
      "`SQL_SYNTAX_ERROR`: the statement has syntax errors. `SQL_VALIDATION_ERROR`: valid SQL that violates a constraint. " +
      "`ACCESS_DENIED`: the caller may not do this. `TABLE_NOT_FOUND`: there is no such table. `DATABASE_NOT_FOUND`: there is " +
      "no such database. `SQL_EXECUTION_ERROR`: the execution failed.",
  },

  Healthy: { is: "The service is healthy.", status: "Always `Healthy`." },
  Unhealthy: { is: "The service is not healthy.", status: "Always `Unhealthy`." },
  Ready: { is: "The service is ready for requests.", status: "Always `Ready`." },
  NotReady: { is: "The service is not ready for requests.", status: "Always `NotReady`." },
  Alive: { is: "The process is alive.", status: "Always `Alive`." },
  Dead: { is: "The process is not alive.", status: "Always `Dead`." },
};

/** A schema with a description of itself and of each of its fields. */
export function describeSchema(name: string, schema: SchemaObject): SchemaObject {
  const described = descriptions[name];
  if (described === undefined) return schema;
  const { is, ...fields } = { ...commonFields, ...described };
  const properties = Object.entries(schema.properties ?? {}).map(([field, definition]) => [
    field,
    // what a reference leads to describes itself
    fields[field] === undefined || "$ref" in definition
      ? definition
      : { description: fields[field], ...definition },
  ]);
  return {
    ...(is === undefined ? {} : { description: is }),
    ...schema,
    ...(schema.properties === undefined
      ? {}
      : { properties: Object.fromEntries(properties) as typeof schema.properties }),
  };
}
