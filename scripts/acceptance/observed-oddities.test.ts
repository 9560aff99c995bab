import { afterAll, beforeAll, expect, it } from "vitest";
import { changeBody, intercept, type Interceptor } from "../../conformance/mutants/intercept.js";
import { variants } from "../../conformance/mutants/register.js";
import { type Observation, observeGaps } from "../../conformance/observe/observation.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { GapId } from "../../openapi/gaps/register.js";
import type { OperationId } from "../../openapi/operations/register.js";
import { ObservedEmulator } from "../development/observe/observed-emulator.js";
import {
  logInToLastOrganization,
  type FetchWrapper,
  limitToPlainSql,
  groupRefusalStatuses,
  varyTimestampFormats,
  shuffleEntities,
} from "./testing/odd-deployments.js";

let emulator: ObservedEmulator;
beforeAll(async () => {
  emulator = await ObservedEmulator.prepare();
});
afterAll(() => emulator.close());

function observed(
  only: readonly GapId[],
  oddity: FetchWrapper,
  profile: Partial<Profile> = {},
): Promise<readonly Observation[]> {
  return emulator.withRun(profile, async (run) => observeGaps(run, { only }), oddity);
}

it.each<Partial<Profile>>([
  {
    "item-updated-at": "each-put",
    "repeated-invitation": "reject",
  },
  {
    "item-updated-at": "when-data-changes",
    "repeated-invitation": "renew",
  },
])("compares timestamps in whole seconds with changing spelling as instants: %j", async (profile) => {
  const only = Object.keys(profile) as GapId[];
  const found = await observed(only, varyTimestampFormats(), profile);
  const answers = found.flatMap((one) => (one.kind === "answer" ? [[one.gap, one.answer] as const] : []));
  expect(Object.fromEntries(answers)).toMatchObject(profile);
});

it("reports no order for a list whose order changes with each request", async () => {
  const [found] = await observed(["entity-list-order"], shuffleEntities());
  expect(found).toMatchObject({ gap: "entity-list-order", kind: "other" });
});

it("reads rows only with SQL that the specification shows", async () => {
  const profile = {
    "sql-insert-existing": "SQL_VALIDATION_ERROR",
    "sql-filtering": "with-allow-filtering",
  } as const;
  const found = await observed(Object.keys(profile) as GapId[], limitToPlainSql(), profile);
  for (const { gap, ...rest } of found)
    expect([gap, rest]).toMatchObject([
      gap,
      { kind: "answer", answer: profile[gap as keyof typeof profile] },
    ]);
});

it("reports refusal statuses that depend on what is refused", async () => {
  const [found] = await observed(["forbidden-status"], groupRefusalStatuses(405));
  expect(found).toMatchObject({
    kind: "other",
    actual: expect.stringContaining("updateOrganization: 405") as string,
  });
});

it("distinguishes a login to the last used organization from one to the first", async () => {
  const found = await observed(["login-organization"], logInToLastOrganization(), {
    "login-organization": "first-joined",
  });
  expect(found).toMatchObject([{ gap: "login-organization", kind: "other" }]);
});

/** Creates a deployment that handles some operations differently. */
function interceptOperations(operations: readonly OperationId[], tamper: () => Interceptor): FetchWrapper {
  return (fetch) => intercept(fetch, operations, tamper());
}

/** Returns the change that a permitted variant of the self-test makes. */
function getVariantWrapper(id: string): FetchWrapper {
  const { wrap } = variants.find((variant) => variant.id === id) ?? {};
  if (wrap === undefined) throw new Error(`there is no variant ${id} that changes requests`);
  return wrap;
}

/** The routes that the suite tries last. */
const lastRoutes = variants.find(({ id }) => id === "everywhere/unknown-paths-401")?.profile ?? {};

const refused = { status: 403, headers: {}, body: { reason: "not here" } };

/** Returns items of a scan in the order of their puts. */
function returnScansInPutOrder(): Interceptor {
  const puts: string[] = [];
  return async (request) => {
    if (request.operationId === "putItem") puts.push(request.body.pk as string);
    if (request.operationId !== "scanItems") return request.send();
    return changeBody(await request.send({ body: { ...request.body, limit: 100 } }), (body) => {
      body.items.sort((a: { pk: string }, b: { pk: string }) => puts.indexOf(a.pk) - puts.indexOf(b.pk));
    });
  };
}

