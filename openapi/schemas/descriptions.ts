import type { SchemaObject } from "openapi3-ts/oas31";

/** Descriptions of the fields of a schema and, as `is`, of the schema itself. */
type SchemaDescription = Readonly<Record<string, string>>;

/** Descriptions of fields with these names, unless a schema has its own. */
const commonFields: Readonly<Record<string, string>> = {
  name: "Name.",
  createdAt: "Creation time.",
  updatedAt: "Time of the last change.",
  slug: "Short name for URLs.",
  billingEmail: "Address for invoices.",
  requireMfa: "Whether members must provide a second factor when they log in.",
};
const fieldDefinition = {
  type: "JSON type of the values.",
  required: "Whether every entity must have the field.",
};

/** Descriptions of schemas and fields, unless the definition of a schema has its own. */
export const descriptions: Readonly<Record<string, SchemaDescription>> = {
  Violation: { is: "A mistake in a request." },

  LoginRequest: { is: "The credentials of a user." },
  LoginResult: {
    is: "The result of a login. The HTTP status is 200 whether or not the login succeeded.",
    status:
      "`Success`: `authResponse` contains the session. `InvalidCredentials`: wrong e-mail address or password. " +
      "`EmailVerificationRequired`: the address must be verified first. `MfaRequired`: a second factor is required. " +
      "`Error`: the login failed for another reason.",
  },
  AuthResponse: {
    is: "A session: tokens, and the user that they are for.",
    email: "E-mail address of the user.",
    name: "Name of the user.",
    avatarUrl: "URL of a picture of the user, or null.",
  },
  RefreshRequest: {
    is: "The session to continue.",
    refreshToken: "The most recently issued refresh token.",
  },
  RefreshResponse: {
    is: "New tokens for a session.",
    accessToken: "New access token.",
    expiresIn: "Lifetime of the access token in seconds.",
  },
  SwitchOrganizationRequest: { is: "The organization that the new tokens are for." },

  CreateDatabaseRequest: { is: "The database to create." },
  DatabaseCreated: {
    is: "The new database.",
    status: "Always `Creating`. The database can be used when its status is `Active`.",
  },
  Database: {
    is: "A database of an organization.",
    status:
      "`Creating`: being provisioned. `Active`: ready for use. `Inactive`: paused. `Maintenance`: undergoing maintenance. " +
      "`Deleting`: being deleted. `Error`: an error occurred. `BackingUp`: a backup is in progress. `Restoring`: a restore is " +
      "in progress.",
  },
  DatabasePage: { is: "A page of databases." },

  PutItemRequest: { is: "The item to create or replace." },
  PutItemResult: {
    is: "The item that was written.",
    pk: "Partition key.",
    updatedAt: "Time of the write.",
  },
  Item: { is: "A raw item.", pk: "Partition key." },
  FoundItem: { is: "An item in the result of a query or scan.", pk: "Partition key." },
  QueryItemsRequest: { is: "Which items of a partition to read.", partitionKey: "The partition to read." },
  ScanItemsRequest: { is: "Which items of the database to read." },
  ItemPage: { is: "A page of items from one partition.", items: "The items, in sort-key order." },
  ScanPage: { is: "A page of items from a database.", items: "The items on the page." },

  ItemKey: { is: "The key of an item." },
  BatchWriteRequest: {
    is: "Writes that succeed or fail independently of each other.",
    items: "At most 25 writes.",
  },
  BatchWriteEntry: {
    is: "A write in a batch.",
    operation: "`Put` creates or replaces the item, `Delete` deletes it.",
  },
  BatchWriteResponse: {
    is: "The result of a batch. The status is 200 even if some writes failed.",
    successCount: "Number of writes that succeeded.",
    failedCount: "Number of writes that failed.",
  },
  BatchWriteError: { is: "A failed write in a batch.", pk: "Partition key of the item." },
  BatchGetRequest: { is: "Keys of the items to read.", keys: "At most 100 keys." },
  BatchGetResponse: { is: "The items that were found, and the keys that could not be processed." },
  UnprocessedKey: {
    is: "A key that could not be processed. Request this key again.",
    pk: "Partition key of the item.",
  },
  TransactGetRequest: { is: "The items to read at one point in time.", items: "At most 100 keys." },
  TransactGetEntry: { is: "An item to read." },
  TransactGetResponse: { is: "The items, as they were at one point in time." },
  TransactGetResult: {
    is: "An item, as read at one point in time.",
    pk: "The requested partition key.",
    itemExists: "Whether there is an item with this key.",
  },
  TransactWriteRequest: {
    is: "Operations that are either all applied or not applied at all.",
    items: "At most 25 operations. The maximum size of the request is 4 MB.",
  },
  TransactWriteEntry: { is: "An operation in a transaction." },
  TransactWriteResponse: { is: "The result of a transaction." },
  TransactionError: { is: "Why an operation in a transaction failed.", pk: "Partition key of the item." },

  FieldDefinition: fieldDefinition,
  FieldDefinitionInput: fieldDefinition,
  CreateRepositoryRequest: { is: "The repository to create." },
  RepositoryCreated: { is: "The new repository." },
  Repository: {
    is: "A typed collection of entities in a database.",
    status: "`Active`: the repository can be used.",
  },
  RepositoryPage: { is: "A page of repositories." },

  WriteEntityRequest: { is: "The data of an entity." },
  Entity: { is: "A record in a repository." },
  QueryEntitiesRequest: { is: "Which entities to read, and in which order." },
  EntityPage: { is: "A page of entities.", entities: "The entities, in the requested order." },

  CreateOrganizationRequest: { is: "The organization to create.", name: "Name: 2 to 100 characters." },
  UpdateOrganizationRequest: {
    is: "Changes to an organization. Fields that are omitted do not change.",
    name: "Name: 2 to 100 characters.",
  },
  OrganizationSettingsChange: {
    is: "Changes to the settings of an organization.",
  },
  OrganizationSettings: {
    is: "Limits and policies of an organization.",
    ssoEnabled: "Whether members can log in through single sign-on.",
  },
  OrganizationCreated: {
    is: "The new organization, which the caller owns.",
    status: "Always `active`.",
  },
  Organization: {
    is: "An organization, which owns databases and has members and a subscription.",
    status:
      "`active`: fully operational. `suspended`: suspended, usually because of billing. `deleted`: kept for a while, but not usable.",
  },
  OrganizationMembership: {
    organizationName: "Name of the organization.",
    role: "The caller's role in the organization.",
    joinedAt: "Time at which the caller joined.",
  },
  OrganizationList: { is: "The organizations of the caller." },

  InviteMemberRequest: { is: "The person to invite." },
  UpdateMemberRequest: { is: "The new role of a member." },
  Member: {
    is: "A member of an organization, or a person who is invited to join it.",
    email: "E-mail address of the member.",
    status: "`active`: the invitation was accepted. `pending`: the invitation was sent.",
    joinedAt: "Time at which the invitation was accepted; null while it is pending.",
  },
  InvitedMember: {
    is: "The pending member.",
    email: "The invited e-mail address.",
    status: "Always `pending`.",
    invitedAt: "Time of the invitation.",
  },
  MemberList: { is: "The members of an organization." },

  PaymentInfo: {
    is: "The subscription of an organization.",
    status:
      "`active`: active and paid. `trialing`: in the free trial. `past_due`: a payment failed, and the grace period has not ended. " +
      "`canceled`: ended. `incomplete`: not completely set up.",
    planName: "Name of the plan.",
    currentPeriodStart: "Start of the paid period.",
    currentPeriodEnd: "End of the paid period.",
  },
  Product: {
    is: "The product of a subscription.",
    description: "Description of the product.",
    prices: "Prices of the product.",
    benefits: "Benefits of the product.",
  },
  Price: { is: "A price of a product." },
  Benefit: {
    is: "A benefit of a product.",
    type: "Kind of benefit.",
    description: "Description of the benefit.",
  },
  Order: {
    is: "A charge to the organization.",
    paid: "Whether the order was paid.",
    invoiceNumber: "Number of the invoice.",
    invoicePdfUrl: "URL for downloading the invoice.",
  },
  CreateCheckoutRequest: { is: "The plan to subscribe to.", planType: "Type of the plan to buy." },
  Checkout: {
    is: "A checkout session. Send the user to `checkoutUrl`.",
    productName: "Name of the product.",
  },
  PaymentPortal: { is: "A link to the billing portal." },
  PaymentStatus: {
    is: "Whether the plan of the organization can be used.",
    status: "Status of the subscription, as in the payment info.",
    isTrial: "Whether the subscription is in its free trial.",
    planType: "Type of the plan.",
  },
  Usage: {
    is: "The usage of an organization.",
    databaseCount: "Number of databases.",
    billingPeriodStart: "Start of the billing period.",
    billingPeriodEnd: "End of the billing period.",
    generatedAt: "Time at which the figures were computed.",
  },

  Plan: {
    is: "A plan in the catalog.",
    planType: "Type of the plan. Checkouts and organizations refer to plans by this type.",
    description: "Description of the plan.",
    trialDays: "Length of the free trial in days; 0 if there is no trial.",
    sortOrder: "Position in the catalog: lower numbers come first.",
    features: "Features, each with a flag that says whether the plan includes it.",
  },
  PlanFeature: {
    is: "A feature, and whether the plan includes it.",
    included: "Whether the plan includes the feature.",
  },
  PlanLimits: {
    is: "The limits of a plan.",
    maxDatabases: "Maximum number of databases in an organization.",
    maxRequestsPerMonth: "Maximum number of requests per month.",
    maxTeamMembers: "Maximum number of members in an organization.",
  },

  SqlQueryRequest: { is: "A statement that reads or writes rows." },
  SqlResultColumn: { is: "A column of a result." },
  SqlQueryResponse: {
    is: "The result of a statement.",
    rows: "Rows on this page. Empty after a write.",
    columns: "Columns of the rows, in order. Empty after a write.",
    executionTimeMs: "Execution time of the statement, in milliseconds.",
  },
  SqlExecuteRequest: { is: "A statement that changes tables or indexes." },
  SqlExecuteResponse: {
    is: "The result of a statement that defines tables or indexes.",
    success: "Whether the statement was executed.",
    message: "Description of the change that was made.",
    affectedRows: "Number of rows that were changed; 0 for statements that define tables or indexes.",
  },
  SqlTableList: { is: "The tables of a database.", tables: "The tables." },
  SqlTable: { is: "A table.", rowCount: "Number of rows." },
  SqlTableSchema: {
    is: "The definition of a table.",
    tableName: "Name of the table.",
    columns: "Columns, in order.",
    indexes: "Indexes, not including the primary key.",
  },
  SqlColumn: {
    is: "A column of a table.",
    isPartitionKey: "Whether the column is part of the partition key.",
    isClusteringKey: "Whether the column is part of the clustering key.",
    isNullable: "Whether the column may be null.",
  },
  SqlPrimaryKey: {
    is: "The primary key of a table.",
    partitionKeys: "Columns of the partition key, in order.",
    clusteringKeys:
      "Columns of the clustering key, in order. They determine the order of rows in a partition.",
  },
  SqlIndex: {
    is: "An index of a table.",
    columns: "Columns of the index, in order.",
    isUnique: "Whether all rows must have different values in the columns of the index.",
  },
  SqlError: {
    code:
      "`SQL_SYNTAX_ERROR`: the statement has syntax errors. `SQL_VALIDATION_ERROR`: the statement is valid SQL but violates a constraint. " +
      "`ACCESS_DENIED`: the caller is not allowed to execute the statement. `TABLE_NOT_FOUND`: there is no such table. `DATABASE_NOT_FOUND`: there is " +
      "no such database. `SQL_EXECUTION_ERROR`: the execution failed.",
  },

  Healthy: { is: "The service is healthy.", status: "Always `Healthy`." },
  Unhealthy: { is: "The service is not healthy.", status: "Always `Unhealthy`." },
  Ready: { is: "The service is ready for requests.", status: "Always `Ready`." },
  NotReady: { is: "The service is not ready for requests.", status: "Always `NotReady`." },
  Alive: { is: "The process is alive.", status: "Always `Alive`." },
  Dead: { is: "The process is not alive.", status: "Always `Dead`." },
};

/** Adds descriptions to a schema and to each of its fields. */
export function addSchemaDescriptions(name: string, schema: SchemaObject): SchemaObject {
  const described = descriptions[name];
  if (described === undefined) return schema;
  const { is, ...fields } = { ...commonFields, ...described };
  const properties = Object.entries(schema.properties ?? {}).map(([field, definition]) => [
    field,
    // the target of a reference has its own description
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
