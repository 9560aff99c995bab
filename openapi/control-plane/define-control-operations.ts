import { defineOperationGroup } from "../operations/operation.js";

/** Control-plane calls need no credential: they are reachable from this machine only, and bind to no clause. */
export const defineControlOperations = defineOperationGroup({
  tag: "Control plane",
  problems: ["not-local"],
});
