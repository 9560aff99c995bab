import { createHash } from "node:crypto";
import { parseClaims } from "../client/claims.js";
import { findMember, hasRole } from "./organizations.js";
import { type Variant, variant } from "./mutant.js";
import {
  type AnyJson,
  type InterceptedRequest,
  type Interceptor,
  changeBody,
  createErrorResponse,
  createSuccessResponse,
  noContentResponse,
} from "./intercept.js";
import { truncateTimestampsToSeconds, rewriteResponses } from "./rewrite-responses.js";

const organizationOperations = /^(?!create|switch).*(?:Organization|Members?)$/;

/** Whether a token is for an organization other than the one in the path. */
function isOfOtherOrganization({ credential, path }: InterceptedRequest): boolean {
  const { org } = parseClaims(credential);
  return org !== undefined && org !== path.organizationId;
}

/** Whether a database has content. */
async function hasContent({ path: { databaseId }, ask }: InterceptedRequest): Promise<boolean> {
  const management = `/api/v1/management/databases/${databaseId}/repositories`;
  const lists = [
    (await ask("POST", `/api/v1/databases/${databaseId}/items/scan`, {})).body?.items,
    (await ask("GET", management)).body?.repositories,
    (await ask("GET", `/databases/${databaseId}/sql/tables`)).body?.tables,
  ];
  return lists.some((list) => list?.length > 0);
}

const letters = /^[A-Za-z]+$/;

/** An admin may not give the role admin to other members. */
const forbidAdminsByAdmins: Interceptor = (request) => {
  if (request.body?.role === "admin" && request.memory.get(request.credential) === "admin")
    return createErrorResponse(403);
  return request.operationId === "switchOrganization"
    ? changeBody(request.send(), ({ accessToken, roles }) => request.memory.set(accessToken, roles?.[0]))
    : request.send();
};

/** Generates slugs in a different form, and again when the name changes. */
const digestSlugs: Interceptor = async (request) => {
  const response = await request.send();
  const id: unknown = response.body?.organizationId;
  const isCreated = response.status === 201 && request.body.slug === undefined;
  const isRenamed = response.status === 200 && request.body?.name !== undefined;
  if (isCreated || (isRenamed && request.memory.get(id) !== undefined)) {
    const digest = createHash("sha256").update(String(request.body.name)).digest("hex");
    request.memory.set(id, `${digest.slice(0, 12)}-${request.memory.add("slugs")}`);
  }
  return changeBody(response, (body) => (body.slug = request.memory.get(id) ?? body.slug));
};

/** Times are in whole seconds, and the items of a database have never been counted since its creation. */
const countOnce: Interceptor = (request) =>
  changeBody(truncateTimestampsToSeconds(request), (body) => {
    for (const { usage, createdAt } of body.databases ?? [body])
      if (usage !== undefined) Object.assign(usage, { itemCount: 0, lastUpdated: createdAt });
  });

