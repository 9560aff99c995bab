import type { SchemaObject } from "openapi3-ts/oas31";
import type { FuzzContract, FuzzOperation } from "./fuzz-contract.js";
import type { FuzzRequest } from "./fuzz-request.js";
import type { LiveState } from "./live-state.js";
import { makeValue } from "./make-values.js";
import type { Random } from "./random.js";

/** Where most requests go. */
export const fuzzedNamespace = "fuzz";

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

type Choices = readonly (readonly [weight: number, operation: FuzzOperation])[];
const choices = new WeakMap<FuzzContract, { readonly all: Choices; readonly harmless: Choices }>();

function choicesOf(contract: FuzzContract) {
  let known = choices.get(contract);
  if (known === undefined) {
    const all = contract.operations.map((operation) => [weightOf(operation), operation] as const);
    known = { all, harmless: all.filter(([, { operationId }]) => operationId !== "createFault") };
    choices.set(contract, known);
  }
  return known;
}

function weightOf({ operationId, plane }: FuzzOperation): number {
  if (rare.includes(operationId)) return 1;
  return frequent.includes(operationId) ? 30 : plane === "control" ? 5 : 15;
}

/** What requests are made from. */
export interface RequestMaking {
  readonly random: Random;
  readonly live: LiveState;
  readonly contract: FuzzContract;
  /** A file with a state. */
  readonly stateFile: Uint8Array;
  /** Whether rules may be made that answer in the emulator's place. */
  readonly mayFault: boolean;
}

/** Makes a request that makes sense in the world as it is, mostly. */
export function makeRequest({ random, live, contract, stateFile, mayFault }: RequestMaking): FuzzRequest {
  const { all, harmless } = choicesOf(contract);
  const chosen = random.weighted(mayFault ? all : harmless);
  const { operationId, document, plane, path, method, operation } = chosen;
  const making = { random, live, document };
  const { parameters = [], requestBody } = operation;
  const value = (name: string) => live.pick(name, random) ?? name;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path.includes("/snapshots/") ? `s-${random.below(3)}` : value(name)),
  );
  const query = parameters.flatMap((parameter) =>
    "in" in parameter && parameter.in === "query" && random.once(3)
      ? [
          `${parameter.name}=${encodeURIComponent(String(makeValue(parameter.schema ?? {}, making, parameter.name)))}`,
        ]
      : [],
  );
  const isElsewhere = destructive.includes(operationId) ? !random.once(15) : random.once(20);
  const namespace = isElsewhere ? random.pick(["", "/ns/side-1", "/ns/side-2"]) : `/ns/${fuzzedNamespace}`;
  const headers: [string, string][] = [["Host", "127.0.0.1"]];
  if (plane === "service") {
    const credential = credentialFor(chosen, random, live);
    if (credential !== undefined) headers.push(["Authorization", `Bearer ${credential}`]);
  }
  const content = requestBody !== undefined && "content" in requestBody ? requestBody.content : {};
  let body: Uint8Array | undefined;
  const [mediaType] = Object.keys(content);
  if (mediaType !== undefined) {
    headers.push(["Content-Type", mediaType]);
    const schema = content[mediaType]?.schema as SchemaObject | { readonly $ref: string } | undefined;
    body =
      mediaType === "application/json"
        ? Buffer.from(JSON.stringify(bodyOf(operationId, makeValue(schema ?? {}, making), making)))
        : stateFile;
  }
  return {
    origin: operationId,
    method,
    target: `${namespace}${filled}${query.length === 0 ? "" : `?${query.join("&")}`}`,
    headers,
    body,
  };
}

/** Mostly one that works for the demo's data. */
function credentialFor({ operation }: FuzzOperation, random: Random, live: LiveState): string | undefined {
  const needsUser = operation.security?.some((scheme) => "apiKey" in scheme) !== true;
  return random.weighted<() => string | undefined>([
    [10, () => live.last("proToken") ?? live.last("accessToken")],
    [needsUser ? 0 : 10, () => "dsk_demo_all"],
    [2, () => live.pick("accessToken", random)],
    [1, () => live.pick("apiKey", random)],
    [1, () => undefined],
  ])();
}

/** What a schema cannot say about bodies. */
function bodyOf(operationId: string, body: unknown, { random }: { readonly random: Random }): unknown {
  // a whole profile at random would have one round after the other compile its own documents
  if (operationId === "setProfile")
    return random.pick([{}, {}, { "validation-status": 422 }, { "error-body": "error-message" }]);
  if (operationId === "login" && random.once(2))
    return { email: "owner@demo.test", password: "demo-password" };
  if (operationId === "switchOrganization" && !random.once(3)) return { organizationId: "org_demo_pro" };
  return body;
}
