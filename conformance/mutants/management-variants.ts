import { createHash } from "node:crypto";
import { parseClaims } from "../client/claims.js";
import { createErrorResponse, createSuccessResponse, noContentResponse } from "./tampers.js";
import { type Variant, variant, defineVariantInAreas } from "./mutant.js";
import {
  type AnyJson,
  type InterceptedRequest,
  type Interceptor,
  intercept,
  changeBody,
} from "./intercept.js";
import { inSeconds, rewriteResponses } from "./rewrite-answers.js";

const organizationOperations = /^(?!create|switch).*(?:Organization|Members?)$/;

/** Whether a token is for an organization other than the one in the path. */
function isOfOtherOrganization({ credential, path }: InterceptedRequest): boolean {
  const { org } = parseClaims(credential);
  return org !== undefined && org !== path.organizationId;
}

const domain = "invited.example.org";

/** A database can be deleted only if it is empty. */
const deleteOnlyEmptyDatabases: Interceptor = async (wire) => {
  const { databaseId } = wire.path;
  const management = `/api/v1/management/databases/${databaseId}/repositories`;
  const lists = [
    (await wire.ask("POST", `/api/v1/databases/${databaseId}/items/scan`, {})).body?.items,
    (await wire.ask("GET", management)).body?.repositories,
    (await wire.ask("GET", `/databases/${databaseId}/sql/tables`)).body?.tables,
  ];
  return lists.some((list) => list?.length > 0) ? createErrorResponse(409) : wire.send();
};

const letters = /^[A-Za-z]+$/;

/** An admin may not give the role admin to other members. */
const forbidAdminsByAdmins = (): Interceptor => {
  const admins = new Set<string | undefined>();
  return async (wire) => {
    if (wire.body?.role === "admin" && admins.has(wire.credential)) return createErrorResponse(403);
    const response = await wire.send();
    if (wire.operationId === "switchOrganization" && response.body?.roles?.[0] === "admin")
      admins.add(response.body.accessToken);
    return response;
  };
};

/** Creates a function that adds an undocumented field, with a different value each time. */
function addChangingField(): (own: object) => object {
  let number = 0;
  return (own) => ({ ...own, shown: ++number });
}

/** Generates slugs in a different form. */
const digestSlugs: () => Interceptor = () => {
  const slugs = new Map<string, string>();
  return async (wire) => {
    const response = await wire.send();
    const id = String(response.body?.organizationId);
    if (response.status === 201 && wire.body.slug === undefined) {
      const digest = createHash("sha256").update(String(wire.body.name)).digest("hex");
      slugs.set(id, `${digest.slice(0, 12)}-${slugs.size + 1}`);
    }
    return changeBody(response, (body) => (body.slug = slugs.get(id) ?? body.slug));
  };
};

/** A new database temporarily has an additional status. */
const restoreFirst: () => Interceptor = () => {
  const looks = new Map<string, number>();
  return async (wire) => {
    const { databaseId = "" } = wire.path;
    const seen = (looks.get(databaseId) ?? 0) + 1;
    looks.set(databaseId, seen);
    const response = await wire.send();
    return seen > 2
      ? response
      : changeBody(response, (body) => (body.status = seen === 1 ? "Creating" : "Restoring"));
  };
};

/** Times are in whole seconds, and the items of a database have never been counted since its creation. */
const countOnce: Interceptor = async (wire) => {
  return changeBody(await inSeconds()(wire), (body) => {
    for (const { usage, createdAt } of body.databases ?? [body])
      if (usage !== undefined) Object.assign(usage, { itemCount: 0, lastUpdated: createdAt });
  });
};

