import { withComparisonKind } from "./compare-kinds.js";
import { responseObjectSchema, type SchemaGroup } from "./schema-builders.js";

/** Health (part 4.9). */
export const healthSchemas: SchemaGroup = (strictness) => {
  const failing = (status: string) =>
    responseObjectSchema(strictness, {
      status: withComparisonKind("equal", { type: "string", const: status }),
      details: withComparisonKind("present", { type: "string", description: "The reason." }),
    });
  const well = (status: string) =>
    responseObjectSchema(strictness, {
      status: withComparisonKind("equal", { type: "string", const: status }),
    });
  return {
    Healthy: well("Healthy"),
    Unhealthy: failing("Unhealthy"),
    Ready: well("Ready"),
    NotReady: failing("NotReady"),
    Alive: well("Alive"),
    Dead: well("Dead"),
  };
};
