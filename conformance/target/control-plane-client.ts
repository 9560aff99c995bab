import type { operations } from "../../openapi/generated/control-plane-types.js";
import { controlPlaneOperations, type ControlOperationId } from "../../openapi/control-plane/operations.js";
import type { Route } from "../../openapi/operations/operation.js";
import type { RequestBody, TypedResponse } from "../../openapi/operations/operation-types.js";
import type { Client } from "../client/client.js";
import { fillPath } from "../../openapi/text/path-template.js";
import { RunError } from "../client/violation.js";

/** The control plane of an emulator's namespace, over HTTP. */
export class ControlPlaneClient {
  /** @param forgetSessions called after the clock was moved, because sessions may have ended */
  constructor(
    private readonly client: Client,
    private readonly forgetSessions: () => void,
  ) {}

  /**
   * Calls an operation of the control plane.
   *
   * @throws RunError when the control plane refuses
   */
  async call<Id extends ControlOperationId>(
    id: Id,
    {
      path = {},
      body,
    }: {
      readonly path?: Readonly<Record<string, string>>;
      readonly body?: RequestBody<operations[Id]>;
    } = {},
  ): Promise<TypedResponse<operations[Id]>["body"]> {
    const { method, path: template } = controlPlaneOperations[id].routes as Route;
    const response = await this.client.send(method.toUpperCase(), fillPath(template, path), { body });
    if (response.status >= 300)
      throw new RunError(`the control plane rejected ${id} with ${response.status}: ${response.text}`);
    return response.body as never;
  }

  /** Advances the clock by an ISO 8601 duration. */
  async advance(duration: string): Promise<void> {
    await this.call("changeClock", { body: { advance: duration } });
    this.forgetSessions();
  }
}
