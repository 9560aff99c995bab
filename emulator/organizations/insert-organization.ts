import { limits } from "../../openapi/clauses/limits.js";
import { getPlanLimits, startSubscription } from "../billing/subscription.js";
import type { OrganizationRow } from "../store/organizations.js";
import type { Store } from "../store/store.js";
import type { UserRow } from "../store/users.js";
import { findUnusedSlug } from "./slug.js";

/** The initial values of an organization. */
type NewOrganization = Pick<
  OrganizationRow,
  "organizationId" | "name" | "slug" | "plan" | "ownerUserId" | "billingEmail" | "isPersonal"
> & { readonly now: number };

/** Adds an organization with the ceilings and a subscription of its plan. Members are added separately. */
export function insertOrganization(store: Store, { now, ...given }: NewOrganization): void {
  const { organizationId, plan } = given;
  store.organizations.insert({
    ...given,
    ...getPlanLimits(plan),
    status: "active",
    allowedRegions: null,
    requireMfa: false,
    ssoEnabled: false,
    createdAt: now,
    updatedAt: now,
  });
  const subscriptionId = `sub_${organizationId.replace(/^org_/, "")}`;
  startSubscription(store, { organizationId, subscriptionId, plan, trial: false, now });
}

/** Returns the name of a user's personal organization, truncated to the maximum length. */
export function getPersonalOrganizationName(userName: string): string {
  const cut = `Personal organization of ${userName}`.slice(0, limits.organizationNameLength.maximum);
  // The end may be half of a surrogate pair.
  return cut.replace(/[\uD800-\uDBFF]$/, "");
}

/** Returns the slug of a personal organization, unless another organization has it. */
export function toPersonalSlug(organizationId: string): string {
  return organizationId.replaceAll("_", "-");
}

/** Adds the personal organization of a new user (clause AUTH-27). */
export function insertPersonalOrganization(store: Store, user: UserRow): void {
  const { personalOrganizationId: organizationId, createdAt: now } = user;
  let suffix = 1;
  insertOrganization(store, {
    organizationId,
    name: getPersonalOrganizationName(user.name),
    slug: findUnusedSlug(toPersonalSlug(organizationId), store.organizations.hasSlug, () =>
      String((suffix += 1)),
    ),
    plan: "free",
    ownerUserId: user.userId,
    billingEmail: user.email,
    isPersonal: true,
    now,
  });
  insertFirstOwner(store, organizationId, user, now);
}

/** Adds the creator of an organization as its first member. */
export function insertFirstOwner(
  store: Store,
  organizationId: string,
  { userId, email }: Pick<UserRow, "userId" | "email">,
  now: number,
): void {
  store.organizations.insertMember({
    organizationId,
    userId,
    email,
    role: "owner",
    status: "active",
    joinedAt: now,
    invitedAt: null,
    invitedBy: null,
  });
}
