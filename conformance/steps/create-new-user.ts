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
  const login = { ...(await context.actors.getLogin("owner")), organizationId };
  const session = await context.actors.startSession(login, "own organization");
  return { organizationId, as: context.actors.createCaller(session, login, "owner of a new organization") };
}
