import type { accessGaps } from "../../openapi/gaps/access.js";
import { anonymous, type ApiResponse, type Caller, callerWithUnknownCredential } from "../client/client.js";
import { isSuccess } from "../client/is-success.js";
import { readUntil } from "../steps/read-until.js";
import { createAcceptanceObserver, createRefusalStatusObserver, createObserver } from "./create-observers.js";
import type { GapObservers } from "./observer.js";
import type { ObserverContext } from "./observer-context.js";
import { databaseList, readPages } from "../steps/pages.js";

function switchTo(context: ObserverContext, as: Caller, organizationId: string): Promise<ApiResponse> {
  return context.callSuccessfully("switchOrganization", { as, body: { organizationId } });
}

export const accessObservers = {
  "unauthenticated-status": createRefusalStatusObserver(["database"], async (context) => {
    const path = { databaseId: await context.database() };
    const body = { partitionKey: context.resources.createName() };
    const forged = { name: "forged", credential: "aa.bb.cc" };
    return [
      await context.tryCall("listDatabases", { as: anonymous, skipRenewal: true }),
      await context.tryCall("listDatabases", {
        as: callerWithUnknownCredential,
        skipRenewal: true,
      }),
      await context.tryCall("listDatabases", { as: forged, skipRenewal: true }),
      await context.tryCall("queryItems", {
        path,
        body,
        as: callerWithUnknownCredential,
        skipRenewal: true,
      }),
    ];
  }),
  "forbidden-status": createRefusalStatusObserver(["database", "readonly"], async (context) => {
    const as = await context.actor("readonly");
    const path = { databaseId: await context.database() };
    const name = context.resources.createName();
    return [
      await context.tryDatabase({}, { as }),
      await context.tryCall("createRepository", {
        as,
        path,
        body: { name, entityName: "Thing" },
      }),
      // An empty update changes nothing.
      await context.tryCall("updateOrganization", {
        as,
        path: { organizationId: await context.getOrganizationId("owner") },
        body: {},
      }),
      ...(context.check.offers("key database:read")
        ? [
            await context.tryCall("deleteItem", {
              as: await context.check.actors.getKeyCaller("database:read"),
              path: { ...path, pk: name },
              skipRenewal: true,
            }),
          ]
        : []),
    ];
  }),
  "wrong-credential-kind-status": createRefusalStatusObserver(["key *"], async (context) => {
    const as = await context.check.actors.getKeyCaller("*");
    return [
      await context.tryCall("listDatabases", { as, skipRenewal: true }),
      await context.tryCall("listOrganizations", { as, skipRenewal: true }),
    ];
  }),
  "data-credential": createAcceptanceObserver(
    ["database"],
    ["jwt-or-api-key", "api-key"],
    async (context) => {
      const call = {
        path: { databaseId: await context.database() },
        body: { partitionKey: context.resources.createName() },
      };
      await context.callSuccessfully("queryItems", call);
      return context.tryCall("queryItems", {
        ...call,
        as: await context.actor("owner"),
        skipRenewal: true,
      });
    },
  ),
  "foreign-resource-status": createRefusalStatusObserver(["database", "outsider"], async (context) => {
    const as = await context.actor("outsider");
    return [
      await context.tryCall("getDatabase", {
        as,
        path: { databaseId: await context.database() },
      }),
      await context.tryCall("getOrganization", {
        as,
        path: { organizationId: await context.getOrganizationId("owner") },
      }),
    ];
  }),
  "missing-resource-status": createRefusalStatusObserver(["database", "repositories"], async (context) => {
    const databaseId = await context.database();
    const repositoryId = await context.resources.createRepository(databaseId);
    const entity = await context.callSuccessfully("createEntity", {
      path: { repositoryId },
      body: { data: {} },
    });
    const path = { repositoryId, entityId: entity.body.id as string };
    await context.callSuccessfully("deleteEntity", { path });
    const missingEntity = await context.tryCall("getEntity", { path });
    await context.callSuccessfully("deleteRepository", { path: { databaseId, repositoryId } });
    return [missingEntity, await context.tryCall("getRepository", { path: { databaseId, repositoryId } })];
  }),
  "login-organization": createObserver({ needs: ["database", "member"], alone: true }, async (context) => {
    const { email, password } = await context.check.actors.getLogin("member");
    const databaseId = await context.database();
    const path = { databaseId };
    await context.callSuccessfully("getDatabase", { path, as: await context.actor("member") });
    const login = async () => {
      const session = await context.check.actors.startSession({ email, password }, "member, new login");
      const as = { name: "member, new login", credential: session.accessToken };
      const isShown = context.isAccepted(
        await context.tryCall("getDatabase", { as, path, skipRenewal: true }),
      );
      if (isShown !== (await isDatabaseListed(context, as, databaseId)))
        context.undecided(
          "a database of an organization that the user joined can be either listed or read, but not both",
        );
      return { as, isShown, personal: session.personalOrgId };
    };
    const { as, isShown, personal } = await login();
    const joined = await context.getOrganizationId("owner");
    const { organizations } = (await context.callSuccessfully("listOrganizations", { as })).body;
    const others = (organizations as readonly { readonly organizationId: string }[]).filter(
      ({ organizationId }) => organizationId !== personal,
    );
    if (others.length !== 1 || others[0]?.organizationId !== joined || joined === personal)
      context.undecided(
        "the member must belong to exactly two organizations: the owner's organization and a personal one",
      );
    // A login may be for the organization that was used last, and then it follows the switch.
    const [here, elsewhere] = isShown ? [joined, personal] : [personal, joined];
    context.check.actors.registerTokens(
      (await switchTo(context, as, elsewhere)).body,
      "member after a switch",
    );
    const again = await login();
    if (again.isShown !== isShown) {
      context.check.actors.registerTokens(
        (await switchTo(context, again.as, here)).body,
        "member after switching back",
      );
      context.other(
        "after a switch, a login returns a token for the organization that the user switched to",
        "a login after a switch returns a token for the same organization as a login before the switch",
      );
    }
    return isShown ? "first-joined" : "personal";
  }),
  "refresh-organization": createObserver(["create-organizations", "create-databases"], async (context) => {
    const { actors, resources } = context.check;
    const organizationId = await resources.createOrganization();
    const login = { ...(await actors.getLogin("owner")), organizationId };
    const name = "owner of another organization";
    const as = actors.createCaller(await actors.startSession(login, name), login, name);
    const { databaseId } = await resources.createDatabase({ as });
    try {
      const isListed = await readUntil(
        context.check,
        () => isDatabaseListed(context, as, databaseId),
        (seen) => seen,
      );
      if (!isListed)
        context.undecided(
          "after a switch, the list of databases does not contain the organization's database",
        );
      if (await isDatabaseListed(context, await context.actor("owner"), databaseId))
        context.undecided(
          "after a switch in one session, another session also lists the organization's database",
        );
      // The owner may have only one session at a time, so this session begins last.
      const switched = await actors.startSession(login, name);
      const { refreshToken } = switched;
      const refreshed = await context.callSuccessfully("refreshSession", { body: { refreshToken } });
      const { accessToken } = actors.registerTokens(
        { ...switched, ...refreshed.body },
        "owner of another organization after a refresh",
      );
      const anew = { name: "owner of another organization after a refresh", credential: accessToken };
      if (await isDatabaseListed(context, anew, databaseId)) return "switched-to";
      return (await isDatabaseListed(context, as, databaseId))
        ? "as-login"
        : context.undecided("the database is not always listed");
    } finally {
      // Only a caller with a token for this organization can delete the database.
      await context.callSuccessfully("deleteDatabase", { as, path: { databaseId } });
      await resources.waitUntilGone(databaseId, { as });
      resources.recordRemoval("database", databaseId);
    }
  }),
  "refresh-token-reuse": createAcceptanceObserver([], ["still-valid", "rejected"], async (context) => {
    const session = await context.check.actors.startSession(
      await context.check.actors.getLogin("owner"),
      "owner, new login",
    );
    const body = { refreshToken: session.refreshToken };
    const first = await context.callSuccessfully("refreshSession", { body });
    context.check.actors.registerTokens(first.body, "owner after a refresh");
    const second = await context.tryCall("refreshSession", { body });
    if (isSuccess(second)) context.check.actors.registerTokens(second.body, "owner after a second refresh");
    return second;
  }),
} as const satisfies GapObservers<typeof accessGaps>;

/** Whether a token is for the organization of a database, because lists contain only databases of that organization. */
async function isDatabaseListed(context: ObserverContext, as: Caller, databaseId: string): Promise<boolean> {
  return (await readPages(context.check, { ...databaseList, as })).ids.includes(databaseId);
}
