import { defineOperations } from "../operations/operation.js";
import { ref } from "../schemas/ref.js";
import { control } from "./control.js";

const request = {
  match: { operationId: "putItem" },
  effect: { kind: "status", status: 429, retryAfterSeconds: 2 },
  when: { count: 3 },
};
const fault = { faultId: "fault_6m3x", ...request, fired: 0 };

/** Rules that make the service fail. */
export const faultOperations = defineOperations({
  createFault: control({
    summary: "Add a fault rule",
    description:
      "Rules are looked at in the order they were added, at three points of a request's way. When it arrives, before " +
      "its credential is looked at: `latency` (several add up), `status` and `drop`. When it has been found valid and " +
      "allowed: `unprocessed`, `partial` and `error`. When its work is done: `truncate`, and `status` and `drop` with " +
      "`applied`. At each point the first rule that fires decides. Requests that no operation matches are left alone.",
    routes: { method: "post", path: "/_emulator/faults" },
    effect: "write",
    requestBody: ref("CreateFaultRequest"),
    successes: () => [{ status: 201, description: "The rule is in force.", schema: ref("Fault") }],
    problems: ["too-many-faults"],
    example: { request, response: fault },
  }),
  listFaults: control({
    summary: "List the fault rules",
    routes: { method: "get", path: "/_emulator/faults" },
    effect: "read",
    successes: () => [{ status: 200, description: "The rules, oldest first.", schema: ref("FaultList") }],
    example: { response: { faults: [fault] } },
  }),
  clearFaults: control({
    summary: "Remove all fault rules",
    description: "Requests that a rule keeps waiting go on.",
    routes: { method: "delete", path: "/_emulator/faults" },
    effect: "write",
    successes: () => [{ status: 204, description: "There are no rules." }],
    example: {},
  }),
  getFault: control({
    summary: "Read a fault rule, and how often it has fired",
    routes: { method: "get", path: "/_emulator/faults/{faultId}" },
    effect: "read",
    successes: () => [{ status: 200, description: "The rule.", schema: ref("Fault") }],
    problems: ["fault-not-found"],
    example: { parameters: { faultId: fault.faultId }, response: fault },
  }),
  deleteFault: control({
    summary: "Remove a fault rule",
    routes: { method: "delete", path: "/_emulator/faults/{faultId}" },
    effect: "write",
    successes: () => [{ status: 204, description: "The rule is gone." }],
    problems: ["fault-not-found"],
    example: { parameters: { faultId: fault.faultId } },
  }),
});
