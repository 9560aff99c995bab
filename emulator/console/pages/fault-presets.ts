import type { components } from "../../../openapi/generated/control-plane-types.js";

interface FaultPreset {
  readonly name: string;
  readonly explanation: string;
  readonly rules: readonly components["schemas"]["CreateFaultRequest"][];
}

/** Sets of rules that simulate common failures. */
export const faultPresets: readonly FaultPreset[] = [
  {
    name: "Flaky network",
    explanation:
      "One request in ten is dropped without a response, and one in five is delayed by half a second.",
    rules: [
      { effect: { kind: "drop" }, when: { probability: 0.1 } },
      { effect: { kind: "latency", delayMs: 500 }, when: { probability: 0.2 } },
    ],
  },
  {
    name: "Throttled",
    explanation: "One request in three gets a 429 response with Retry-After.",
    rules: [{ effect: { kind: "status", status: 429 }, when: { probability: 0.33 } }],
  },
  {
    name: "Half-written batches",
    explanation:
      "In half of all batch writes, one entry fails. In half of all batch reads, one key is left unprocessed.",
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
    explanation: "The next request that puts an item is executed, but the client receives no response.",
    rules: [
      { match: { operationId: "putItem" }, effect: { kind: "drop", applied: true }, when: { count: 1 } },
    ],
  },
  {
    name: "Down",
    explanation: "Every request gets a 503 response.",
    rules: [{ effect: { kind: "status", status: 503 } }],
  },
];
