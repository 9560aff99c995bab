import type { World } from "../world/world.js";
import type { Answer } from "./answer.js";
import type { Incoming } from "./incoming.js";
import type { MountedOperation } from "./mounted-operation.js";
import type { RequestTrace } from "./request-trace.js";
import type { Target } from "./target.js";

/** The least that a request has to know of the namespace it is for. */
export interface Home {
  /** The world at this moment. */
  readonly world: World;
}

/** A request on its way to one operation. What it meets on the way asks for as much of its namespace as it needs. */
export interface RoutedRequest<Place extends Home = Home> {
  readonly incoming: Incoming;
  readonly target: Target;
  readonly path: Readonly<Record<string, string>>;
  /** Its namespace: looked up when it came in, and made by the first look where there was none. */
  readonly home: Place;
  /** What is noted on its way, where the journal or fault rules want to know. */
  trace?: RequestTrace | undefined;
}

/** Where the client reached the namespace: links in answers begin with it. */
export function baseUrlOf({
  incoming,
  target: { namespace },
}: Pick<RoutedRequest, "incoming" | "target">): string {
  return `${incoming.origin()}${namespace === "" ? "" : `/ns/${namespace}`}`;
}

/** What is to be done with requests of an interface. One may stand around another: the one outside is asked first. */
export interface Dispatch<Place extends Home = Home> {
  /** Answers a request for an operation of the document. */
  readonly operation: (
    operation: MountedOperation,
    request: RoutedRequest<Place>,
  ) => Answer | Promise<Answer>;
  /** Answers a request that no operation matches. */
  readonly unmatched: (request: RoutedRequest<Place>, allowedMethods: readonly string[]) => Answer;
}
