import type { ProblemKind } from "../../../openapi/operations/problems.js";

/** What to do about each kind of error. The `detail` of a response says what exactly was wrong. */
export const problemHelp = {
  "validation-failed":
    "The request is well-formed but violates the contract. Each entry of `errors` points to a field and says what is valid.",
  "malformed-request":
    "A path segment, a query parameter or a header cannot be parsed. Percent-encode path segments, and compare with the API reference.",
  "malformed-body": "Send one JSON value in UTF-8. `detail` says where parsing stopped.",
  "request-too-large": "Send less at once: split a batch, or store large contents elsewhere.",
  "unsupported-media-type": "Send the body as JSON, with `Content-Type: application/json`.",
  "unknown-path":
    "Compare the method and path with the API reference. `detail` names similar paths. Paths of data and management start with /api/v1; paths of logins and health do not.",
  "method-not-allowed": "The `Allow` header lists the methods of this path.",
  unauthenticated:
    "Send `Authorization: Bearer` with an access token or an API key. Tokens expire, by the clock on the Time page: log in again or use the refresh token.",
  forbidden:
    "The credential is valid but lacks a permission, which `detail` names. The People page shows the roles of members and the scopes of API keys.",
  "wrong-credential-kind":
    "Some operations accept only access tokens of users; others also accept API keys. The API reference says which.",
  "foreign-resource":
    "The token is for another organization. Switch with POST /auth/switch-organization, or use a key of the organization that owns the resource.",
  "item-not-found":
    "Compare `pk` and `sk` with the Data page. An item with a sort key can only be found with that sort key.",
  "nothing-to-delete": "There is no item with these keys. Compare them with the Data page.",
  "database-not-found": "Compare the id with the Data page. A name is not an id.",
  "repository-not-found": "Compare the name with the repositories of the database on the Data page.",
  "entity-not-found": "Compare the id with the entities of the repository on the Data page.",
  "organization-not-found": "Compare the id with the People page.",
  "user-not-found": "Compare the id or address with the People page.",
  "api-key-not-found": "Compare the id with the People page. A deleted key cannot be restored.",
  "fault-not-found": "The Faults page lists the rules with their ids. A reset deletes all rules.",
  "too-many-faults": "On the Faults page, delete rules that you no longer need.",
  "not-local":
    "The control plane and the console answer only requests for localhost and IP addresses. Start with `--allow-host NAME` to allow another host name.",
  "namespace-not-found":
    "A namespace is created when it is first used. The Snapshots page lists the existing namespaces.",
  "default-namespace": "The default namespace always exists. Reset it instead.",
  "snapshot-not-found": "The Snapshots page lists the snapshots of this namespace.",
  "limit-reached": "Delete namespaces and snapshots that you no longer need, to free memory.",
  "member-not-found": "Compare the id with the members of the organization on the People page.",
  "plan-not-found": "The operation that lists plans returns their ids.",
  "subscription-not-found":
    "In the current profile, an organization on the free plan has no subscription. Complete a checkout first.",
  "database-unavailable":
    "A new database takes a while to become active. Poll it until its status is Active, or move the clock on the Time page.",
  "condition-failed":
    "The item does not satisfy the condition. Read its current state, then decide whether to write again.",
  "batch-too-large": "Split the batch. The API reference says how many entries one may have.",
  "transaction-too-large":
    "Split the transaction if its parts need not be atomic together. The API reference says how many operations one may have.",
  "item-too-large":
    "The JSON of an item's data has a maximum size in bytes. Split the data into several items with different sort keys.",
  "entry-too-large": "One item of the request exceeds the maximum size, so the whole request was refused.",
  conflict: "Choose another name, or use what already exists under this name.",
  "last-owner": "Make another member an owner first.",
  "personal-organization": "A personal organization exists as long as its user. Delete its contents instead.",
  "organization-with-databases":
    "Under the current profile, only an organization without databases can be deleted. Delete its databases on the Data page first.",
  "deleted-organization": "Under the current profile, a deleted organization can be read but not changed.",
  "lower-plan": "Downgrade in the billing portal, which the Billing page links to.",
  "quota-exhausted":
    "The monthly requests of the plan are used up. Change the plan on the Billing page, or move the clock to the next month.",
  "rate-limited": "Wait for the time given by `Retry-After`, then send the request again.",
  "checkout-not-found": "Compare the id with the `checkoutId` in the response that created the checkout.",
  "checkout-completed": "This checkout is already paid. Create another one for another change of plan.",
  "ceiling-reached":
    "The plan does not allow any more of these. Delete some, or change the plan on the Billing page.",
  "internal-error":
    "This is a bug in the emulator, not in the request. Please report it with the request from the Traffic page.",
} as const satisfies Readonly<Record<ProblemKind, string>>;
