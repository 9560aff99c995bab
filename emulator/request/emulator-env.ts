import type { OperationId } from "../../openapi/operations/register.js";

/** The context of a user's middleware, as `Env` of Hono. */
export interface EmulatorEnv {
  /** The bindings of the server: `incoming` and `outgoing` with @hono/node-server. */
  Bindings: Record<string, unknown>;
  Variables: {
    /** The operation of the request, such as `putItem`; undefined if none matches. */
    operationId: OperationId | undefined;
    /** Name of the namespace; `default` for the namespace at the base URL. */
    namespaceName: string;
  };
}
