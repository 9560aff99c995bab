import { compared } from "./compare-kinds.js";
import { answerObject, type SchemaGroup } from "./schema-builders.js";

/** Health (part 4.9). */
export const healthSchemas: SchemaGroup = (strictness) => {
  const failing = (status: string) =>
    answerObject(strictness, {
      status: compared("equal", { type: "string", const: status }),
      details: compared("present", { type: "string", description: "What is wrong." }),
    });
  const well = (status: string) =>
    answerObject(strictness, { status: compared("equal", { type: "string", const: status }) });
  return {
    Healthy: well("Healthy"),
    Unhealthy: failing("Unhealthy"),
    Ready: well("Ready"),
    NotReady: failing("NotReady"),
    Alive: well("Alive"),
    Dead: well("Dead"),
  };
};
