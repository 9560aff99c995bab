import type { OperationId } from "../../openapi/operations/register.js";

/** What middleware of users finds in its context, as `Env` of Hono. */
export interface EmulatorEnv {
  /** What the server binds: `incoming` and `outgoing` under @hono/node-server. */
  Bindings: Record<string, unknown>;
  Variables: {
    /** The operation of the contract that the request is for, such as `putItem`; undefined where none matches. */
    operationId: OperationId | undefined;
    /** The name of the namespace, `default` for the one at the base URL. */
    namespaceName: string;
  };
}
