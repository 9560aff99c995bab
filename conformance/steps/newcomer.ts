import type { Caller } from "../client/client.js";
import type { CheckContext } from "../check/context.js";

/** A new user, made by the control plane. */
export interface Newcomer {
  readonly login: { readonly email: string; readonly password: string };
  readonly as: Caller;
  /** The organization that every user has, which is on the free plan. */
  readonly organizationId: string;
}

/** Makes a user by the control plane, and logs in. */
export async function newcomer(context: CheckContext): Promise<Newcomer> {
  const login = { email: `${context.resources.name()}@certify.test`, password: "certify-password" };
  const { personalOrganizationId: organizationId } = await context.control.call("createUser", {
    body: login,
  });
  const { accessToken } = await context.actors.begin(login, "newcomer");
  return { login, as: { name: "newcomer", credential: accessToken }, organizationId };
}

/** A new organization of the owner's, with a token for it. */
export async function ownOrganization(context: CheckContext): Promise<Omit<Newcomer, "login">> {
  const organizationId = await context.resources.newOrganization();
  const login = { ...(await context.actors.login("owner")), organizationId };
  const session = await context.actors.begin(login, "own organization");
  return { organizationId, as: context.actors.bearing(session, login, "owner of a new organization") };
}
