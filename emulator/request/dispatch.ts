import type { World } from "../world/world.js";
import type { Answer } from "./answer.js";
import type { Incoming } from "./incoming.js";
import type { MountedOperation } from "./mounted-operation.js";
import type { RequestTrace } from "./request-trace.js";
import type { Target } from "./target.js";

/** A request on its way to one operation. */
export interface RoutedRequest {
  readonly incoming: Incoming;
  readonly target: Target;
  readonly path: Readonly<Record<string, string>>;
  /** What is noted on its way, where the journal or fault rules want to know. */
  trace?: RequestTrace | undefined;
  /** The world it began in, where it waited for something since. */
  readonly world?: World;
}

/** Where the client reached the namespace: links in answers begin with it. */
export function baseUrlOf({ incoming, target: { namespace } }: RoutedRequest): string {
  return `${incoming.origin()}${namespace === "" ? "" : `/ns/${namespace}`}`;
}

/** What is to be done with requests of an interface. */
export interface Dispatch {
  /** Answers a request for an operation of the document. */
  readonly operation: (operation: MountedOperation, request: RoutedRequest) => Answer | Promise<Answer>;
  /** Answers a request that no operation matches. */
  readonly unmatched: (request: RoutedRequest, allowedMethods: readonly string[]) => Answer;
}
