import { gaps } from "../../openapi/gaps/register.js";
import type { httpGaps } from "../../openapi/gaps/http.js";
import { anonymous, type ApiResponse } from "../client/client.js";
import { NoResponseError } from "../client/violation.js";
import {
  bisect,
  createAcceptanceObserver,
  findLargestAccepted,
  createChoiceObserver,
  createRefusalStatusObserver,
  createObserver,
} from "./create-observers.js";
import type { GapObservers } from "./observer.js";
import type { ObserverContext } from "./observer-context.js";

async function sendInvalidRequests(context: ObserverContext): Promise<readonly ApiResponse[]> {
  const path = { databaseId: await context.database() };
  return [
    await context.tryCall("createDatabase", {
      body: { name: "No Name For A Database", region: context.resources.region },
    }),
    await context.tryCall("queryItems", { path, body: {} }),
    await context.tryCall("queryItems", { path, body: { partitionKey: 1 } }),
    await context.tryCall("createOrganization", { body: { name: "x" } }),
  ];
}

/** Sends an empty query that is otherwise valid, with the given body or headers. */
async function query(
  context: ObserverContext,
  rest: Parameters<ObserverContext["call"]>[1],
): Promise<ApiResponse> {
  return context.tryCall("queryItems", {
    path: { databaseId: await context.database() },
    ...rest,
  });
}

/** Returns the body of a query that the deployment accepts, for a partition without items. */
async function sendEmptyQuery(context: ObserverContext): Promise<{ readonly partitionKey: string }> {
  const body = { partitionKey: context.resources.createName() };
  await context.callSuccessfully("queryItems", { path: { databaseId: await context.database() }, body });
  return body;
}

function classifyErrorBody(response: ApiResponse): unknown {
  const body: unknown = response.body;
  if (typeof body !== "object" || body === null) return response.text;
  const names = Object.keys(body);
  const isProblem = ["type", "title", "status", "detail"].every((name) => names.includes(name));
  if (isProblem) return "problem";
  return names.toSorted().join() === "error,message" ? "error-message" : body;
}

async function createPartition(context: ObserverContext, count: number): Promise<string> {
  const items = await context.items();
  const pk = items.partition();
  await items.load(
    Array.from({ length: count }, (_, index) => ({ pk, sk: String(index).padStart(6, "0"), data: {} })),
  );
  return pk;
}

const { minimum: smallestPage, maximum: largestPage } = gaps["page-limit-max"].range;

export const httpObservers = {
  "validation-status": createRefusalStatusObserver(["database"], sendInvalidRequests),
  "error-body": createChoiceObserver(
    ["database"],
    { problem: "problem", "error-message": "error-message" },
    async (context) => {
      const forms = (await sendInvalidRequests(context)).map(classifyErrorBody);
      return new Set(forms).size === 1 ? forms[0] : forms;
    },
  ),
  "unknown-request-fields": createAcceptanceObserver(["database"], ["ignore", "reject"], async (context) => {
    const body = await sendEmptyQuery(context);
    await context.callSuccessfully("listDatabases");
    return [
      await query(context, { body: { ...body, aMemberThatNobodyKnows: 1 } }),
      await context.tryCall("listDatabases", { query: { aParameterThatNobodyKnows: "1" } }),
    ];
  }),
  "null-optional-fields": createAcceptanceObserver(
    ["database"],
    ["as-if-absent", "reject"],
    async (context) => {
      const body = await sendEmptyQuery(context);
      return [
        await query(context, { body: { ...body, limit: null } }),
        await query(context, { body: { ...body, sortKeyCondition: null } }),
      ];
    },
  ),
  "content-type": createAcceptanceObserver(["database"], ["ignore", "refuse"], async (context) => {
    const body = await sendEmptyQuery(context);
    return [
      await query(context, { body, headers: { "Content-Type": "text/plain" } }),
      await query(context, { body, headers: { "Content-Type": "application/xml" } }),
    ];
  }),
  "conflict-status": createRefusalStatusObserver(["create-organizations"], async (context) => {
    const organizationId = await context.resources.createOrganization();
    const path = { organizationId };
    const { email } = await context.check.actors.getLogin("owner");
    const invited = await context.tryCall("inviteMember", {
      path,
      body: { email, role: "member" },
    });
    const slug = context.resources.createName();
    await context.requireSuccess(context.tryOrganization({ slug }));
    const named = await context.tryOrganization({ slug });
    if (context.isAccepted(named)) return invited;
    // There is room for another organization, so the slug is the reason.
    await context.requireSuccess(context.tryOrganization({}));
    return [invited, named];
  }),
  "page-limit-max": createObserver({ needs: ["database"], after: ["page-limit-over"] }, async (context) => {
    const over = context.answerTo("page-limit-over");
    if (over === "clamp") {
      const pk = await createPartition(context, context.bounds.entries);
      const response = await query(context, { body: { partitionKey: pk, limit: largestPage + 1 } });
      const { length } = (await context.requireSuccess(response)).body.items;
      if (length >= context.bounds.entries)
        context.undecided(
          `a page contains all ${length} items that \`observe.bounds\` in the target file allows the suite to create`,
        );
      return length;
    }
    const { partitionKey } = await sendEmptyQuery(context);
    return findLargestAccepted(context, { from: smallestPage, to: largestPage + 1 }, async (limit) =>
      context.isAccepted(await query(context, { body: { partitionKey, limit } })),
    );
  }),
  "page-limit-over": createAcceptanceObserver(["database"], ["clamp", "reject"], async (context) => {
    const { partitionKey } = await sendEmptyQuery(context);
    return query(context, { body: { partitionKey, limit: largestPage + 1 } });
  }),
  "request-bytes-max": createObserver(["database"], findLargestRequest),
  "rate-limit": createObserver({ needs: ["database"], alone: true }, rateLimit),
  "trailing-slash": createChoiceObserver(
    [],
    { ignored: [200, 200], "unknown-path": ["as an unknown path", "as an unknown path"] },
    async (context) => {
      const { client } = context.check;
      const as = await context.actor("owner");
      await context.callSuccessfully("listOrganizations", { as });
      await context.callSuccessfully("getHealth", { as: anonymous });
      const statuses: (number | string)[] = [];
      for (const [operation, caller] of [
        ["listOrganizations", as],
        ["getHealth", anonymous],
      ] as const) {
        const path = client.getPath(operation);
        const statusOf = async (target: string) =>
          (await client.send("GET", target, { as: caller, intent: "may-be-refused" })).status;
        const status = await statusOf(`${path}/`);
        // An unknown path may have any status.
        statuses.push(
          status === (await statusOf(`${path}-that-nobody-knows`)) ? "as an unknown path" : status,
        );
      }
      // An ended session would give the same status on every path.
      await context.callSuccessfully("listOrganizations", { as, skipRenewal: true });
      return statuses;
    },
  ),
  "cross-origin": createChoiceObserver(
    [],
    { "any-origin": [true, true], none: [false, false] },
    async (context) => {
      const { client } = context.check;
      const headers = { Origin: "https://certify.example" };
      const allows = (response: ApiResponse) =>
        ["*", headers.Origin].includes(response.header("access-control-allow-origin") ?? "");
      const asked = {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
      };
      const target = client.getPath("listDatabases");
      const preflight = await client.send("OPTIONS", target, {
        headers: { ...headers, ...asked },
        intent: "may-be-refused",
      });
      const simple = await client.send("GET", "/health", { headers });
      return [preflight.status < 300 && allows(preflight), allows(simple)];
    },
  ),
} as const satisfies GapObservers<typeof httpGaps>;

