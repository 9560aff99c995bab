import { sqlCatalogSchema } from "../sql/catalog.js";

/** The application id in the header of the emulator's SQLite files: "dsEm". */
export const applicationId = 0x6473456d;

/** The version of the tables below, in the file header. Files with other versions are rejected. */
export const schemaVersion = 3;

/**
 * The tables of one namespace, which contain its whole state. Times are milliseconds since 1970; booleans are 0 and 1. SQLite
 * compares text by UTF-8 bytes, which is the order of sort keys.
 *
 * `items.sk` is the empty string for an item without a sort key. An empty sort key is not valid, and the empty string
 * sorts first, as such an item must.
 *
 * `entities.sequence` numbers the entities of a repository in the order of creation. Numbers of deleted entities are not
 * used again, so that cursors stay valid.
 *
 * SQLite does not enforce REFERENCES (`PRAGMA foreign_keys` is off), because the handlers do.
 */
export const tablesSql = `
PRAGMA application_id = ${applicationId};
PRAGMA user_version = ${schemaVersion};

CREATE TABLE meta (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;

CREATE TABLE users (
  user_id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  avatar_url TEXT,
  password_hash TEXT NOT NULL,
  email_verified INTEGER NOT NULL,
  mfa_required INTEGER NOT NULL,
  personal_organization_id TEXT NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE organizations (
  sequence INTEGER PRIMARY KEY,
  organization_id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  slug TEXT NOT NULL,
  owner_user_id TEXT NOT NULL REFERENCES users (user_id),
  is_personal INTEGER NOT NULL,
  plan TEXT NOT NULL,
  status TEXT NOT NULL,
  billing_email TEXT NOT NULL,
  max_databases INTEGER NOT NULL,
  max_api_keys INTEGER NOT NULL,
  max_members INTEGER NOT NULL,
  allowed_regions TEXT,
  require_mfa INTEGER NOT NULL,
  sso_enabled INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX organization_slugs ON organizations (slug) WHERE status <> 'deleted';

CREATE TABLE members (
  sequence INTEGER PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (organization_id),
  user_id TEXT REFERENCES users (user_id),
  email TEXT NOT NULL,
  role TEXT NOT NULL,
  status TEXT NOT NULL,
  joined_at INTEGER,
  invited_at INTEGER,
  invited_by TEXT,
  UNIQUE (organization_id, email)
);
CREATE UNIQUE INDEX members_by_user ON members (user_id, organization_id);
CREATE INDEX active_owners ON members (organization_id) WHERE role = 'owner' AND status = 'active';

CREATE TABLE refresh_tokens (
  token TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (user_id),
  organization_id TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  used INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX refresh_tokens_by_user ON refresh_tokens (user_id, expires_at);

CREATE TABLE api_keys (
  sequence INTEGER PRIMARY KEY,
  api_key_id TEXT NOT NULL UNIQUE,
  key TEXT NOT NULL UNIQUE,
  organization_id TEXT NOT NULL REFERENCES organizations (organization_id),
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  expires_at INTEGER,
  created_at INTEGER NOT NULL
);
CREATE INDEX api_keys_by_organization ON api_keys (organization_id);

CREATE TABLE subscriptions (
  organization_id TEXT PRIMARY KEY REFERENCES organizations (organization_id),
  subscription_id TEXT NOT NULL,
  plan TEXT NOT NULL,
  status TEXT NOT NULL,
  anchor INTEGER NOT NULL,
  trial_start INTEGER,
  trial_end INTEGER,
  trial_used INTEGER NOT NULL,
  cancel_at_period_end INTEGER NOT NULL,
  due_at INTEGER
) WITHOUT ROWID;
CREATE INDEX subscriptions_by_due ON subscriptions (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE orders (
  order_id TEXT NOT NULL UNIQUE,
  organization_id TEXT NOT NULL REFERENCES organizations (organization_id),
  number INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (organization_id, number)
) WITHOUT ROWID;

CREATE TABLE checkouts (
  checkout_id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (organization_id),
  plan TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  completes_at INTEGER,
  subscription_id TEXT,
  completed_at INTEGER
) WITHOUT ROWID;
CREATE INDEX checkouts_by_organization ON checkouts (organization_id);
CREATE INDEX checkouts_by_completion ON checkouts (completes_at) WHERE completes_at IS NOT NULL;

CREATE TABLE request_counts (
  organization_id TEXT NOT NULL,
  period_start INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (organization_id, period_start)
) WITHOUT ROWID;

CREATE TABLE databases (
  ref INTEGER PRIMARY KEY AUTOINCREMENT,
  database_id TEXT NOT NULL UNIQUE,
  organization_id TEXT NOT NULL REFERENCES organizations (organization_id),
  name TEXT NOT NULL,
  region TEXT NOT NULL,
  status TEXT NOT NULL,
  ready_at INTEGER,
  settings TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  item_count INTEGER NOT NULL DEFAULT 0,
  storage_bytes INTEGER NOT NULL DEFAULT 0,
  read_units INTEGER NOT NULL DEFAULT 0,
  write_units INTEGER NOT NULL DEFAULT 0,
  usage_updated_at INTEGER NOT NULL
);
CREATE INDEX databases_by_organization ON databases (organization_id, name);
CREATE INDEX databases_in_order ON databases (organization_id);

CREATE TABLE items (
  database_ref INTEGER NOT NULL REFERENCES databases (ref),
  pk TEXT NOT NULL,
  sk TEXT NOT NULL,
  data TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (database_ref, pk, sk)
) WITHOUT ROWID;

CREATE TABLE repositories (
  ref INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id TEXT NOT NULL UNIQUE,
  database_ref INTEGER NOT NULL REFERENCES databases (ref),
  name TEXT NOT NULL,
  entity_name TEXT NOT NULL,
  schema TEXT NOT NULL,
  schema_hash TEXT NOT NULL,
  item_count INTEGER NOT NULL DEFAULT 0,
  storage_bytes INTEGER NOT NULL DEFAULT 0,
  last_sequence INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE INDEX repositories_by_database ON repositories (database_ref, name);

CREATE TABLE entities (
  repository_ref INTEGER NOT NULL REFERENCES repositories (ref),
  sequence INTEGER NOT NULL,
  entity_id TEXT NOT NULL,
  data TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (repository_ref, sequence)
) WITHOUT ROWID;
CREATE UNIQUE INDEX entities_by_id ON entities (repository_ref, entity_id);

CREATE TABLE transaction_tokens (
  database_ref INTEGER NOT NULL REFERENCES databases (ref),
  kind TEXT NOT NULL,
  token TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  status INTEGER NOT NULL,
  body TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (database_ref, kind, token)
) WITHOUT ROWID;
CREATE INDEX transaction_tokens_by_expiry ON transaction_tokens (expires_at);
${sqlCatalogSchema}
`;
