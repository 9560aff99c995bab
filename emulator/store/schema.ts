import { sqlCatalogSchema } from "../sql/catalog.js";
import { apiKeysTable, refreshTokensTable } from "./credentials.js";
import { databasesTable } from "./databases.js";
import { entitiesTable } from "./entities.js";
import { itemsTable } from "./items.js";
import { checkoutsTable, ordersTable } from "./orders.js";
import { membersTable, organizationsTable } from "./organizations.js";
import { repositoriesTable } from "./repositories.js";
import { subscriptionsTable } from "./subscriptions.js";
import { transactionTokensTable } from "./transaction-tokens.js";
import { usersTable } from "./users.js";

/** The application id in the header of the emulator's SQLite files: "dsEm". */
export const applicationId = 0x6473456d;

/** The version of the tables below, in the file header. Files with other versions are rejected. */
export const schemaVersion = 3;

/**
 * The tables of one namespace, which contain its whole state. SQLite compares text by UTF-8 bytes, which is the order of sort
 * keys. It does not enforce REFERENCES (`PRAGMA foreign_keys` is off), because the handlers do.
 */
export const tablesSql = `
PRAGMA application_id = ${applicationId};
PRAGMA user_version = ${schemaVersion};

CREATE TABLE meta (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;

${usersTable.createSql}

${organizationsTable.createSql}
CREATE UNIQUE INDEX organization_slugs ON organizations (slug) WHERE status <> 'deleted';

${membersTable.createSql}
CREATE UNIQUE INDEX members_by_user ON members (user_id, organization_id);
CREATE INDEX active_owners ON members (organization_id) WHERE role = 'owner' AND status = 'active';

${refreshTokensTable.createSql}
CREATE INDEX refresh_tokens_by_user ON refresh_tokens (user_id, expires_at);

${apiKeysTable.createSql}
CREATE INDEX api_keys_by_organization ON api_keys (organization_id);

${subscriptionsTable.createSql}
CREATE INDEX subscriptions_by_due ON subscriptions (due_at) WHERE due_at IS NOT NULL;

${ordersTable.createSql}

${checkoutsTable.createSql}
CREATE INDEX checkouts_by_organization ON checkouts (organization_id);
CREATE INDEX checkouts_by_completion ON checkouts (completes_at) WHERE completes_at IS NOT NULL;

CREATE TABLE request_counts (
  organization_id TEXT NOT NULL,
  period_start INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (organization_id, period_start)
) WITHOUT ROWID;

${databasesTable.createSql}
CREATE INDEX databases_by_organization ON databases (organization_id, name);
CREATE INDEX databases_in_order ON databases (organization_id);

${itemsTable.createSql}

${repositoriesTable.createSql}
CREATE INDEX repositories_by_database ON repositories (database_ref, name);

${entitiesTable.createSql}
CREATE UNIQUE INDEX entities_by_id ON entities (repository_ref, entity_id);

${transactionTokensTable.createSql}
CREATE INDEX transaction_tokens_by_expiry ON transaction_tokens (expires_at);
${sqlCatalogSchema}
`;
