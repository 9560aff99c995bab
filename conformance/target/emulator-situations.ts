import type { Caller, Client } from "../client/client.js";
import { sleep } from "../client/rate-limiter.js";
import { RunError } from "../client/violation.js";
import type { ControlPlaneClient } from "./control-plane-client.js";
import type { Situation } from "./situations.js";

export interface SituationContext {
  readonly client: Client;
  readonly control: ControlPlaneClient;
  /** A user who owns an organization, with a token for it. */
  readonly owner: { readonly organizationId: string; readonly as: Caller };
  /** Prefix of the names of created resources. */
  readonly run: string;
  readonly region: string;
}

/** Puts an organization of an emulator into a situation, through the control plane. */
export async function createSituation(situation: Situation, context: SituationContext): Promise<unknown> {
  const { control, owner } = context;
  const path = { organizationId: owner.organizationId };
  const changeOrganization = (call: Parameters<typeof control.call<"changeOrganization">>[1] & object) =>
    control.call("changeOrganization", { path, ...call });
  switch (situation) {
    case "suspended":
      return changeOrganization({ body: { status: "suspended" } });
  }
}

/** Creates a paused database in the owner's organization. */
export async function createPausedDatabase(context: SituationContext): Promise<string> {
  const databaseId = await createDatabase(context, "paused");
  await context.control.call("changeDatabase", { path: { databaseId }, body: { status: "Inactive" } });
  return databaseId;
}

/** Sends a request and returns its successful response. */
async function send(
  { client, owner }: SituationContext,
  operation: Parameters<Client["call"]>[0],
  call: Parameters<Client["call"]>[1],
) {
  const response = await client.call(operation, { setUp: true, as: owner.as, ...call });
  if (response.status >= 300)
    throw new RunError(
      `${operation} was refused while a situation was being created: ${response.status} ${response.text}`,
    );
  return response;
}

async function createDatabase(context: SituationContext, name: string): Promise<string> {
  const body = { name: `${context.run}-${name}`, region: context.region };
  const { databaseId } = (await send(context, "createDatabase", { body })).body as { databaseId: string };
  const getStatus = async () =>
    ((await send(context, "getDatabase", { path: { databaseId } })).body as { status: string }).status;
  while ((await getStatus()) === "Creating") {
    await context.control.call("changeClock", { body: { advance: "PT1M" } });
    await sleep(1);
  }
  return databaseId;
}
