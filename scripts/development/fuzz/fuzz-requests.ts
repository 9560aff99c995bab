import fc from "fast-check";
import { writeJson } from "../../../conformance/client/json-text.js";
import type { FuzzContract, FuzzOperation } from "./fuzz-contract.js";
import { bytesOfText, fuzzedNamespace, type FuzzRequest, inUrl } from "./fuzz-request.js";
import { disturbed, rarely } from "./fuzz-texts.js";
import type { LiveState } from "./live-state.js";
import { SchemaValues } from "./schema-values.js";

/** Calls that take away what all others need: mostly they go to another namespace. */
const destructive: readonly string[] = [
  "resetEmulator",
  "restoreSnapshot",
  "setHealth",
  "deleteUser",
  "deleteApiKey",
  "changeDatabase",
  "changeOrganization",
  "changeSubscription",
  "deleteOrganization",
  "deleteDatabase",
  "deleteRepository",
];
/** Calls that cost much, or after which much is refused. */
const rare: readonly string[] = [
  "setProfile",
  "changeClock",
  "uploadSnapshot",
  "forkNamespace",
  "forkSnapshot",
  "deleteNamespace",
  "getControlPlaneDocument",
  "getJournal",
];
/** Without these there is nothing to be learnt. */
const frequent: readonly string[] = ["login", "switchOrganization", "putItem", "createEntity", "runSqlQuery"];
/** Calls after which nobody can say what has to be answered. */
const unpredictable: readonly string[] = ["createFault", "setProfile"];

/** Whether nobody can say what has to be answered after a call of an operation. */
export function isUnpredictable(operationId: string): boolean {
  return unpredictable.includes(operationId);
}

/** What requests are made from. */
export interface RequestSource {
  readonly contract: FuzzContract;
  readonly live: LiveState;
  /** The bytes of a file with a state. */
  readonly stateFile: string;
}

/** Requests that make sense in the world as it is, mostly: for every operation, or for some. */
export function fuzzRequests(
  source: RequestSource,
  isChosen: (operation: FuzzOperation) => boolean = () => true,
): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    ...source.contract.operations.filter(isChosen).map((operation) => ({
      weight: weightOf(operation),
      arbitrary: requestsOf(operation, source),
    })),
  );
}

function weightOf({ operationId, plane }: FuzzOperation): number {
  if (rare.includes(operationId)) return 1;
  return frequent.includes(operationId) ? 30 : plane === "control" ? 5 : 15;
}

function requestsOf(chosen: FuzzOperation, { live, stateFile }: RequestSource): fc.Arbitrary<FuzzRequest> {
  const { operationId, document, path, method, operation } = chosen;
  const values = new SchemaValues(document, live);
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const segments = fc.record(
    Object.fromEntries(
      names.map((name) => [
        name,
        path.includes("/snapshots/")
          ? fc.constantFrom("s-0", "s-1", "s-2", "s-\ufeff2")
          : disturbed(live.valueOf(name).map((value = name) => value)),
      ]),
    ),
  );
  const query = fc.tuple(
    ...(operation.parameters ?? []).flatMap((parameter) =>
      "in" in parameter && parameter.in === "query"
        ? [
            fc.option(
              fc.tuple(fc.constant(parameter.name), values.of(parameter.schema ?? {}, parameter.name)),
            ),
          ]
        : [],
    ),
  );
  const fuzzed = fc.constant(`/ns/${fuzzedNamespace}`);
  const others = fc.constantFrom("", "/ns/side-1", "/ns/side-2");
  const namespace = destructive.includes(operationId)
    ? rarely(15, others, fuzzed)
    : rarely(20, fuzzed, others);
  const content =
    operation.requestBody !== undefined && "content" in operation.requestBody
      ? operation.requestBody.content
      : {};
  const [mediaType] = Object.keys(content);
  const bodies: fc.Arbitrary<string | undefined> =
    mediaType === undefined
      ? fc.constant(undefined)
      : mediaType === "application/json"
        ? bodiesOf(operationId, values.of(content[mediaType]?.schema ?? {})).map((body) =>
            bytesOfText(writeJson(body)),
          )
        : fc.constant(stateFile);
  return fc
    .tuple(namespace, segments, query, credentialsFor(chosen, live), bodies)
    .map(([prefix, parameters, given, credential, body]) => {
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => inUrl(parameters[name] ?? name));
      const search = given.flatMap((one) => (one === null ? [] : [`${one[0]}=${inUrl(String(one[1]))}`]));
      return {
        origin: operationId,
        method,
        target: `${prefix}${filled}${search.length === 0 ? "" : `?${search.join("&")}`}`,
        headers: [
          ["Host", "127.0.0.1"],
          ...(credential === undefined ? [] : [["Authorization", `Bearer ${credential}`] as const]),
          ...(mediaType === undefined ? [] : [["Content-Type", mediaType] as const]),
        ],
        body,
      };
    });
}

/** Mostly one that works for the demo's data. */
function credentialsFor(
  { operation, plane }: FuzzOperation,
  live: LiveState,
): fc.Arbitrary<string | undefined> {
  if (plane === "control") return fc.constant(undefined);
  const needsUser = operation.security?.some((scheme) => "apiKey" in scheme) !== true;
  return fc.oneof(
    {
      weight: 10,
      arbitrary: fc.constant(0).map(() => live.lastOf("proToken") ?? live.lastOf("accessToken")),
    },
    { weight: needsUser ? 0 : 10, arbitrary: fc.constant("dsk_demo_all") },
    { weight: 2, arbitrary: live.valueOf("accessToken") },
    { weight: 1, arbitrary: live.valueOf("apiKey") },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

/** What a schema cannot say about bodies. */
function bodiesOf(operationId: string, bodies: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  // a whole profile at random would have one round after the other compile its own documents
  if (operationId === "setProfile")
    return fc.constantFrom({}, { "validation-status": 422 }, { "error-body": "error-message" });
  if (operationId === "login")
    return fc.oneof(bodies, fc.constant({ email: "owner@demo.test", password: "demo-password" }));
  if (operationId === "switchOrganization")
    return rarely(3, fc.constant<unknown>({ organizationId: "org_demo_pro" }), bodies);
  return bodies;
}
