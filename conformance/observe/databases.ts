import type { databaseGaps } from "../../openapi/gaps/databases.js";
import type { ApiResponse } from "../client/client.js";
import { getResourceLimit } from "../models/get-resource-limit.js";
import { createRefusalStatusObserver, createObserver } from "./create-observers.js";
import type { GapObservers } from "./observer.js";
import type { ObserverContext } from "./observer-context.js";

/** Creates a database, with an entry in the ledger, without waiting until it is ready. */
async function createDatabase(context: ObserverContext): Promise<string> {
  return (await context.requireSuccess(context.tryDatabase({}))).body.databaseId as string;
}

async function getDatabaseStatus(context: ObserverContext, databaseId: string): Promise<string | undefined> {
  const { body } = await context.call("getDatabase", { path: { databaseId } });
  return (body as { status?: string } | undefined)?.status;
}

export const databaseObservers = {
  "database-ready": createObserver({ needs: ["create-databases"], alone: true }, async (context) => {
    const databaseId = await createDatabase(context);
    const began = context.now();
    if ((await getDatabaseStatus(context, databaseId)) === "Active") return "next-request";
    const isOver = async () => {
      const status = await getDatabaseStatus(context, databaseId);
      if (status !== "Active" && status !== "Creating")
        context.undecided(`a new database has the status ${String(status)}`);
      return status === "Active";
    };
    return measureWait(context, began, isOver);
  }),
  "database-deletion": createObserver({ needs: ["create-databases"], alone: true }, async (context) => {
    const databaseId = await createDatabase(context);
    await context.resources.waitUntilReady(databaseId);
    await context.callSuccessfully("deleteDatabase", { path: { databaseId } });
    const began = context.now();
    if ((await getDatabaseStatus(context, databaseId)) !== "Deleting") return "at-once";
    return measureWait(
      context,
      began,
      async () => (await getDatabaseStatus(context, databaseId)) !== "Deleting",
    );
  }),
  "ceiling-status": createRefusalStatusObserver(["create-organizations", "invitations"], async (context) => {
    const spaceIn = async (organizationId: string) => {
      const path = { organizationId };
      const room = getResourceLimit(
        "members",
        (await context.callSuccessfully("getOrganization", { path })).body,
      );
      const members = (await context.callSuccessfully("listMembers", { path })).body
        .members as readonly unknown[];
      return { organizationId, space: room - members.length };
    };
    // New organizations may have no limit, and pending members may not count, so the organization with less room is used.
    const newOne = await spaceIn(await context.resources.createOrganization());
    const personal = await spaceIn((await context.check.actors.getSession("owner")).personalOrgId);
    const { organizationId, space } = personal.space < newOne.space ? personal : newOne;
    if (space >= 10)
      context.check.notOffered(
        `a new organization has room for ${newOne.space} members, and the owner's personal organization for ${personal.space}; the suite sends at most 10 invitations, too few to exceed either limit`,
      );
    for (let invited = 0; invited < space; invited++)
      await context.requireSuccess(invite(context, organizationId));
    const beyond = await invite(context, organizationId);
    return context.isAccepted(beyond)
      ? context.undecided(
          "more members can be invited than the limit allows, perhaps because pending members are not counted",
        )
      : beyond;
  }),
} as const satisfies GapObservers<typeof databaseGaps>;

async function invite(context: ObserverContext, organizationId: string): Promise<ApiResponse> {
  const email = context.resources.createInviteAddress();
  return context.tryCall("inviteMember", {
    path: { organizationId },
    body: { email, role: "readonly" },
  });
}

/** The pause before the next read is the time waited so far, divided by this number. */
const share = 20;

/**
 * Waits until a change has happened, and returns how long it took, rounded to one digit, because a more exact result would
 * differ between runs.
 *
 * @param began when the wait began, by the clock of the context
 * @returns milliseconds
 */
async function measureWait(
  context: ObserverContext,
  began: number,
  isOver: () => Promise<boolean>,
): Promise<number> {
  for (let before = began; ;) {
    if (await isOver()) return findRoundestNumber(before - began, context.now() - began);
    before = context.now();
    const soFar = before - began;
    if (soFar > context.bounds.waitMs)
      context.undecided(
        `the change takes longer than the ${context.bounds.waitMs} ms allowed by \`observe.bounds\` in the target file`,
      );
    await context.pause(Math.max(10, soFar / share));
  }
}

/** Finds the number with the fewest digits in a range; if there is none, rounds the upper bound to one digit. */
export function findRoundestNumber(above: number, atMost: number): number {
  for (let unit = 10 ** Math.ceil(Math.log10(Math.max(1, atMost))); unit >= 1; unit /= 10) {
    const multiple = Math.floor(atMost / unit) * unit;
    if (multiple > above && multiple > 0) return multiple;
  }
  return Math.max(1, Math.round(atMost));
}
