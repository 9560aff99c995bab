import { limits } from "../../openapi/clauses/limits.js";
import { Problem } from "../domain/problem.js";
import { timestamp } from "../time/timestamp.js";
import type { ControlHandler } from "./control-handler.js";
import { organizationToChange } from "./organizations.js";

/** POST /_emulator/sessions. It takes no id of the namespace, so that what comes after it is the same with it. */
export const createSession: ControlHandler<"createSession"> = ({ body }, { world }) => {
  const { store, clock, tokens } = world;
  const user = store.users.byId(body.userId);
  if (user === undefined)
    throw new Problem("user-not-found", "There is no user of this id. GET /_emulator/users lists them.");
  const { organizationId } = organizationToChange(body.organizationId ?? user.personalOrganizationId, world);
  if (store.organizations.memberOfUser(organizationId, user.userId)?.status !== "active")
    throw new Problem("member-not-found", `The user is no active member of ${organizationId}.`);
  const now = clock.now();
  // the token says the time in whole seconds
  const expiresAt = (Math.floor(now / 1000) + limits.accessTokenSeconds) * 1000;
  return {
    status: 201,
    body: {
      accessToken: tokens.issue("session", user.userId, organizationId, now),
      organizationId,
      expiresAt: timestamp(expiresAt),
    },
  };
};
