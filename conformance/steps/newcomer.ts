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
