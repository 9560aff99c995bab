/*
 * What each operation does beyond its summary: what the specification says of it, and what the emulator does where it says
 * nothing. The latter names the gap that a profile may answer otherwise.
 */

const paging =
  "Pass `nextCursor` of a page as `cursor` to get the next one, with the rest of the request unchanged; it is null on the " +
  "last page. `limit` is 20 when it is left out.";

const filter =
  '`filterExpression` is an object of conditions on attributes, all of which must hold: `{"status": "open"}` for equality, ' +
  '`{"total": {"$gte": 10}}` for operators (gap `item-filter-grammar`).';

const condition =
  "`conditionExpression` knows `attribute_exists(pk)`, `attribute_not_exists(pk)` and comparisons of an attribute with a named " +
  "value, `total >= :least`; the value stands in `filterValues` as `:least` (gaps `condition-grammar` and " +
  "`condition-values`).";

const token =
  "With a `clientRequestToken`, the same request within 10 minutes answers the original result and does nothing again, so it " +
  "can be sent again after a lost answer.";

const rowParameters =
  "The first `?` takes the first member of `parameters` as it stands in the JSON text, the second the second " +
  "(gap `sql-parameter-order`). Many clients sort the members of an object by name before they send it: call them `p1`, `p2`, " +
  "… (`p01`, `p02`, … from ten on), and sorting changes nothing. A value that no `?` takes is refused.";

