import type { Caller } from "../client/client.js";
import type { CheckContext } from "../check/context.js";

/** A new user, created through the control plane. */
interface NewUser {
  readonly login: { readonly email: string; readonly password: string };
  readonly as: Caller;
  /** The user's personal organization, which is on the free plan. */
  readonly organizationId: string;
}

/** Creates a user through the control plane, and logs the user in. */
export async function createNewUser(context: CheckContext): Promise<NewUser> {
  const login = { email: `${context.resources.createName()}@certify.test`, password: "certify-password" };
  const { personalOrganizationId } = await context.control.call("createUser", { body: login });
  const as = await context.actors.logIn(login, "newcomer");
  return { login, as, organizationId: personalOrganizationId };
}

/** Creates an organization that the owner owns, with a token for it. */
export async function createDedicatedOrganization(
  context: CheckContext,
): Promise<Pick<NewUser, "organizationId" | "as">> {
  const organizationId = await context.resources.createOrganization();
  return {
    organizationId,
    as: await startOwnerSession(context, "owner of a new organization", { organizationId }),
  };
}

/** Starts another session of the owner; its token is for the owner's organization if no other is given. */
export async function startOwnerSession(
  context: CheckContext,
  name: string,
  organization: { readonly organizationId?: string } = {},
): Promise<Caller> {
  const login = { ...(await context.actors.getLogin("owner")), ...organization };
  const session = await context.actors.startSession(login, name);
  return context.actors.createCaller(session, login, name);
}