/** Harmless differences in databases, organizations, members and billing. */
export const managementVariants: readonly Variant[] = [
  variant("organizations/second-factor-first", "updateOrganization").rejectRequests(
    (request) => request.body?.settings?.requireMfa === true,
    409,
  ),
  variant("organizations/second-factor-next", ["getOrganization", "updateOrganization"]).rejectRequests(
    ({ body, memory, path }) => {
      const isClosed: unknown = memory.get(path);
      if (body?.settings?.requireMfa === true) memory.set(path, true);
      return isClosed === true;
    },
    403,
  ),
  variant("organizations/tokens-of-one-organization", organizationOperations, {
    alsoIn: ["members", "session", "sequences", "access", "billing"],
  }).rejectRequests(isOfOtherOrganization, 403),
  variant("organizations/tokens-of-one-deleted-organization", organizationOperations, {
    profile: { "deleted-organization": "shown" },
  }).rejectRequests(isOfOtherOrganization, 403),
  variant("plans/list-in-an-object", "listPlans").replaceResponse(200, (_, { body: plans, ...response }) => ({
    ...response,
    body: { plans },
  })),
  variant("plans/inactive-plan-with-other-terms", ["listPlans", "getPlan"]).by(async (request) => {
    const planId = "pro-of-last-year";
    if (request.path.planId === planId) return createSuccessResponse(request.memory.get(planId));
    const response = await request.send();
    if (!Array.isArray(response.body)) return response;
    const pro: AnyJson = response.body.find(({ planType }: AnyJson) => planType === "pro");
    const inactive = { ...pro, planId, isActive: false, monthlyPriceCents: 1900 };
    return { ...response, body: [...response.body, request.memory.set(planId, inactive)] };
  }),
  variant("plans/more-of-a-single-plan", "getPlan").changeResponseBody((body) => {
    // their order is not documented
    body.features.reverse();
    body.terms = "as of today";
    if (body.limits !== null) body.limits.maxRegions = 2;
    for (const feature of body.features) feature.since = "1.0";
  }),
  variant("members/invitation-domain", ["inviteMember", "createOrganization", "updateOrganization"], {
    alsoIn: ["organizations", "access"],
    target: { invitationDomain: "invited.example.org" },
  }).rejectRequests(({ body }) =>
    [body?.email, body?.billingEmail].some(
      (address) => typeof address === "string" && !/@(?:invited\.example\.org|certify\.test)$/.test(address),
    ),
  ),
  variant("databases/one-region", "createDatabase").rejectRequests(
    ({ body }) => body?.region !== "eu-central-1",
    422,
  ),
  variant("databases/known-settings", "createDatabase").replaceRequestField("settings", () => ({})),
  variant(
    "organizations/names-of-letters",
    ["createOrganization", "updateOrganization", "createRepository"],
    {
      alsoIn: ["members", "billing", "access", "sequences", "isolation", "repositories", "entities"],
    },
  ).rejectRequests(({ body }) => typeof body?.name === "string" && !letters.test(body.name), 422),
  // Deleting a deleted member again succeeds, and members have ids of other resources.
  variant("members/deleted-already", /^(?:list|invite|update|remove)Member/).by(async (request) => {
    const { operationId, memory, path } = request;
    const response = await request.send();
    // Another 404 may mean that the caller is not allowed to remove members.
    if (operationId === "removeMember" && response.status === 404 && memory.get(path) === true)
      return noContentResponse;
    if (operationId === "removeMember" && response.status === 204) memory.set(path, true);
    return changeBody(response, (body) => {
      for (const member of body.members ?? [body]) member.teamId = "team-1";
    });
  }),
  variant("members/admins-make-no-admins", ["switchOrganization", "inviteMember", "updateMember"]).by(
    forbidAdminsByAdmins,
  ),
  variant("members/same-role-refused", "updateMember").rejectRequests(async (request) => {
    const member = await findMember(request);
    return member !== undefined && member.role === request.body?.role;
  }, 409),
  variant("organizations/empty-updates-refused", "updateOrganization").rejectRequests(
    ({ body }) => !["name", "billingEmail", "settings"].some((name) => body?.[name] !== undefined),
  ),
  variant("access/admins-keep-billing-address", "updateOrganization").rejectRequests(
    async (request) => request.body?.billingEmail !== undefined && (await hasRole("admin")(request)),
    403,
  ),
  variant("databases/empty-databases-deleted", "deleteDatabase", {
    alsoIn: ["items", "billing", "access", "isolation", "sequences", "sql"],
  }).rejectRequests(hasContent, 409),
  variant("billing/paths-for-urls", ["createCheckout", "getPaymentPortal"]).changeResponseBody((body) => {
    for (const name of ["checkoutUrl", "portalUrl"])
      if (name in body) body[name] = new URL(body[name] as string).pathname;
  }),
  variant("billing/orders-of-other-kinds", "getPaymentInfo").changeResponseBody((body) => {
    for (const priced of [body, body.latestOrder, ...body.product.prices])
      Object.assign(priced, { currency: "JPY", amount: Math.round(priced.amount / 100) });
    Object.assign(body.latestOrder, { amount: -500, invoiceNumber: 1001 });
    for (const part of [body.product, ...body.product.prices]) part.recurringInterval = null;
  }),
  variant("billing/trial-without-checkout", [
    "createCheckout",
    "getPaymentInfo",
    "getPaymentStatus",
  ]).changeResponseBody((body, { operationId, credential, memory }) => {
    if (operationId === "createCheckout") memory.set(credential, true);
    else if (body.status === "trialing" && memory.get(credential) === true)
      Object.assign(body, { status: "active", isTrial: false, trialStart: null, trialEnd: null });
  }),
  variant("billing/plan-of-account", "getOrganization").replaceField("plan", "free"),
  variant("organizations/members-that-change", /./, { alsoIn: ["databases", "repositories", "sql"] }).by(
    // An undocumented field has a different value each time.
    rewriteResponses({ object: (own, { memory }) => ({ ...own, shown: memory.add("objects") }) }),
  ),
  variant("organizations/corrected-slugs", "createOrganization").rewriteText("slug", /[^A-Za-z0-9-]+/g, "-"),
  variant("organizations/digested-names", ["createOrganization", "getOrganization", "updateOrganization"]).by(
    digestSlugs,
  ),
  variant("databases/short-names-taken", "createDatabase").rejectRequests(
    ({ body, memory }) => body?.name?.length === 3 && memory.add("names") % 3 > 0,
    409,
  ),
  // A new database temporarily has an additional status.
  variant("databases/restored-first", "getDatabase").replaceField("status", (status, { memory, path }) => {
    const looks = memory.add(path);
    return looks > 2 ? status : looks === 1 ? "Creating" : "Restoring";
  }),
  variant("billing/other-active-statuses", "getPaymentStatus").changeResponseBody((body) => {
    if (["trialing", "past_due", "canceled"].includes(body.status))
      body.isActive = body.status === "canceled";
  }),
  variant("billing/no-subscription-for-free", /^(?:getOrganization|getPayment.*|createCheckout)$/, {
    alsoIn: ["access", "isolation"],
  }).by(async (request) => {
    if (request.operationId === "getOrganization")
      return changeBody(request.send(), (body) => (body.plan = "free"));
    // The wrapped deployment has the largest plan.
    if (request.operationId === "createCheckout")
      return request.send(request.body?.planType === "pro" ? { body: { planType: "enterprise" } } : {});
    const response = await request.send();
    // Callers without access are still refused.
    return response.status < 300 ? createErrorResponse(404) : response;
  }),
  // Checkouts are possible for upgrades only, and one at a time.
  variant("billing/upgrades-alone", "createCheckout", { alsoIn: ["access"] }).by(async (request) => {
    const { org } = parseClaims(request.credential);
    const { body } = await request.ask("GET", "/api/v1/payment/status");
    if (body?.planType === "enterprise" || request.memory.get(org) === true) return createErrorResponse(409);
    const response = await request.send();
    if (response.status === 200) request.memory.set(org, true);
    return response;
  }),
  variant("databases/counted-once", /./, { target: { countLagMs: 300 } }).by(countOnce),
  variant("billing/figures-of-a-day", "getUsage").changeResponseBody((body, { memory }) =>
    Object.assign(body, memory.keepFirst("usage", { ...body, totalCost: -0.5 })),
  ),
  variant("plans/null-for-unknown", "getPlan").replaceResponse(
    ({ status }) => status === 404 || status === 410,
    () => createSuccessResponse(null),
  ),
];
