import fc from "fast-check";
import type { ParameterObject, RequestBodyObject } from "openapi3-ts/oas31";
import { stringifyJson } from "../../../conformance/client/json-text.js";
import { fillPath, getPathParameters } from "../../../openapi/text/path-template.js";
import type { FuzzContract, FuzzOperation } from "./fuzz-contract.js";
import { toUtf8BinaryString, fuzzedNamespace, type FuzzRequest } from "./fuzz-request.js";
import { mutateTexts, withRareValue } from "./fuzz-texts.js";
import type { LiveState } from "./live-state.js";
import { SchemaArbitraries } from "./schema-values.js";

/** Operations that remove data that other requests need; most of these requests are sent to another namespace. */
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
/** Operations that are slow, or after which many requests are rejected. */
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
/** Operations whose responses contain values for other requests. */
const frequent: readonly string[] = ["login", "switchOrganization", "putItem", "createEntity", "runSqlQuery"];

/** Whether an operation makes later responses unpredictable. */
export function makesUnpredictable(operationId: string): boolean {
  return ["createFault", "setProfile"].includes(operationId);
}

/** What requests are generated from. */
export interface RequestSource {
  readonly contract: FuzzContract;
  readonly live: LiveState;
  /** The bytes of a state file. */
  readonly stateFile: string;
}

/** Generates requests that are mostly valid in the current state, for all operations or the selected ones. */
export function createFuzzRequestArbitrary(
  source: RequestSource,
  isSelected: (operation: FuzzOperation) => boolean = () => true,
): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    ...source.contract.operations.filter(isSelected).map((operation) => ({
      weight: getWeight(operation),
      arbitrary: operationRequestArbitrary(operation, source),
    })),
  );
}

function getWeight({ operationId, plane }: FuzzOperation): number {
  if (rare.includes(operationId)) return 1;
  return frequent.includes(operationId) ? 30 : plane === "control" ? 5 : 15;
}

function operationRequestArbitrary(
  chosen: FuzzOperation,
  { live, stateFile }: RequestSource,
): fc.Arbitrary<FuzzRequest> {
  const { operationId, document, path, method, operation } = chosen;
  const values = new SchemaArbitraries(document, live);
  const snapshots = fc.constantFrom("s-0", "s-1", "s-2", "s-\ufeff2");
  const valueOf = (name: string) => mutateTexts(live.valueOf(name).map((value = name) => value));
  const segments = getPathParameters(path).map((name) => [
    name,
    (path.includes("/snapshots/") ? snapshots : valueOf(name)).map((text) => Buffer.from(text).toString()),
  ]);
  const query = ((operation.parameters ?? []) as ParameterObject[])
    .filter((parameter) => parameter.in === "query")
    .map(({ name, schema = {} }) => [name, values.of(schema, name).map(String)]);
  const fuzzed = fc.constant(`/ns/${fuzzedNamespace}`);
  const others = fc.constantFrom("", "/ns/side-1", "/ns/side-2");
  const namespace = destructive.includes(operationId)
    ? withRareValue(15, others, fuzzed)
    : withRareValue(20, fuzzed, others);
  const { content = {} } = (operation.requestBody ?? {}) as Partial<RequestBodyObject>;
  const [mediaType] = Object.keys(content);
  const json = bodyArbitrary(operationId, values.of(content[mediaType ?? ""]?.schema ?? {}));
  return fc
    .record({
      namespace,
      segments: fc.record(Object.fromEntries(segments) as Texts),
      query: fc.record(Object.fromEntries(query) as Texts, { requiredKeys: [] }),
      credential: credentialArbitrary(chosen, live),
      body:
        mediaType === "application/json"
          ? json.map((body) => toUtf8BinaryString(stringifyJson(body)))
          : fc.constant(mediaType === undefined ? undefined : stateFile),
    })
    .map(({ namespace, segments, query, credential, body }) => ({
      origin: operationId,
      method,
      target: [
        `${namespace}${fillPath(path, segments, encodeURIComponent)}`,
        String(new URLSearchParams(query as Values)),
      ]
        .filter((part) => part !== "")
        .join("?"),
      headers: [
        ["Host", "127.0.0.1"],
        ...(credential === undefined ? [] : [["Authorization", `Bearer ${credential}`] as const]),
        ...(mediaType === undefined ? [] : [["Content-Type", mediaType] as const]),
      ],
      body,
    }));
}

type Values = Record<string, string>;
type Texts = Record<string, fc.Arbitrary<string>>;

/** Generates credentials; most of them give access to the demo data. */
function credentialArbitrary(
  { operation, plane }: FuzzOperation,
  live: LiveState,
): fc.Arbitrary<string | undefined> {
  if (plane === "control") return fc.constant(undefined);
  const needsUser = operation.security?.some((scheme) => "apiKey" in scheme) !== true;
  const session = fc.constant(0).map(() => live.lastOf("proToken") ?? live.lastOf("accessToken"));
  return fc.oneof(
    { weight: 10, arbitrary: session },
    { weight: needsUser ? 0 : 10, arbitrary: fc.constant("dsk_demo_all") },
    { weight: 2, arbitrary: live.valueOf("accessToken") },
    { weight: 1, arbitrary: live.valueOf("apiKey") },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

/** Replaces bodies generated from a schema if most of them would not be useful. */
function bodyArbitrary(operationId: string, bodies: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  // with random profiles, every round would compile other schemas
  if (operationId === "setProfile")
    return fc.constantFrom({}, { "validation-status": 422 }, { "error-body": "error-message" });
  if (operationId === "login")
    return fc.oneof(bodies, fc.constant({ email: "owner@demo.test", password: "demo-password" }));
  if (operationId === "switchOrganization")
    return withRareValue(3, fc.constant<unknown>({ organizationId: "org_demo_pro" }), bodies);
  return bodies;
}
