import { limits } from "../clauses/limits.js";

/** What a reader of the document has to know before the operations: `info.description`, in Markdown. */
export const guide = `A service that stores data in databases: raw items by partition and sort key, typed repositories, and tables
in SQL. Databases belong to organizations, which have members, API keys and a plan.

## Authentication

Every request but logins, health and the plan catalog carries \`Authorization: Bearer <credential>\`. There are two kinds.

- **Access tokens** are JWTs for a user in one organization, for ${limits.accessTokenSeconds} seconds. \`POST /auth/password\` returns
  one with a refresh token, which \`POST /auth/refresh\` exchanges for new ones within 7 days: each refresh token once.
  \`POST /auth/switch-organization\` returns tokens for another organization. What a token may do follows from the user's
  role in the organization: owner, admin, member or readonly.
- **API keys** are for programs that read and write data: items, entities and SQL. They are made in the dashboard, may
  expire, and have scopes such as \`database:read\`. Management and billing take no keys.

Each operation says which roles and which scope it takes.

## Errors

A refused request has a status from 400 and a problem body (RFC 9457, \`application/problem+json\`): \`type\` is a URL that
names the kind of problem, \`title\` says it in words, \`status\` repeats the HTTP status, and \`detail\` tells what was wrong with this
request. The operations under \`/databases/{databaseId}/sql\` answer with \`code\`, \`message\` and \`details\` instead.

Two operations report failures with status 200: a login, in \`status\`, and a batch write, in \`errors\`.

A client should be ready for 429 (wait as long as \`Retry-After\` says) and for statuses from 500 (try again, if that is
safe).

## Pages

Lists, queries and scans return pages of \`limit\` entries, ${limits.defaultPageSize} by default. Pass \`nextCursor\` of a page as \`cursor\` to get
the next one, with the rest of the request unchanged; it is null on the last page. A page can be shorter than \`limit\`, even
empty, and not be the last. SQL calls the two \`nextPageToken\` and \`pageToken\`.

## Repeating a transaction

A transaction with a \`clientRequestToken\` can be sent again within 10 minutes: it is not executed again, and the original
response comes back. Use a new token for each transaction.

## Limits

| what                    | limit                       |
| ----------------------- | --------------------------- |
| batch write             | ${limits.batchWriteItems} items                    |
| batch get               | ${limits.batchGetKeys} keys                    |
| transactional get       | ${limits.transactGetItems} items                   |
| transactional write     | ${limits.transactWriteItems} items, 4 MB together     |
| item                    | 400 KB                      |
| name of a database      | ${limits.databaseNameLength.minimum} to ${limits.databaseNameLength.maximum} characters          |
| name of an organization | ${limits.organizationNameLength.minimum} to ${limits.organizationNameLength.maximum} characters         |

How many databases, members and requests an organization may have follows from its plan: see \`GET /api/v1/plans\`.

## Values

Timestamps are ISO 8601 in UTC. Identifiers are opaque strings. Integers called \`int64\` can be larger than what a
JavaScript number holds. Paths of login, SQL and health have no version; all others begin with \`/api/v1\`.

## Extensions

\`x-clauses\` names the clauses of the specification that bind an operation. \`x-gap\` marks what the specification leaves
open: the document shows the answer of one profile, and other deployments may differ there. \`x-problems\` lists the kinds
of problems of a response: the last words of their \`type\`.
`;
