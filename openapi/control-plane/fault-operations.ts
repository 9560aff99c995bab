import { success } from "../operations/operation.js";
import { ref } from "../schemas/ref.js";
import { defineControlOperations } from "./define-control-operations.js";

const request = {
  match: { operationId: "putItem" },
  effect: { kind: "status", status: 429, retryAfterSeconds: 2 },
  when: { count: 3 },
};
const fault = { faultId: "fault_6m3x", ...request, fired: 0 };

/** Rules that make the service fail. */
export const faultOperations = defineControlOperations({
  createFault: {
    summary: "Add a fault rule",
    description:
      "Rules are looked at in the order they were added, at three points of a request's way. When it arrives, before " +
      "its credential is looked at: `latency` (several add up), `status` and `drop`. When it has been found valid and " +
      "allowed: `unprocessed`, `partial` and `error`. When its work is done: `truncate`, and `status` and `drop` with " +
      "`applied`. At each point the first rule that fires decides. Requests that no operation matches are left alone.",
    routes: { method: "post", path: "/_emulator/faults" },
    requestBody: ref("CreateFaultRequest"),
    successes: [success(201, "The rule is in force.", "Fault")],
    problems: ["too-many-faults"],
    example: { request, response: fault },
  },
  listFaults: {
    summary: "List the fault rules",
    routes: { method: "get", path: "/_emulator/faults" },
    successes: [success(200, "The rules, oldest first.", "FaultList")],
    example: { response: { faults: [fault] } },
  },
  clearFaults: {
    summary: "Remove all fault rules",
    description: "Requests that a rule keeps waiting go on.",
    routes: { method: "delete", path: "/_emulator/faults" },
    successes: [success(204, "There are no rules.")],
    example: {},
  },
  getFault: {
    summary: "Read a fault rule, and how often it has fired",
    routes: { method: "get", path: "/_emulator/faults/{faultId}" },
    successes: [success(200, "The rule.", "Fault")],
    problems: ["fault-not-found"],
    example: { parameters: { faultId: fault.faultId }, response: fault },
  },
  deleteFault: {
    summary: "Remove a fault rule",
    routes: { method: "delete", path: "/_emulator/faults/{faultId}" },
    successes: [success(204, "The rule is gone.")],
    problems: ["fault-not-found"],
    example: { parameters: { faultId: fault.faultId } },
  },
});
