import type { NamespaceLookup } from "../namespaces/namespaces.js";
import type { RequestTarget } from "../service/service-env.js";

/** What comes with a request to a page. */
export interface ConsoleBindings {
  readonly namespaces: NamespaceLookup;
  readonly target: RequestTarget;
  /** Answers a request of the same process: to the service or the control plane. */
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Whether pages that keep listening may go on. */
  readonly isListening: () => boolean;
}
