import { operationGroup } from "../operations/operation.js";

/** Control-plane calls need no credential: they are reachable from this machine only, and bind to no clause. */
export const controlPlane = operationGroup({ tag: "Control plane", problems: ["not-local"] });