/** Harmless differences in databases, organizations, members and billing. */
export const managementVariants: readonly Variant[] = [
  variant("organizations/second-factor-first", "updateOrganization").rejectRequests(
    409,
    (wire) => wire.body?.settings?.requireMfa === true,
  ),
  variant("organizations/second-factor-next", ["getOrganization", "updateOrganization"]).by(() => {
    const closed = new Set<string>();
    return async (wire) => {
      if (closed.has(wire.path.organizationId ?? "")) return createErrorResponse(403);
      if (wire.body?.settings?.requireMfa === true) closed.add(wire.path.organizationId ?? "");
      return wire.send();
    };
  }),
  ...defineVariantInAreas(
    ["organizations", "members", "session", "sequences", "access", "billing"],
    "tokens-of-one-organization",
    organizationOperations,
  ).rejectRequests(403, isOfOtherOrganization),
  variant("organizations/tokens-of-one-deleted-organization", organizationOperations, {
    profile: { "deleted-organization": "shown" },
  }).rejectRequests(403, isOfOtherOrganization),
  variant("plans/more-of-a-single-plan", "getPlan").changeResponseBody((body) => {
    body.terms = "as of today";
    if (body.limits !== null) body.limits.maxRegions = 2;
    for (const feature of body.features) feature.since = "1.0";
  }),
  ...(["members", "organizations", "access"] as const).map((area): Variant => ({
    id: `${area}/invitation-domain`,
    target: { invitationDomain: domain },
    wrap: (fetch) =>
      intercept(fetch, ["inviteMember", "createOrganization", "updateOrganization"], (wire) => {
        const { email, billingEmail } = (wire.body ?? {}) as { email?: unknown; billingEmail?: unknown };
        const isForeign = [email, billingEmail].some(
          (address) =>
            typeof address === "string" && !/@(?:invited\.example\.org|certify\.test)$/.test(address),
        );
        return isForeign ? Promise.resolve(createErrorResponse(400)) : wire.send();
      }),
  })),
  variant("databases/known-settings", "createDatabase").changeRequestBody((body) =>
    body.settings === undefined ? undefined : { ...body, settings: {} },
  ),
  ...defineVariantInAreas(
    ["organizations", "members", "billing", "access", "sequences", "isolation", "repositories", "entities"],
    "names-of-letters",
    ["createOrganization", "updateOrganization", "createRepository"],
  ).rejectRequests(422, ({ body }) => typeof body?.name === "string" && !letters.test(body.name)),
  // Deleting a missing member succeeds, and members have ids of other resources.
  variant("members/deleted-already", /^(?:list|invite|update|remove)Member/).by(() => async (wire) => {
    const response = await wire.send();
    if (wire.operationId === "removeMember" && response.status === 404 && !isOfOtherOrganization(wire))
      return noContentResponse;
    return changeBody(response, (body) => {
      for (const member of body.members ?? [body]) member.teamId = "team-1";
    });
  }),
  variant("members/admins-make-no-admins", ["switchOrganization", "inviteMember", "updateMember"]).by(
    forbidAdminsByAdmins,
  ),
  variant("members/same-role-refused", "updateMember").by(() => async (wire) => {
    const { organizationId, memberId } = wire.path;
    const { body } = await wire.ask("GET", `/api/v1/organizations/${organizationId}/members`);
    const member = body?.members?.find((one: AnyJson) => [one.userId, one.email].includes(memberId));
    const isSame = member !== undefined && member.role === wire.body?.role;
    return isSame ? createErrorResponse(409) : wire.send();
  }),
  variant("organizations/empty-updates-refused", "updateOrganization").rejectRequests(
    400,
    ({ body }) => !["name", "billingEmail", "settings"].some((name) => body?.[name] !== undefined),
  ),
  ...defineVariantInAreas(
    ["databases", "items", "billing", "access", "isolation", "sequences", "sql"],
    "empty-databases-deleted",
    ["deleteDatabase"],
  ).by(() => deleteOnlyEmptyDatabases),
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
  variant("billing/trial-without-checkout", ["createCheckout", "getPaymentInfo", "getPaymentStatus"]).by(
    () => {
      const buyers = new Set<string | undefined>();
      return async (wire) => {
        if (wire.operationId === "createCheckout") buyers.add(wire.credential);
        return changeBody(await wire.send(), (body) => {
          if (body.status === "trialing" && buyers.has(wire.credential))
            Object.assign(body, { status: "active", isTrial: false, trialStart: null, trialEnd: null });
        });
      };
    },
  ),
  variant("billing/plan-of-account", "getOrganization").replaceField("plan", "free"),
  ...defineVariantInAreas(
    ["organizations", "databases", "repositories", "sql"],
    "members-that-change",
    /./,
  ).by(() => rewriteResponses({ object: addChangingField() })()),
  variant("organizations/digested-names", ["createOrganization", "getOrganization", "updateOrganization"]).by(
    digestSlugs,
  ),
  variant("databases/short-names-taken", "createDatabase").by(() => {
    let number = 0;
    return async (wire) =>
      wire.body?.name?.length === 3 && ++number % 3 > 0 ? createErrorResponse(409) : wire.send();
  }),
  variant("databases/restored-first", "getDatabase").by(restoreFirst),
  variant("billing/canceled-to-the-end", "getPaymentStatus").changeResponseBody((body) => {
    if (body.status === "canceled") body.isActive = true;
  }),
  ...defineVariantInAreas(
    ["billing", "access", "isolation"],
    "no-subscription-for-free",
    /^(?:getOrganization|getPayment.*|createCheckout)$/,
  ).by(() => async (wire) => {
    if (wire.operationId === "getOrganization")
      return changeBody(await wire.send(), (body) => {
        body.plan = "free";
      });
    // The wrapped deployment has the largest plan.
    if (wire.operationId === "createCheckout")
      return wire.send(wire.body?.planType === "pro" ? { body: { planType: "enterprise" } } : {});
    const response = await wire.send();
    // Callers without access are still refused.
    return response.status < 300 ? createErrorResponse(404) : response;
  }),
  ...defineVariantInAreas(["billing", "access"], "upgrades-alone", "createCheckout").by(
    () => async (wire) => {
      const { body } = await wire.ask("GET", "/api/v1/payment/status");
      return body?.planType === "enterprise" ? createErrorResponse(409) : wire.send();
    },
  ),
  variant("databases/counted-once", /./, { target: { countLagMs: 300 } }).by(() => countOnce),
  variant("billing/figures-of-a-day", "getUsage").by(() => {
    let made: object | undefined;
    return async (wire) => {
      const response = await wire.send();
      made ??= { ...response.body, totalCost: -0.5 };
      return changeBody(response, (body) => Object.assign(body, made));
    };
  }),
  variant("plans/null-for-unknown", "getPlan").replaceResponse(
    ({ status }) => status === 404 || status === 410,
    () => createSuccessResponse(null),
  ),
];
