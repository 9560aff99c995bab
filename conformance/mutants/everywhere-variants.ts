import { getTestAnswers, type GapId, gapIds } from "../../openapi/gaps/register.js";
import { completeProfile, type Profile } from "../../openapi/gaps/profile.js";
import { type OperationId, operationIds } from "../../openapi/operations/register.js";
import { sleep } from "../client/pace.js";
import { rewriting } from "./rewrite-answers.js";
import { type WireAnswer, type Wire, type Tamper, changed } from "./intercept.js";
import { type Variant, variant } from "./mutant.js";

/** Gaps whose other answers do not go with all others at once. */
const leftOut: readonly GapId[] = [
  // three requests a second: most would be sent several times
  "rate-limit",
];

/** The profile that gives every gap its answer of this number, where it has so many. */
function answersNumbered(number: number): Partial<Profile> {
  const answers = gapIds
    .filter((id) => !leftOut.includes(id))
    .flatMap((id) => {
      const answer = getTestAnswers(id)[number];
      return answer === undefined ? [] : [[id, answer] as const];
    });
  const completed = completeProfile(Object.fromEntries(answers));
  if ("mistakes" in completed) throw new Error(completed.mistakes.map(({ detail }) => detail).join("; "));
  return completed.profile;
}

const mark = "page.";

/** A cursor in other clothes, on the way out and back. */
const wrappedCursors: Tamper = async (wire) => {
  const unwrapped = (cursor: unknown) =>
    typeof cursor === "string" && cursor.startsWith(mark)
      ? Buffer.from(cursor.slice(mark.length), "base64url").toString()
      : cursor;
  const { query, body } = wire;
  const sent = {
    ...(query.cursor === undefined ? {} : { query: { ...query, cursor: String(unwrapped(query.cursor)) } }),
    ...(typeof body?.cursor === "string" ? { body: { ...body, cursor: unwrapped(body.cursor) } } : {}),
    ...(typeof body?.pageToken === "string"
      ? { body: { ...body, pageToken: unwrapped(body.pageToken) } }
      : {}),
  };
  return changed(await wire.send(sent), (page) => {
    for (const name of ["nextCursor", "nextPageToken"])
      if (typeof page?.[name] === "string") page[name] = mark + Buffer.from(page[name]).toString("base64url");
  });
};

const inQuery: readonly OperationId[] = ["listEntities", "listDatabases"];
const inBody: readonly OperationId[] = ["queryItems", "scanItems", "queryEntities", "runSqlQuery"];

/** Pages of half as many entries as are asked for. */
const shortPages: Tamper = (wire) => {
  const half = (limit: unknown) => (Number(limit) > 1 ? Math.ceil(Number(limit) / 2) : limit);
  if (inQuery.includes(wire.operationId) && wire.query.limit !== undefined)
    return wire.send({ query: { ...wire.query, limit: String(half(wire.query.limit)) } });
  const isAsked = inBody.includes(wire.operationId) && typeof wire.body?.limit === "number";
  return isAsked ? wire.send({ body: { ...wire.body, limit: half(wire.body.limit) } }) : wire.send();
};

const otherStatus: Readonly<Record<number, number>> = {
  400: 422,
  401: 403,
  403: 404,
  404: 410,
  409: 412,
  413: 400,
  422: 400,
};

/** Whether the specification says what a refusal looks like: that of SQL, of a missing item, of a transaction. */
function isShown({ operationId }: Wire, { status, body }: WireAnswer): boolean {
  const isMissingItem = status === 404 && ["getItem", "getItemWithSortKey"].includes(operationId);
  return isMissingItem || typeof body?.code === "string" || body?.successCount !== undefined;
}

/** Refusals with other statuses; the body is a text, or there is none. */
function otherRefusals(): Tamper {
  let number = 0;
  return async (wire) => {
    const answer = await wire.send();
    const status = otherStatus[answer.status];
    if (status === undefined || isShown(wire, answer)) return answer;
    const isEmpty = ++number % 2 === 0;
    return {
      status,
      headers: isEmpty ? {} : { "content-type": "text/plain" },
      body: isEmpty ? undefined : "no",
    };
  };
}

/** Harmless differences in all areas at once: all checks have to pass with each of them. */
export const everywhereVariants: readonly Variant[] = [
  // takes longest, so it comes first
  variant("everywhere/slower", operationIds).by(() => {
    let number = 0;
    return async (wire) => {
      const answer = await wire.send();
      await sleep(1 + (number++ % 3));
      return answer;
    };
  }),
  { id: "everywhere/second-answers", profile: answersNumbered(1) },
  { id: "everywhere/third-answers", profile: answersNumbered(2) },
  variant("everywhere/more-members", operationIds).by(
    rewriting({
      object: (own) => ({ "x-trace": { id: "t-1" }, ...own, _links: [{ rel: "self", href: "/" }] }),
    }),
  ),
  variant("everywhere/members-reversed", operationIds).by(
    rewriting({ object: (own) => Object.fromEntries(Object.entries(own).reverse()) }),
  ),
  variant("everywhere/wrapped-cursors", operationIds).by(() => wrappedCursors),
  variant("everywhere/short-pages", operationIds).by(() => shortPages),
  variant("everywhere/other-refusals", operationIds).by(otherRefusals),
];