const mebibyte = 1024 * 1024;

/** Common size limits, in ascending order. */
const usualSizes = [5, 6, 8, 10, 12, 16, 20, 24, 25, 30, 32, 40, 48, 50, 64]
  .flatMap((count) => [count * 1_000_000, count * mebibyte])
  .filter((size) => size >= 5 * mebibyte)
  .toSorted((a, b) => a - b);

/** Finds the largest accepted body: a common limit if possible, otherwise by bisection. */
async function findLargestRequest(context: ObserverContext): Promise<number> {
  const { partitionKey } = await sendEmptyQuery(context);
  const text = JSON.stringify({ partitionKey });
  const isAccepted = async (bytes: number) => {
    try {
      return context.isAccepted(await query(context, { rawBody: text.padEnd(bytes) }));
    } catch (error) {
      // A deployment may close the connection when a body is too large.
      if (error instanceof NoResponseError) return false;
      throw error;
    }
  };
  const { requestBytes } = context.bounds;
  const sizes = usualSizes.filter((usual) => usual < requestBytes);
  // The deployment accepts more than this size, but not more than the next one.
  const low = await bisect(-1, sizes.length, (index) => isAccepted((sizes[index] ?? 0) + 1));
  const size = sizes[low + 1];
  if (size === undefined)
    return context.undecided(
      `the deployment accepts a request of ${requestBytes} bytes, the maximum that \`observe.bounds\` in the target file allows`,
    );
  if (await isAccepted(size)) return size;
  return findLargestAccepted(context, { from: (sizes[low] ?? 5 * mebibyte - 2) + 1, to: size }, isAccepted);
}

const secondMs = 1000;

/** Number of concurrent requests in a burst. */
const sideBySide = 20;

/** Counts the responses within a second until a request is refused with 429. */
async function rateLimit(context: ObserverContext): Promise<number | "none"> {
  const { requestsPerSecond } = context.bounds;
  if (requestsPerSecond === 0)
    context.check.notOffered(
      "the target file disables this observation: observe.bounds.requestsPerSecond is 0",
    );
  const path = { databaseId: await context.database() };
  const as = await context.resources.getDefaultCaller("getItem");
  const body = { partitionKey: context.resources.createName() };
  const burst = async (): Promise<number | undefined> => {
    // Earlier requests no longer count after this pause.
    await context.pause(2 * secondMs);
    const began = context.now();
    let answered = 0;
    while (answered <= requestsPerSecond) {
      const responses = await Promise.all(
        Array.from({ length: sideBySide }, () =>
          context.call("queryItems", {
            as,
            path,
            body,
            skipRetries: true,
            skipRateLimit: true,
            skipValidation: true,
          }),
        ),
      );
      answered += responses.filter(({ status }) => status !== 429).length;
      if (responses.some(({ status }) => status === 429)) return answered;
      if (context.now() - began >= secondMs)
        context.undecided(`only ${answered} requests per second could be sent, and no request was refused`);
    }
    return undefined;
  };
  const [one, two] = [await burst(), await burst()];
  await context.pause(2 * secondMs);
  if (one !== two)
    context.other(
      `requests before the first refusal in each of two bursts: ${one ?? "no refusal"} and ${two ?? "no refusal"}`,
      "the same number in both bursts",
    );
  const { maximum } = gaps["rate-limit"].range;
  if (one === undefined && requestsPerSecond <= maximum)
    context.undecided(
      `the deployment refuses no requests at ${requestsPerSecond} requests per second, the maximum that \`observe.bounds\` in the target file allows`,
    );
  return one ?? "none";
}