/** Describes every operation of the service. */
export const descriptions = {
  login:
    "Answers 200 whether or not the login succeeds, and `status` says which. Tokens come with `Success` alone, in " +
    "`authResponse`, for the user's personal organization (gap `login-organization`). The access token lives an hour, the " +
    "refresh token 7 days.",
  refreshSession:
    "Answers a new access token, good for an hour, and a new refresh token, good for 7 days, for the same organization (gap " +
    "`refresh-organization`). Keep the new one: the old one is refused from then on (gap `refresh-token-reuse`). " +
    "Its status, and that of switching, is 200 (gap `session-status`).",
  switchOrganization:
    "Answers a session as a login does, for another organization of which the caller is a member. The tokens at hand stay " +
    "what they are: send the new access token to work in the chosen organization.",
  putItem:
    "Replaces the whole item where there is one; members of `data` that are left out are gone. With a `conditionExpression` " +
    `the write happens only when it holds for the item that is there. ${condition} An item may have 400 KB.`,
  getItem:
    "Answers the item that was put without `sk`; items of the same partition key that have one are not looked at. A missing " +
    "item is a 404 with a problem body.",
  getItemWithSortKey:
    "Both keys go into the path percent-encoded, whatever they hold: `order#2029-12-30` is `order%232029-12-30`. A missing item " +
    "is a 404 with a problem body.",
  deleteItem:
    "Removes the item that was put without `sk`, and no other of the partition. Deleting what is not there answers 204 as well " +
    "(gap `delete-missing-item`), so it can be sent again.",
  deleteItemWithSortKey:
    "Both keys go into the path percent-encoded. Deleting what is not there answers 204 as well (gap `delete-missing-item`), so " +
    "it can be sent again.",
  queryItems:
    "`sortKeyCondition` is one of `=:value`, `<:value`, `<=:value`, `>:value`, `>=:value`, `begins_with:prefix` and " +
    "`between:low:high`, both ends included; without it all items of the partition are candidates. `scanForward: false` " +
    `turns the order around. ${filter} ${paging} A page with a filter may hold fewer items than \`limit\`, even none, and not be ` +
    "the last (gap `limit-with-filter`).",
  scanItems:
    "Goes through every partition, which takes as long as the database is large: prefer a query. Partitions come in the order " +
    `of their keys (gap \`scan-order\`). ${filter} ${paging}`,
  batchWriteItems:
    "Entries stand for themselves: some may fail while others succeed. The answer is 200 even so, with `failedCount` above 0 and " +
    "the keys that failed in `errors`: look there. A mistake of form refuses the whole request. " +
    "Entries may have a `conditionExpression` (gap `batch-conditions`).",
  batchGetItems:
    "Keys whose item is not there are left out of `items`. Keys that could not be processed come back " +
    "in `unprocessedKeys`: ask for them again.",
  transactGetItems:
    "Every entry is answered from the same moment, with `itemExists: false` where there is no item. `projectionExpression` names " +
    `the top-level attributes to answer. ${token}`,
  transactWriteItems:
    "If one operation fails, none is applied, `successCount` is 0 and `errors` tells which failed and why; the status is 200 even " +
    "so (gap `transaction-failed-status`). `Update` sets the attributes of `data` and leaves the others of an existing item; " +
    `\`ConditionCheck\` changes nothing. ${condition} ${token} The request may have 4 MB.`,
  createDatabase:
    "The answer has the status `Creating`, in which data cannot be worked with yet (gap `creating-database`): wait until getting " +
    "it shows `Active`. The name must be free in the organization (gap `duplicate-name`), and the plan has a ceiling of " +
    "databases.",
  listDatabases:
    "Lists those of the organization that the access token is for, the oldest first, each with its usage. " +
    paging,
  getDatabase:
    "Answers status, settings and usage: how many items it holds, how many bytes, and what reading and writing has consumed.",
  deleteDatabase:
    "Its items, repositories and tables go with it, at once (gap `database-deletion`), and nothing brings them back.",
  createRepository:
    "The schema maps names of fields to definitions, to which the data of entities are held. Without one, entities take any data. " +
    "A schema with mistakes is refused, and every mistake named by its place.",
  listRepositories:
    "Answers the oldest first, each with its schema and the number of its entities. Pages go as those of " +
    "other lists.",
  getRepository: "Answers the schema as it was given, and how many entities there are now.",
  deleteRepository:
    "The entities go with it at once, and nothing brings them back. Items and tables of the database stay.",
  createEntity:
    "The service generates the id and the timestamps. The data are held to the schema of the repository, defaults filled in, and " +
    "every violation is named by its place. Fields that the schema does not name are kept (gap `entity-unknown-fields`), and " +
    "null is of no type (gap `entity-null-fields`).",
  listEntities: `Answers the oldest first (gap \`entity-list-order\`); \`totalCount\` counts all of the repository. ${paging}`,
  getEntity: "Answers its data, its timestamps and, by default, its version (gap `entity-version-field`).",
  updateEntity:
    "The data take the place of those that were there (gap `entity-put`) and are held to the schema as at creation. `updatedAt` " +
    "moves, and the version grows by one.",
  deleteEntity: "One that is not there is answered like one that was (gap `delete-missing-entity`).",
  queryEntities:
    "`filter` compares fields with named values, `price >= :least`, and combines comparisons with AND, OR and NOT; the " +
    "specification shows `<field> = :<name>` alone (gap `repository-filter-grammar`). The values stand in `filterValues`, keyed " +
    `with the colon. \`sortBy\` names a field of the data, \`createdAt\` or \`updatedAt\`. A name that the schema ` +
    `does not know is one that entities do not have (gap \`unknown-query-fields\`). ${paging}`,
  createOrganization:
    "The caller becomes its owner, and it begins on the free plan (gap `new-organization-plan`). `slug` is made from the name " +
    "when it is left out. To work in it, switch to it: the access token at hand stays for the one it was for.",
  listOrganizations:
    "Answers every organization of which the caller is an active member, with the role there, in the order of joining.",
  getOrganization:
    "Answers plan, status and settings, the ceilings of databases, API keys and members among them.",
  updateOrganization: "What is left out stays as it is. Of the settings, `requireMfa` alone can be changed.",
  deleteOrganization:
    "Databases, repositories, API keys and memberships go with it (gaps `organization-with-databases` and " +
    "`deleted-organization`). A personal organization stays.",
  listMembers: "Answers active and pending members alike; a pending one has neither user id nor name.",
  inviteMember:
    "The member is `pending` until the invitation is accepted; the role is `member` when it is left out. Pending members count " +
    "against the ceiling (gap `pending-members-count`), and an admin cannot invite an owner (gap `admin-over-owners`). An " +
    "address that is invited already is refused as taken (gap `repeated-invitation`).",
  updateMember:
    "`{memberId}` is the user id of an active member and the email address of a pending one (gaps `member-id` and " +
    "`pending-member-id`). An admin cannot make or change owners (gap `admin-over-owners`), and the last owner stays one " +
    "(gap `last-owner`).",
  removeMember:
    "Owners and admins remove others, and every member may leave. `{memberId}` is the user id of an active member and the email " +
    "address of a pending one (gaps `member-id` and `pending-member-id`). The last owner stays (gap `last-owner`).",
  getPaymentInfo:
    "Answers period, trial, product and the latest order, amounts in minor units: cents. An organization on the free plan has a " +
    "subscription of amount 0 (gap `free-subscription`).",
  createCheckout:
    "Send the user to `checkoutUrl`. The plan changes when the checkout is completed there, and not before " +
    "(gap `checkout-effect`).",
  getPaymentPortal:
    "Send the user to `portalUrl` before `expiresAt`: downgrades and cancellations happen there and nowhere else.",
  getPaymentStatus:
    "Answers what a client needs to know before it lets a user go on: whether the plan may be used, whether it is a trial, and " +
    "until when it is paid for.",
  getUsage:
    "Answers how much the organization stores and asks in its billing period, and what that costs in US dollars.",
  listPlans:
    "Answers every plan in the order of `sortOrder`, as a bare array (gap `plan-list-form`). Prices are in cents.",
  getPlan:
    "Answers prices in cents, features and limits; `limits` is null for the enterprise plan, which has none.",
  runSqlQuery:
    "SELECT knows WHERE, ORDER BY on clustering columns, LIMIT and COUNT; there is no JOIN, no GROUP BY and no subquery. " +
    `${rowParameters} Pass \`nextPageToken\` as \`pageToken\` with the same statement for the next page. SELECT takes any API key, ` +
    "writing one of the level write or admin. What is wrong is a 400 with a `code`.",
  executeSql:
    "Takes CREATE TABLE, ALTER TABLE, DROP TABLE, CREATE INDEX and DROP INDEX. A key is declared as `PRIMARY KEY (partition key " +
    "columns, clustering columns)`. An API key needs the level admin for tables (gap `sql-key-levels`). What is wrong is a 400 " +
    "with a `code`.",
  listSqlTables: "Answers name, number of rows and time of creation of each table.",
  getSqlTableSchema:
    "Answers columns with their types, the primary key by its partition and clustering columns, and the indexes. `tableName` is " +
    "spelled as the list of tables spells it.",
  getHealth: "Answers 503 with `details` when something is wrong: point an alert at it.",
  getReadiness:
    "Answers 503 with `details` while it does not: let a load balancer ask it before it sends requests.",
  getLiveness:
    "Answers whether the process is alive, whatever its state: let a supervisor ask it before it starts another.",
} as const;