it.each<[string, GapId, FetchWrapper, Partial<Profile>, object]>([
  [
    "items in the order of their puts",
    "scan-order",
    interceptOperations(["putItem", "scanItems"], returnScansInPutOrder),
    {},
    { kind: "other" },
  ],
  [
    "a deleted organization that is answered otherwise than one that never was",
    "deleted-organization",
    interceptOperations(["getOrganization"], () => async (request) => {
      const response = await request.send();
      return response.status === 404 ? { ...response, status: 410 } : response;
    }),
    {},
    { kind: "other", actual: "[410,404]" },
  ],
  [
    "payment info for the owner alone",
    "billing-readers",
    interceptOperations(["getPaymentInfo"], () => {
      let owner: string | undefined;
      return async (request) =>
        (owner ??= request.credential) === request.credential ? request.send() : refused;
    }),
    {},
    { kind: "other" },
  ],
  [
    "a portal for members, and no checkout for them",
    "billing-managers",
    // the plan is pro, because a checkout must be for a higher plan
    interceptOperations(["createCheckout", "getOrganization"], () => async (request) => {
      if (request.operationId === "createCheckout") return refused;
      return changeBody(await request.send(), (body) => (body.plan = "pro"));
    }),
    { "billing-managers": "owner-and-member" },
    { kind: "other" },
  ],
  [
    "a portal for members, and checkouts for the owner, in an organization with the largest plan",
    "billing-managers",
    interceptOperations(["createCheckout"], () => {
      let owner: string | undefined;
      return async (request) =>
        (owner ??= request.credential) === request.credential ? request.send() : refused;
    }),
    { "billing-managers": "owner-and-member" },
    { kind: "other" },
  ],
  [
    "checkouts that are refused to everybody alike, as the largest plan is reached",
    "billing-managers",
    interceptOperations(["createCheckout"], () => () => Promise.resolve(refused)),
    {},
    { kind: "undecided" },
  ],
  ...(["switched-to", "as-login"] as const).map(
    (answer): [string, GapId, FetchWrapper, Partial<Profile>, object] => [
      "one session a user, and lists that show what is made some time later",
      "refresh-organization",
      (fetch) =>
        getVariantWrapper("everywhere/late-lists")(getVariantWrapper("everywhere/one-session")(fetch)),
      { "refresh-organization": answer },
      { kind: "answer", answer },
    ],
  ),
  ...(
    [
      ["batch-conditions", "evaluate"],
      ["batch-conditions", "ignore"],
      ["batch-conditions", "fail-entry"],
      ["transact-get-item", "record"],
    ] as const
  ).map(([gap, answer]): [string, GapId, FetchWrapper, Partial<Profile>, object] => [
    `single entries of batches that are left for another request (${answer})`,
    gap,
    getVariantWrapper("everywhere/throttled-batches"),
    { [gap]: answer },
    { kind: "answer", answer },
  ]),
  ...(
    [
      ["transaction-failed-status", 409],
      ["update-missing-item", "create"],
    ] as const
  ).map(([gap, answer]): [string, GapId, FetchWrapper, Partial<Profile>, object] => [
    "transactions that are canceled now and then",
    gap,
    getVariantWrapper("everywhere/canceled-transactions-400"),
    { [gap]: answer },
    { kind: "answer", answer },
  ]),
  ...([401, 403, 501] as const).flatMap((status) =>
    (["put-item-route", "list-tables-route", "plans-route"] as const).map(
      (gap): [string, GapId, FetchWrapper, Partial<Profile>, object] => [
        `paths that lead nowhere and are answered ${status}`,
        gap,
        getVariantWrapper(`everywhere/unknown-paths-${status}`),
        lastRoutes,
        { kind: "answer", answer: lastRoutes[gap] },
      ],
    ),
  ),
  ...(["new-organization-plan", "duplicate-slug", "conflict-status"] as const).map(
    (gap): [string, GapId, FetchWrapper, Partial<Profile>, object] => [
      "organizations whose names have to be letters",
      gap,
      getVariantWrapper("organizations/names-of-letters"),
      {},
      { kind: "answer" },
    ],
  ),
  [
    "a slug that is taken, refused with a status of its own",
    "conflict-status",
    interceptOperations(["createOrganization"], () => async (request) => {
      const response = await request.send();
      return response.status === 409 ? { ...response, status: 422 } : response;
    }),
    {},
    { kind: "other" },
  ],
  [
    "columns that are named as the statement spells them",
    "sql-identifier-case",
    interceptOperations(["runSqlQuery"], () => async (request) => {
      const name = /^SELECT (mixed) /i.exec(request.body.sql as string)?.[1];
      return changeBody(await request.send(), (body) => {
        if (name !== undefined) body.columns[0].name = name;
      });
    }),
    { "sql-identifier-case": "lower" },
    { kind: "other" },
  ],
  [
    "parameters that go to the columns of their names",
    "sql-parameter-order",
    interceptOperations(["runSqlQuery"], () => async (request) => {
      const { c, p } = (request.body.parameters ?? {}) as Record<string, unknown>;
      return request.send(c === undefined ? {} : { body: { ...request.body, parameters: { p, c } } });
    }),
    {},
    { kind: "other" },
  ],
  [
    "an invitation beyond the ceiling of members that is accepted",
    "ceiling-status",
    interceptOperations(["inviteMember"], () => async (request) => {
      const response = await request.send();
      if (response.status === 201) return response;
      const at = new Date().toISOString();
      const nobody = { userId: null, name: null, joinedAt: null, invitedAt: at, invitedBy: "somebody" };
      return {
        status: 201,
        headers: response.headers,
        body: { ...request.body, ...nobody, status: "pending" },
      };
    }),
    {},
    { kind: "undecided" },
  ],
  [
    "unknown paths that are not implemented",
    "trailing-slash",
    (fetch) => async (url, init) => {
      const response = await fetch(url, init);
      return /(\/|nobody-knows)$/.test(url) ? new Response("", { status: 501 }) : response;
    },
    {},
    { kind: "answer", answer: "unknown-path" },
  ],
  [
    "owners who stay what they are",
    "admin-over-owners",
    interceptOperations(
      ["updateMember"],
      () => async (request) => (request.body.role === "owner" ? refused : request.send()),
    ),
    {},
    { kind: "answer", answer: "refused" },
  ],
])("is not misled by %s: %s", async (_, gap, oddity, profile, expected) => {
  const found = await observed([gap], oddity, profile);
  expect(found.find((one) => one.gap === gap)).toMatchObject(expected);
});
