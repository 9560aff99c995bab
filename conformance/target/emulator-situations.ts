import { planTerms } from "../../openapi/clauses/limits.js";
import type { Caller, Client } from "../client/client.js";
import { sleep } from "../client/rate-limiter.js";
import { RunError } from "../client/violation.js";
import type { ControlPlaneClient } from "./control-plane-client.js";
import type { Situation } from "./situations.js";

/** What `createSituation` needs. */
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
export async function createSituation(situation: Situation, ground: SituationContext): Promise<unknown> {
  const { control, owner, run, region } = ground;
  const path = { organizationId: owner.organizationId };
  const organization = (body: Parameters<typeof control.call<"changeOrganization">>[1] & object) =>
    control.call("changeOrganization", { path, ...body });
  switch (situation) {
    case "suspended":
      return organization({ body: { status: "suspended" } });
    case "restricted":
      return organization({ body: { settings: { allowedRegions: [region] } } });
    case "trialing":
      return control.call("changeSubscription", { path, body: { plan: "pro", status: "trialing" } });
    case "pastDue":
      return control.call("changeSubscription", { path, body: { plan: "pro", status: "past_due" } });
    case "crowded":
      await organization({ body: { plan: "pro", settings: { maxMembers: 2 } } });
      return send(ground, "inviteMember", {
        path,
        body: { email: `${run}-pending@certify.test`, role: "member" },
      });
    case "full":
      return fillDatabase(ground, await createDatabase(ground, "full"));
    case "exhausted":
      await createDatabase(ground, "exhausted");
      return organization({ body: { requestsThisPeriod: planTerms.free.limits?.maxRequestsPerMonth ?? 0 } });
    case "disposable":
      return undefined;
  }
}

/** Creates a paused database in the owner's organization. */
export async function createPausedDatabase(ground: SituationContext): Promise<string> {
  const databaseId = await createDatabase(ground, "paused");
  await ground.control.call("changeDatabase", { path: { databaseId }, body: { status: "Inactive" } });
  return databaseId;
}

/** Sends a request and returns its successful response. */
async function send(
  { client, owner }: SituationContext,
  operation: Parameters<Client["call"]>[0],
  call: Parameters<Client["call"]>[1],
) {
  const answer = await client.call(operation, { setUp: true, as: owner.as, ...call });
  if (answer.status >= 300)
    throw new RunError(
      `${operation} was refused while a situation was being created: ${answer.status} ${answer.text}`,
    );
  return answer;
}

async function createDatabase(ground: SituationContext, name: string): Promise<string> {
  const body = { name: `${ground.run}-${name}`, region: ground.region };
  const { databaseId } = (await send(ground, "createDatabase", { body })).body as { databaseId: string };
  const status = async () =>
    ((await send(ground, "getDatabase", { path: { databaseId } })).body as { status: string }).status;
  while ((await status()) === "Creating") {
    await ground.control.call("changeClock", { body: { advance: "PT1M" } });
    await sleep(1);
  }
  return databaseId;
}

/** Size in bytes of each item that fills an organization's storage, and the number of items in a request. */
const fillingBytes = 390_000;
const fillingItems = 10;

/** Enough to exceed the storage of the free plan (0.1 GB). */
const fillingRequests = 29;

async function fillDatabase(ground: SituationContext, databaseId: string): Promise<void> {
  const { client, control, owner } = ground;
  const { key } = await control.call("createApiKey", {
    body: { organizationId: owner.organizationId, name: "filling", scopes: ["*"] },
  });
  const as = { name: "situation", credential: key };
  const data = JSON.stringify({ v: "x".repeat(fillingBytes) });
  for (let request = 0; request < fillingRequests; request++) {
    const items = Array.from(
      { length: fillingItems },
      (_, index) => `{"operation":"Put","pk":"${request}-${index}","data":${data}}`,
    );
    const rawBody = `{"items":[${items.join(",")}]}`;
    const call = { setUp: true, unjudged: true, as, path: { databaseId }, rawBody };
    const answer = await client.call("batchWriteItems", { ...call, intent: "invalid" });
    const { failedCount } = answer.body as { readonly failedCount?: number };
    if (failedCount !== 0) return;
  }
}
