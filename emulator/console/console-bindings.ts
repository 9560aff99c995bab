import type { Incoming } from "../request/incoming.js";
import type { Target } from "../request/target.js";

/** What comes with a request to a page. */
export interface ConsoleBindings {
  readonly target: Target;
  readonly incoming: Incoming;
  /** Host names that may be used beside local ones. */
  readonly allowHosts: readonly string[];
  /** Answers a request of the same process: to the service or the control plane. */
  readonly dispatch: (request: Request) => Promise<Response>;
  /** Whether pages that keep listening may go on. */
  readonly isListening: () => boolean;
}
