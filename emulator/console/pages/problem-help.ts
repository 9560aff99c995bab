import type { ProblemKind } from "../../../openapi/operations/problems.js";

/** What to do about each kind of error, in a sentence or two. `detail` of the answer says what exactly was wrong. */
export const problemHelp = {
  "validation-failed":
    "The request is well-formed, but violates the contract. Each entry of `errors` points to a field and says what is valid.",
  "malformed-request":
    "A path segment, a query parameter or a header cannot be parsed. Percent-encode path segments, and compare with the API reference.",
  "malformed-body": "Send one JSON value in UTF-8. `detail` says where reading stopped.",
  "request-too-large": "Send less at once: split a batch, or keep large contents elsewhere.",
  "unsupported-media-type": "Send the body as JSON, with `Content-Type: application/json`.",
  "unknown-path":
    "Compare method and path with the API reference. `detail` names similar paths; data and management are below /api/v1, logins and health are not.",
  "method-not-allowed": "The header `Allow` lists what this path takes.",
  unauthenticated:
    "Send `Authorization: Bearer` with an access token or an API key. Tokens expire: log in again or use the refresh token; the page Time shows the clock that decides this.",
  forbidden:
    "The credential is valid but lacks the permission. The page People shows roles of members and scopes of API keys; `detail` names the one required.",
  "wrong-credential-kind":
    "Some operations take only access tokens of users, others API keys as well. The API reference says which.",
  "foreign-resource":
    "The token is for another organization. Switch with POST /auth/switch-organization, or use a key of the organization that owns the resource.",
  "item-not-found":
    "Compare `pk` and `sk` with the page Data. An item with a sort key is not found without it.",
  "nothing-to-delete": "There is no item with these keys. Look at the page Data.",
  "database-not-found": "Compare the id with the page Data. A name is not an id.",
  "repository-not-found": "Compare the name with the repositories of the database on the page Data.",
  "entity-not-found": "Compare the id with the entities of the repository on the page Data.",
  "organization-not-found": "Compare the id with the page People.",
  "user-not-found": "Compare the id or address with the page People.",
  "api-key-not-found": "Compare the id with the page People. A key that was removed does not come back.",
  "fault-not-found": "The page Faults lists the rules with their ids. A reset removes them.",
  "too-many-faults": "Remove rules that are not needed any more on the page Faults.",
  "not-local":
    "The control plane and the console answer only under localhost and IP addresses. Start with `--allow-host NAME` to allow another host name.",
  "namespace-not-found": "A namespace is created on first use. The page Snapshots lists the existing ones.",
  "default-namespace": "Reset it instead: the default namespace is always there.",
  "snapshot-not-found": "The page Snapshots lists what was saved in this namespace.",
  "limit-reached": "Delete what is not needed any more: namespaces and snapshots hold memory.",
  "member-not-found": "Compare the id with the members of the organization on the page People.",
  "plan-not-found": "The operation that lists plans gives their ids.",
  "subscription-not-found":
    "In the current profile, an organization on the free plan has no subscription. Complete a checkout first.",
  "database-unavailable":
    "A new database takes a while to become active. Poll it until its status is Active, or move the clock on the page Time.",
  "condition-failed": "The state of the item does not meet the condition. Read it, decide, and write again.",
  "batch-too-large": "Split the batch. The API reference says how many entries one may have.",
  "transaction-too-large":
    "Split the transaction if its parts need not be atomic together. The API reference says how many operations one may have.",
  "item-too-large":
    "The JSON of an item's data has a maximum size in bytes. Split it over several sort keys.",
  "entry-too-large": "One item of the request is over the largest size, and all of it was refused for that.",
  conflict: "Choose another name, or use what is there under this one.",
  "last-owner": "Make another member an owner first.",
  "personal-organization": "A personal organization stays as long as its user. Remove what is in it instead.",
  "organization-with-databases":
    "In the current profile only an empty organization can be deleted. Delete its databases on the page Databases first.",
  "deleted-organization": "In the current profile a deleted organization can still be read, but not changed.",
  "lower-plan": "Downgrade in the billing portal, to which the page Billing leads.",
  "quota-exhausted":
    "The monthly requests of the plan are used up. Change the plan on the page Billing, or move the clock to the next month.",
  "rate-limited": "Wait as long as `Retry-After` says and send it again.",
  "checkout-not-found": "The page Billing lists checkouts of an organization.",
  "checkout-completed": "This checkout is paid. Begin a new one for another change of plan.",
  "ceiling-reached": "The plan allows no more of these. Delete some, or change the plan on the page Billing.",
  "internal-error":
    "This is a bug in the emulator, not in the request. Please report it with the request from the page Traffic.",
} as const satisfies Readonly<Record<ProblemKind, string>>;
