import { defaultProfile } from "../../openapi/gaps/profile.js";
import { problemAnswer } from "../request/problem-answer.js";
import { refuseForeignVisit } from "../request/local-only.js";
import type { Sendable } from "./send-answer.js";
import type { ServedNamespaces, ServedRequest } from "./served-request.js";

/** What pages need of where they are served. */
interface Surroundings {
  /** Whether pages without an end may go on. */
  readonly isListening: () => boolean;
  /** Leads what a page asks for to the service and the control plane. */
  readonly enter: (namespaces: ServedNamespaces) => {
    readonly fetch: (request: Request) => Response | Promise<Response>;
  };
}

/** Answers requests for pages of the console, which is loaded with the first of them. */
export function servePages(
  namespaces: ServedNamespaces,
  { isListening, enter }: Surroundings,
): (request: ServedRequest) => Promise<Sendable> {
  let inner: ReturnType<Surroundings["enter"]> | undefined;
  return async (request) => {
    const { incoming, target } = request;
    try {
      if (!request.hasHome) refuseForeignVisit(incoming, namespaces.profile);
      const { answerConsole } = await import("../console/console.js");
      const { fetch } = (inner ??= enter(untold(namespaces)));
      const { allowHosts = [] } = namespaces;
      return await answerConsole({
        target,
        incoming,
        allowHosts,
        isListening,
        dispatch: async (asked) => fetch(asked),
      });
    } catch (error) {
      return problemAnswer(error, defaultProfile);
    }
  };
}

/** The same namespaces, of whose control plane nobody is told: a page may ask it for what is new all the time. */
function untold(namespaces: ServedNamespaces): ServedNamespaces {
  return {
    get: (name) => namespaces.get(name),
    known: (name) => namespaces.known(name),
    profile: namespaces.profile,
    allowHosts: namespaces.allowHosts ?? [],
  };
}
