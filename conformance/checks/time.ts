import { limits } from "../../openapi/clauses/limits.js";
import { anonymous } from "../client/client.js";
import { defineChecks } from "../check/check.js";
import { createCallerCheck, getInvalidCredentialExpectation } from "./access/access.js";

const accessMinutes = limits.accessTokenSeconds / 60;
const refreshDays = limits.refreshTokenSeconds / 86_400;

/** Checks that move the clock. They run last, because moving the clock ends every session. */
export const timeChecks = defineChecks(
  {
    id: "time/access-token",
    title: "An access token expires after one hour",
    clauses: ["AUTH-08"],
    needs: ["owner", "control-plane"],
    run: async (context) => {
      const login = await context.actors.getLogin("owner");
      const as = await context.actors.logIn(login, "fresh");
      const ask = () => context.call("listOrganizations", { as });
      context.assertStatus("AUTH-08", await ask(), 200);
      await context.control.advance(`PT${accessMinutes - 1}M`);
      context.assertStatus("AUTH-08", await ask(), 200);
      // The clocks of a deployment may differ by some minutes.
      await context.control.advance("PT11M");
      context.assertRefused("AUTH-08", await ask(), "the token is more than an hour old");
      const next = await context.actors.logIn(login, "next");
      await context.assertSuccess("AUTH-08", "listOrganizations", { as: next });
    },
  },
  createCallerCheck(
    "time/expired-token",
    "Operations that need a credential reject an expired access token",
    ["AUTH-08"],
    ["control-plane"],
    async (context) => {
      const expired = await context.actors.logIn(await context.actors.getLogin("owner"), "expired");
      await context.control.advance(`PT${accessMinutes + 10}M`);
      return expired;
    },
    (operationId) => getInvalidCredentialExpectation(operationId, "AUTH-08"),
  ),
  {
    id: "time/refresh-token",
    title: "A refresh token expires after 7 days",
    clauses: ["AUTH-10"],
    needs: ["owner", "control-plane"],
    run: async (context) => {
      let session = await context.actors.startSession(await context.actors.getLogin("owner"), "fresh");
      const refresh = () =>
        context.call("refreshSession", { as: anonymous, body: { refreshToken: session.refreshToken } });
      // Each new refresh token is valid for another 7 days.
      for (let turn = 0; turn < 2; turn++) {
        await context.control.advance(`P${refreshDays - 1}DT23H59M`);
        const refreshed = context.assertStatus("AUTH-10", await refresh(), "2XX");
        session = context.actors.registerTokens({ ...session, ...refreshed.body }, "refreshed");
      }
      await context.control.advance(`P${refreshDays}DT10M`);
      context.assertRefused("AUTH-10", await refresh(), "the refresh token is more than 7 days old");
    },
  },
  {
    id: "time/expiring-key",
    title: "An API key works until its expiration date",
    clauses: ["AUTH-24"],
    needs: ["owner", "database", "control-plane"],
    run: async (context) => {
      const databaseId = await context.resources.getDatabase();
      const organizationId = await context.actors.getOrganizationId("owner");
      const { now } = await context.control.call("getClock");
      const { key } = await context.control.call("createApiKey", {
        body: {
          organizationId,
          name: context.resources.createName(),
          // The second scope allows the query.
          scopes: ["repository:read", "database:read"],
          expiresAt: new Date(Date.parse(now) + 3_600_000).toISOString(),
        },
      });
      const as = { name: "expiring key", credential: key };
      const ask = () =>
        context.call("queryItems", {
          as,
          path: { databaseId },
          body: { partitionKey: context.resources.createName() },
        });
      context.assertStatus("AUTH-24", await ask(), 200);
      await context.control.advance("PT59M");
      context.assertStatus("AUTH-24", await ask(), 200);
      await context.control.advance("PT2M");
      context.assertRefused("AUTH-24", await ask(), "the key has expired");
    },
  },
);
