import { limits } from "../clauses/limits.js";

/** What a reader of the document has to know before the operations: `info.description`, in Markdown. */
export const apiDescription = `A service that stores data in databases: raw items by partition and sort key, typed repositories, and tables
in SQL. Databases belong to organizations, which have members, API keys and a plan.

## First steps

1. \`POST /auth/password\` logs in and returns tokens for your personal organization (gap \`login-organization\`).
2. \`GET /api/v1/organizations\` lists your organizations, and \`POST /auth/switch-organization\` returns tokens for another one.
3. \`POST /api/v1/management/databases\` creates a database. Wait until \`GET\` shows the status \`Active\`.
4. Put, get and query items in it, create a repository, or create tables with SQL.

## Authentication

Every request but login, refresh, health and the plan catalog carries \`Authorization: Bearer <credential>\`. There are two kinds.

- **Access tokens** are JWTs for a user in one organization, valid for ${limits.accessTokenSeconds} seconds. They come with a
  refresh token, which \`POST /auth/refresh\` exchanges for new tokens within 7 days: each refresh token once. A request with
  an expired token is refused with 401: refresh, then send it again. When the refresh is refused too, log in again.
- **API keys** are for programs that read and write data: items, entities and SQL. They belong to one organization, are
  made in the dashboard, and may expire. Management and billing take no keys.

A credential reaches the resources of its organization alone; those of others are answered as if they were not there (gap
\`foreign-resource-status\`). Each operation says which roles and which scope it takes.

| role       | may                                                                                  |
| ---------- | ------------------------------------------------------------------------------------ |
| \`owner\`    | do everything, such as billing, deleting the organization and assigning any role     |
| \`admin\`    | manage databases, API keys and members, read and write data                          |
| \`member\`   | manage databases and API keys, read and write data                                   |
| \`readonly\` | read                                                                                 |

| scope              | grants                            |
| ------------------ | --------------------------------- |
| \`database:read\`    | reading items                     |
| \`database:write\`   | writing and deleting items        |
| \`database:*\`       | full access to databases          |
| \`repository:read\`  | reading entities                  |
| \`repository:write\` | writing and deleting entities     |
| \`repository:*\`     | full access to repositories       |
| \`*\`                | everything                        |

SQL knows three levels of keys: read, write and admin. They come with \`database:read\`, \`database:write\` and \`database:*\` (gap
\`sql-key-levels\`).

## Errors

A refused request has a status from 400 and a problem body (RFC 9457, \`application/problem+json\`): \`type\` is a URL that
names the kind of problem, \`title\` says it in words, \`status\` repeats the HTTP status, and \`detail\` says what was wrong with this
request. Programs decide by \`type\`; the texts may change. A request that is not valid has a list \`errors\` as well, with the
JSON pointer to each mistake. The usual statuses are:

| status   | means                                                                                       |
| -------- | ------------------------------------------------------------------------------------------- |
| 400      | the request is not valid: mend it                                                           |
| 401      | the credential is missing, expired or unknown                                               |
| 403      | the role or scope does not allow this, or a ceiling of the plan is reached                  |
| 404      | the resource is not there, or belongs to another organization                               |
| 409      | the state forbids it: a name is taken, a condition does not hold, a database is not ready   |
| 413, 415 | the body, an item or a transaction is too large; the body is not \`application/json\`         |
| 429      | too many requests: wait as long as \`Retry-After\` says                                       |
| from 500 | the service failed: try again, if that is safe                                              |

Each operation lists its own statuses and kinds. SQL answers what is wrong with a statement, a missing database or table included, with 400 and another body,
\`code\`, \`message\` and \`details\`; its other refusals are problems. Two more failures hide in a status of 200: a failed login is reported in \`status\`, a failed
batch or transaction in \`errors\`.

## Pages

Lists, queries and scans return pages of \`limit\` entries, ${limits.defaultPageSize} by default and 1000 at most (gap \`page-limit-max\`). Pass \`nextCursor\`
of a page as \`cursor\` to get the next one, with the rest of the request unchanged; it is null on the last page. A page can be
shorter than \`limit\`, even empty, and not be the last: go by \`nextCursor\` alone. SQL calls the two \`nextPageToken\` and
\`pageToken\`. A cursor names the last entry of its page, so entries that are
written or deleted in the meantime neither repeat nor hide others.

## Sending a request again

When an answer is lost, reads, puts without a condition and deletes can be sent again: the data are the same. A transaction
with a \`clientRequestToken\` can be sent again within 10 minutes: it is not executed again, and the original response comes
back. Use a new token for each transaction. What creates something has no token: look at the list before you try again.

## Limits

| what                    | limit                       |
| ----------------------- | --------------------------- |
| batch write             | ${limits.batchWriteItems} items                    |
| batch get               | ${limits.batchGetKeys} keys                    |
| transactional get       | ${limits.transactGetItems} items                   |
| transactional write     | ${limits.transactWriteItems} items, in a request of 4 MB |
| item                    | 400 KB of 1,024 bytes (gap \`size-unit\`): compact JSON of its data in UTF-8, and its keys |
| request body            | 16 MB (gap \`request-bytes-max\`) |
| name of a database      | ${limits.databaseNameLength.minimum} to ${limits.databaseNameLength.maximum} characters          |
| name of an organization | ${limits.organizationNameLength.minimum} to ${limits.organizationNameLength.maximum} characters         |

How many databases, members and requests an organization may have, and how much it may store, follows from its plan: see
\`GET /api/v1/plans\`. What would go over a ceiling is refused with 403 (gap \`ceiling-status\`); gap \`monthly-requests\` says
whether requests are counted.

## Values

Timestamps are ISO 8601 in UTC and set by the service. Identifiers are opaque strings. Keys of items are percent-encoded in
paths, and ordered by their UTF-8 bytes: pad numbers in sort keys with zeros. An item without
sort key comes first. Numbers in data keep all the digits that were
sent, more than a JavaScript number holds. Integers called \`int64\` can be larger than what a JavaScript number holds. An optional field of a request may be null,
which is as if it were left out (gap \`null-optional-members\`). Responses may get more fields: ignore those that you do not
know. Paths of login, SQL and health have no version; all others begin with \`/api/v1\`.

## What is not here

No operation registers a user, verifies an address, takes a second factor, accepts an invitation, or manages API keys, which
the dashboard does. The specification shows no events and no webhooks. It does not say how soon a read shows an earlier write
(here at once), how long a cursor can be used (here without end), and how many requests are allowed in a time.

## Extensions

\`x-clauses\` names the clauses of the specification that bind an operation. \`x-gap\`, or "gap" in a text, marks what the
specification leaves open: the document shows the answer of one profile, and other deployments may differ there. The file
\`openapi/profile.schema.json\` of the package \`data-service-emulator\` has the question and the answers of each. \`x-problems\`
lists the kinds of problems of a response: the last words of their \`type\`.
`;
