import type { components } from "../../openapi/generated/control-plane-types.js";

type Schemas = components["schemas"];

/** A rule as the request describes it. */
export type FaultRequest = Schemas["CreateFaultRequest"];
/** A rule as it is shown. */
export type Fault = Schemas["Fault"];
export type FaultEffect = Schemas["FaultEffect"];
