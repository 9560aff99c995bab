import type { ProblemKind } from "../../../openapi/operations/problems.js";

/** What to do about each kind of error. The `detail` of a response says what exactly was wrong. */
export const problemHelp = {
  "validation-failed":
    "The request is well-formed, but a field or parameter is missing, unknown or invalid. Each entry in `errors` names a field or parameter and says what is wrong with it.",
  "malformed-request":
    "A path segment, a query parameter or a header cannot be parsed. Percent-encode path segments, and check the request against the API reference.",
  "malformed-body": "Send one JSON value in UTF-8. `detail` gives the position at which parsing stopped.",
  "request-too-large":
    "Send less data in each request: for example, split a batch, or store large content elsewhere.",
  "unsupported-media-type": "Send the body as JSON, with `Content-Type: application/json`.",
  "unknown-path":
    "Check the method and path against the API reference. The `detail` field names a similar path, if there is one. Paths for data and management start with /api/v1; paths for SQL, login and health do not.",
  "method-not-allowed": "The `Allow` header lists the methods that this path supports.",
  unauthenticated:
    "Send `Authorization: Bearer` with an access token or an API key. Tokens expire according to the clock on the Time page. If your token has expired, log in again or use the refresh token.",
  forbidden:
    "The credential is valid but lacks the permission named in `detail`. The People page shows each member's role and each API key's scopes.",
  "wrong-credential-kind":
    "Some operations accept only access tokens, some only API keys, and some both. The API reference lists the credentials that each operation accepts.",
  "foreign-resource":
    "The credential is for another organization. Get a token for the right organization with POST /auth/switch-organization, or use one of its API keys.",
  "item-not-found":
    "Check `pk` and `sk` against the Data page. To read an item that has a sort key, give both keys.",
  "nothing-to-delete": "There is no item with these keys. Check them against the Data page.",
  "database-not-found": "Check the id against the Data page. A database's name is not its id.",
  "repository-not-found": "Check the id against the database's repositories on the Data page.",
  "entity-not-found": "Check the id against the repository's entities on the Data page.",
  "organization-not-found": "Check the id against the People page.",
  "user-not-found": "Check the id or email address against the People page.",
  "api-key-not-found":
    "Check the id against the API keys on the People page. A deleted key cannot be restored.",
  "fault-not-found":
    "The Faults page lists the rules with their ids. Resetting the namespace deletes all rules.",
  "too-many-faults": "On the Faults page, delete rules that you no longer need.",
  "not-local":
    "The control plane and the console respond only to requests whose host is localhost or an IP address. To allow another host name, start the emulator with `--allow-host NAME`.",
  "namespace-not-found":
    "The first request to a namespace creates it. The Snapshots page lists the existing namespaces.",
  "default-namespace": "The default namespace cannot be deleted. Reset it instead.",
  "snapshot-not-found": "The Snapshots page lists the snapshots of this namespace.",
  "limit-reached": "To free memory, delete namespaces and snapshots that you no longer need.",
  "member-not-found": "Check the id against the organization's members on the People page.",
  "plan-not-found": "List the plans: the response contains every plan's id.",
  "subscription-not-found":
    "Under the current profile, an organization on the free plan has no subscription. Complete a checkout first.",
  "database-unavailable":
    "A new database takes a while to become active. Poll the database until its status is Active, or advance the clock on the Time page.",
  "condition-failed":
    "The item does not satisfy the condition. Read its current state, then decide whether to write again.",
  "batch-too-large": "Split the batch. The API reference gives the maximum number of entries per batch.",
  "transaction-too-large":
    "Split the transaction if some of its operations can be applied without the others. The API reference gives the maximum number of operations per transaction.",
  "item-too-large":
    "The item is larger than the maximum size. Split its data into several items with different sort keys.",
  conflict:
    "The name, slug or email address is already in use. Choose another, or use the existing resource.",
  "last-owner": "An organization must have at least one owner. Make another member an owner first.",
  "personal-organization":
    "A personal organization cannot be deleted while its user exists. Delete its contents instead.",
  "deleted-organization": "Under the current profile, a deleted organization can be read but not changed.",
  "lower-plan": "Use the billing portal to downgrade. The Billing page has a link to the portal.",
  "rate-limited": "Wait for the time given by `Retry-After`, then send the request again.",
  "checkout-not-found": "Check the id: use the `checkoutId` from the response that created the checkout.",
  "checkout-completed":
    "This checkout has already been paid. To change the plan again, create another checkout.",
  "ceiling-reached":
    "The organization has reached the plan limit named in `detail`. Delete something that counts toward the limit, " +
    "or switch to a larger plan on the Billing page.",
  "internal-error":
    "This is a bug in the emulator, not in the request. Please report it, and include the request from the Traffic page.",
} as const satisfies Readonly<Record<ProblemKind, string>>;
