import { type DemoRequest, demoRequests, pathOf } from "../growth/demo-requests.js";
import type { FuzzRequest } from "./fuzz-request.js";

/** These tell of all namespaces, or of real time. */
const others: readonly string[] = [
  "listNamespaces",
  "setNamespace",
  "deleteNamespace",
  "forkNamespace",
  "forkSnapshot",
  "getJournal",
  "getControlPlaneDocument",
  "uploadSnapshot",
];

/** A request for each operation, in a namespace of its own, whose answers are always the same. */
export function knownTranscript(): readonly FuzzRequest[] {
  return demoRequests()
    .filter(({ operationId }) => !others.includes(operationId))
    .map(inKnownNamespace);
}

function inKnownNamespace(request: DemoRequest): FuzzRequest {
  const { operationId, method, body, plane } = request;
  return {
    origin: operationId,
    method,
    target: `/ns/known${pathOf(request)}`,
    headers: [
      ["Host", "127.0.0.1"],
      ...(plane === "service" ? [["Authorization", "Bearer dsk_demo_all"] as const] : []),
      ...(body === undefined ? [] : [["Content-Type", "application/json"] as const]),
    ],
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
  };
}
