import { limits } from "../clauses/limits.js";

/** The introduction to the document: `info.description`, in Markdown. */
export const apiDescription = `A service that stores data in databases: raw items with partition and sort keys, typed repositories, and SQL
tables. Databases belong to organizations, which have members, API keys and a plan.

## First steps

1. \`POST /auth/password\` logs you in and returns tokens for your personal organization (gap \`login-organization\`).
2. \`GET /api/v1/organizations\` lists your organizations, and \`POST /auth/switch-organization\` returns tokens for another organization.
3. \`POST /api/v1/management/databases\` creates a database. Poll the database until its status is \`Active\`.
4. Put, get and query items in the database, create a repository, or create tables with SQL.

## Authentication

All requests except login, refresh, health and the plan catalog need \`Authorization: Bearer <credential>\`. There are two kinds
of credentials.

- **Access tokens** are JWTs for a user in one organization, valid for ${limits.accessTokenSeconds} seconds. They come with a
  refresh token, which is valid for 7 days and can be used once: \`POST /auth/refresh\` exchanges it for new tokens. A
  request with an expired token is rejected with 401: refresh the tokens, then send the request again. If the refresh is
  also rejected, log in again.
- **API keys** are for programs that read and write data: items, entities and SQL. Each key belongs to one organization, is
  created in the dashboard, and can expire. Management and billing do not accept API keys.

A credential gives access only to the resources of its own organization; resources of other organizations are treated as if
they did not exist (gap \`foreign-resource-status\`). Each operation lists the roles and the scope that it accepts.

| role       | may                                                                                  |
| ---------- | ------------------------------------------------------------------------------------ |
| \`owner\`    | do everything, including billing, deleting the organization and assigning any role   |
| \`admin\`    | manage databases, API keys and members; read and write data                          |
| \`member\`   | manage databases and API keys; read and write data                                   |
| \`readonly\` | only read                                                                            |

| scope              | grants                            |
| ------------------ | --------------------------------- |
| \`database:read\`    | reading items                     |
| \`database:write\`   | writing and deleting items        |
| \`database:*\`       | full access to databases          |
| \`repository:read\`  | reading entities                  |
| \`repository:write\` | writing and deleting entities     |
| \`repository:*\`     | full access to repositories       |
| \`*\`                | everything                        |

In SQL, an API key has one of three levels: read with the scope \`database:read\`, write with \`database:write\`, and admin with
\`database:*\`.

## Errors

The response to a rejected request has a status of 400 or higher and a problem body (RFC 9457,
\`application/problem+json\`): \`type\` is a URL
that identifies the kind of problem, \`title\` describes the kind in words, \`status\` repeats the HTTP status, and \`detail\` says
what was wrong with this request. Programs should depend only on \`type\`, because the texts can change. For an invalid
request, \`errors\` lists all mistakes, each with a JSON pointer. The usual statuses are:

| status   | meaning                                                                                     |
| -------- | ------------------------------------------------------------------------------------------- |
| 400      | the request is invalid: correct it                                                          |
| 401      | the credential is missing, expired or unknown                                               |
| 403      | the role or scope does not allow the request, or a plan limit has been reached              |
| 404      | the resource does not exist, or belongs to another organization                             |
| 409      | the current state does not allow the request: for example, a name is taken, a condition is false, or a database is not ready |
| 413, 415 | the body, an item or a transaction is too large; the body is not \`application/json\`         |
| 429      | you sent too many requests: wait as long as \`Retry-After\` says                              |
| 5xx      | the service failed: send the request again if it is safe                                 |

Each operation lists its possible statuses and kinds of problems. SQL operations report mistakes in a statement, including a missing
database or table, with the status 400 and a body with \`code\`, \`message\` and \`details\`; for all other rejections, they return a
problem body. Two kinds of failures have the status 200: failed logins report the reason in \`status\`, and failed batches and
transactions list it in \`errors\`.

## Pages

Lists, queries and scans return pages of \`limit\` entries, ${limits.defaultPageSize} by default and at most 1000 (gap \`page-limit-max\`). To get the next
page, pass the current page's \`nextCursor\` as \`cursor\` and leave the rest of the request unchanged. \`nextCursor\` is null on
the last page. A page can have fewer entries than \`limit\`, or none, without being the last page, so only check
\`nextCursor\`. In SQL, these fields are named \`nextPageToken\` and \`pageToken\`. A cursor identifies the last entry of its page,
so writes and deletions in the meantime do not cause other entries to be repeated or skipped.

## Sending a request again

If a response is lost, you can repeat reads, deletes, and puts without a condition: the data will be the same. You can also repeat a transaction with a \`clientRequestToken\` within 10 minutes: the service returns the original response and does
not execute the transaction again. Use a new token for each transaction. Requests that create a resource have no token: before you try again, check
whether the resource is already listed.

## Limits

| what                    | limit                       |
| ----------------------- | --------------------------- |
| batch write             | ${limits.batchWriteItems} items                    |
| batch get               | ${limits.batchGetKeys} keys                    |
| transactional get       | ${limits.transactGetItems} items                   |
| transactional write     | ${limits.transactWriteItems} items, in a request of at most 4 MB |
| item                    | 400 KB (409,600 bytes), measured as the compact JSON of the data plus the keys, in UTF-8 |
| request body            | 16 MB (gap \`request-bytes-max\`) |
| database name           | ${limits.databaseNameLength.minimum} to ${limits.databaseNameLength.maximum} characters          |
| organization name       | ${limits.organizationNameLength.minimum} to ${limits.organizationNameLength.maximum} characters         |

An organization's plan limits its databases, members, requests and storage: see \`GET /api/v1/plans\`. A request that
would exceed the limit on databases, members or storage is rejected with 403 (gap \`ceiling-status\`). The limit on requests is not enforced.

## Values

Timestamps are in ISO 8601 and UTC, and are set by the service. Identifiers are opaque strings. Item keys are
percent-encoded in paths and ordered by their UTF-8 bytes, so pad numbers in sort keys with zeros. An item without a sort key
comes first. Numbers in data keep all the digits that you send, even those that a JavaScript number cannot represent. Integers with
the format \`int64\` can also be too large for a JavaScript number. An optional field of a request may be null, which
is the same as omitting it (gap \`null-optional-fields\`). Ignore unknown fields in responses, because the service can add fields. Paths for login, SQL and health have no version; all other paths start with \`/api/v1\`.

## What is not included

The API has no operations for signing up, verifying an email address, entering a second factor, accepting an invitation or
managing API keys: users do all of this in the dashboard.
The specification has no events and no webhooks. It does not say how soon a read shows an earlier write (here: immediately), how long
you can use a cursor (here: forever), or how many requests you can send per second.

## Extensions

\`x-clauses\` lists the clauses of the specification that apply to an operation. \`x-gap\`, or the word "gap" in a
description, marks a question that the specification leaves open: the document shows the answer of one profile, and other
deployments may behave differently. Descriptions assume the default answers; a document for another profile lists its answers at
the end. The file \`openapi/profile.schema.json\` of the package \`data-service-emulator\`
contains the question and the answers of each gap. \`x-problems\` lists the kinds of problems that a response may report:
the last segments of their \`type\`.
`;
