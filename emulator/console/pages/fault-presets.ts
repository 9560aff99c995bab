import type { components } from "../../../openapi/generated/control-plane-types.js";

interface FaultPreset {
  readonly name: string;
  readonly explanation: string;
  readonly rules: readonly components["schemas"]["CreateFaultRequest"][];
}

/** Troubles that clients meet, as rules. */
export const faultPresets: readonly FaultPreset[] = [
  {
    name: "Flaky network",
    explanation: "One request in ten is cut off without an answer, and one in five waits for half a second.",
    rules: [
      { effect: { kind: "drop" }, when: { probability: 0.1 } },
      { effect: { kind: "latency", delayMs: 500 }, when: { probability: 0.2 } },
    ],
  },
  {
    name: "Throttled",
    explanation: "One request in three is answered 429 with Retry-After.",
    rules: [{ effect: { kind: "status", status: 429 }, when: { probability: 0.33 } }],
  },
  {
    name: "Half-written batches",
    explanation: "Every second batch write has an entry that fails, and batch reads leave a key over.",
    rules: [
      { match: { operationId: "batchWriteItems" }, effect: { kind: "partial" }, when: { probability: 0.5 } },
      {
        match: { operationId: "batchGetItems" },
        effect: { kind: "unprocessed" },
        when: { probability: 0.5 },
      },
    ],
  },
  {
    name: "Response lost after success",
    explanation: "The next request that changes an item is carried out, and its answer is lost.",
    rules: [
      { match: { operationId: "putItem" }, effect: { kind: "drop", applied: true }, when: { count: 1 } },
    ],
  },
  {
    name: "Down",
    explanation: "Everything is answered 503.",
    rules: [{ effect: { kind: "status", status: 503 } }],
  },
];
