import { getDefaultAnswer, type GapId } from "../../openapi/gaps/register.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { hashText } from "../../openapi/text/hash-text.js";
import type { Fetch } from "../client/exchange.js";
import type { Variant } from "./mutant.js";
import { variants } from "./register.js";

/** Variants that wrap the deployment, the innermost first. */
const combinedVariants: readonly Variant["id"][] = [
  // Data
  "items/offset-cursors",
  "items/lenient-reading",
  "items/narrow-keys",
  "items/ordinary-data",
  "items/slashes-end-paths",
  "batches/other-order",
  "transactions/strict-projections",
  "transactions/uuid-tokens",
  // Repositories
  "entities/ids-of-each-repository",
  "entities/pages-by-time",
  "entities/filter-loose",
  "entities/own-names",
  "entities/versions-hidden",
  "repositories/ordinary-schemas",
  "repositories/repositories-in-the-making",
  "repositories/spelled-out",
  "repositories/distinct-types",
  // SQL
  "sql/types-by-other-names",
  "sql/nulls-left-out",
  "sql/lists-reversed",
  "sql/rows-reversed",
  "sql/count-by-another-name",
  "sql/plain-tables",
  "sql/alter-without-column",
  "sql/indexes-dropped-on-tables",
  "sql/writes-by-whole-key",
  "sql/narrow-types",
  "sql/names-rest",
  "sql/key-among-indexes",
  "sql/defaults-as-expressions",
  "sql/no-rows-affected",
  // Management
  "databases/known-settings",
  "databases/restored-first",
  "databases/short-names-taken",
  "isolation/empty-in-place-of-missing",
  "organizations/digested-names",
  "organizations/names-of-letters",
  "organizations/empty-updates-refused",
  "organizations/second-factor-first",
  "organizations/tokens-of-one-organization",
  "members/invitation-domain",
  "members/deleted-already",
  "billing/orders-of-other-kinds",
  "billing/paths-for-urls",
  "billing/other-active-statuses",
  "plans/list-in-an-object",
  "plans/more-of-a-single-plan",
  "plans/null-for-unknown",
  // Sessions
  "session/no-permissions",
  "session/validating-logins",
  "everywhere/one-session",
  "session/encrypted-tokens",
  // Delays
  "access/unhealthy-at-times",
  "billing/late-counts",
  "everywhere/late-lists",
  "everywhere/short-pages",
  "concurrency/gets-lag-under-writes",
  "everywhere/throttled-batches",
  "everywhere/canceled-transactions-409",
  "everywhere/pending-unlisted",
  // Forms of responses
  "everywhere/wrapped-cursors",
  "everywhere/more-members",
  "everywhere/members-reversed",
  "everywhere/instants-respelled",
  "everywhere/no-media-type",
  "everywhere/unknown-paths-403",
  "everywhere/redirects",
];

/** Answers to gaps that no variant above has. */
const answers: Partial<Profile> = {
  "validation-status": 422,
  "conflict-status": 418,
  "forbidden-status": 404,
  "foreign-resource-status": 403,
  "missing-resource-status": 410,
  "error-body": "error-message",
  "content-type": "ignore",
  "page-limit-max": 50,
  "page-limit-over": "clamp",
  "refresh-organization": "as-login",
  "database-ready": 300,
  "database-deletion": 300,
  "number-precision": "double",
  "delete-missing-item-status": 404,
  "delete-missing-entity": 404,
  "item-updated-at": "never",
  "scan-order": "scattered",
  "transact-get-item": "record",
  "transaction-failed-status": 409,
  "batch-conditions": "fail-entry",
  "entity-list-order": "newest-first",
  "sql-insert-existing": "overwrite",
  "sql-identifier-case": "upper",
  "duplicate-slug": "suffix",
  "deleted-organization": "shown",
  "member-id": "own-id",
  "admin-over-owners": "allowed",
  "free-subscription": 404,
};

/**
 * Creates a deployment with many permitted differences at once.
 *
 * @param mixture selects half of them. Defaults to all.
 */
export function createOddDeployment(mixture?: number) {
  const isChosen = (name: string) => mixture === undefined || hashText(`${mixture}/${name}`) % 2 === 0;
  const parts = combinedVariants.filter(isChosen).map((id) => {
    const found = variants.find((variant) => variant.id === id);
    if (found === undefined) throw new Error(`unknown variant: ${id}`);
    return found;
  });
  const chosen = Object.fromEntries(Object.entries(answers).filter(([gap]) => isChosen(gap)));
  const profile: Partial<Profile> = Object.assign({}, ...parts.map((part) => part.profile ?? {}), chosen);
  const others = Object.entries(profile).filter(
    ([gap, answer]) => JSON.stringify(answer) !== JSON.stringify(getDefaultAnswer(gap as GapId)),
  );
  return {
    profile,
    target: Object.assign({}, ...parts.map((part) => part.target ?? {})) as NonNullable<Variant["target"]>,
    wrap: (fetch: Fetch): Fetch => parts.reduce((inner, { wrap }) => wrap?.(inner) ?? inner, fetch),
    differences: [
      ...parts.map(({ id }) => id),
      ...others.map(([gap, answer]) => `${gap}: ${String(answer)}`),
    ],
  };
}
