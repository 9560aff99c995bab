import * as schema from "./schema-builders.js";

/** Health (part 4.9). */
export const healthSchemas: schema.SchemaGroup = (builder) => {
  const well = (status: string, description: string) =>
    builder.response(description, { status: schema.constant(status) });
  const failing = (status: string, description: string) =>
    builder.response(description, {
      status: schema.constant(status),
      details: schema.text("present", "The reason."),
    });
  return {
    Healthy: well("Healthy", "The service is healthy."),
    Unhealthy: failing("Unhealthy", "The service is not healthy."),
    Ready: well("Ready", "The service is ready for requests."),
    NotReady: failing("NotReady", "The service is not ready for requests."),
    Alive: well("Alive", "The process is alive."),
    Dead: well("Dead", "The process is not alive."),
  };
};
