import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";
import { isDoneByPage } from "../console/console-agent.js";
import { isConsolePath } from "../console/console-path.js";
import { controlContract } from "../control/control-contract.js";
import { controlDispatch, type ControlSurroundings, unmatchedControl } from "../control/control-pipeline.js";
import { faultedDispatch } from "../faults/faulted-dispatch.js";
import { journaled, journaledDispatch } from "../journal/journaled-dispatch.js";
import { emulatorLimits } from "../memory/limits.js";
import type { Namespace } from "../namespaces/namespace.js";
import { RecentCache } from "../memory/recent-cache.js";
import type { Answer } from "../request/answer.js";
import type { Dispatch } from "../request/dispatch.js";
import type { Incoming } from "../request/incoming.js";
import { namePattern } from "../request/name.js";
import { problemAnswer } from "../request/problem-answer.js";
import { refusal } from "../request/refusal.js";
import { isControlPath, readTarget, type Target } from "../request/target.js";
import { contractOf } from "../service/contract-of.js";
import { documented, type Unmatched } from "../service/documented-dispatch.js";
import { serviceDispatch, unmatchedAnswer } from "../service/service-pipeline.js";
import { welcomed } from "../service/welcomed-dispatch.js";
import type { FetchedRequest } from "./fetched-request.js";
import { fetchIncoming } from "./incoming-forms.js";
import { type Api, routeApi } from "./route-api.js";
import { responseOf, type Sendable } from "./send-answer.js";
import { servePages } from "./serve-pages.js";
import { type ServedNamespaces, ServedRequest } from "./served-request.js";

/** Where requests come in, over a socket or from the same process. */
export interface Entry {
  /**
   * The one way of every request. It fails for nothing that a client may send.
   *
   * @param raw the target as it was sent
   */
  readonly answer: (raw: string, incoming: Incoming) => Answer | Promise<Sendable>;
  /** The same for a request that was given to `fetch`. */
  readonly fetch: (request: FetchedRequest) => Response | Promise<Response>;
}

/** How an entry serves. */
export interface EntryOptions {
  /** Whether there are pages to look at. */
  readonly hasConsole: boolean;
  /** Whether answers without an end may go on. */
  readonly isListening: () => boolean;
}

/**
 * Leads a request to its namespace, and there to the service or the control plane. Only a request for an operation makes
 * a namespace, and none that a foreign page makes a browser send.
 */
export function createEntry(
  namespaces: ServedNamespaces,
  { hasConsole, isListening }: EntryOptions = { hasConsole: false, isListening: () => false },
): Entry {
  const services = servicesByProfile(hasConsole);
  const pages = hasConsole ? servePages(namespaces, { isListening, enter: createEntry }) : undefined;
  let control: Api | undefined;
  const apiOf = (request: ServedRequest): Api =>
    isControlPath(request.target.path) ? (control ??= controlPlane(namespaces)) : services(request.profile);

  /** Answers a target that cannot be read, in the way of the interface and namespace that it seems to mean. */
  const unreadable = (error: unknown, raw: string, incoming: Incoming): Answer => {
    if (meantForControlPlane.test(raw)) return problemAnswer(error, defaultProfile);
    const { name = "", rest = raw } = namespaced.exec(raw)?.groups ?? {};
    const request = new ServedRequest(incoming, { namespace: name, path: rest, query: "" }, namespaces);
    if (!request.hasHome) return problemAnswer(error, namespaces.profile);
    return journaled(request, () => refusal(error, incoming, request.home.world));
  };

  const answer = (raw: string, incoming: Incoming): Answer | Promise<Sendable> => {
    let target: Target;
    try {
      target = readTarget(raw);
    } catch (error) {
      return unreadable(error, raw, incoming);
    }
    try {
      const request = new ServedRequest(incoming, target, namespaces);
      if (pages !== undefined && isConsolePath(target.path)) return pages(request);
      return apiOf(request)(request);
    } catch (error) {
      // a namespace can be one too many until the moment it is needed
      return problemAnswer(error, defaultProfile);
    }
  };

  return {
    answer,
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      const answered = answer(pathname + search, fetchIncoming(request));
      return answered instanceof Promise
        ? answered.then((ready) => responseOf(ready, request.method))
        : responseOf(answered, request.method);
    },
  };
}

/** The service under a profile: its routes and schemas depend on nothing else. */
function servicesByProfile(hasConsole: boolean): (profile: Profile) => Api {
  const services = new RecentCache<string, Api>(emulatorLimits.profiles);
  const keys = new WeakMap<Profile, string>();
  return (profile) => {
    let key = keys.get(profile);
    if (key === undefined) keys.set(profile, (key = JSON.stringify(profile)));
    return services.get(key, () => service(profile, hasConsole));
  };
}

/** What a request to the service meets, from the outside in: journal, faults, the service's own way. */
function service(profile: Profile, hasConsole: boolean): Api {
  const contract = contractOf(profile);
  const shown = documented(contract, profile);
  const around = <Request extends Pick<ServedRequest, "incoming" | "target">>(
    unmatched: Unmatched<Request>,
  ) => welcomed(shown(unmatched), hasConsole);
  const inner = journaledDispatch<Namespace>(faultedDispatch(serviceDispatch(contract.validator)));
  return routeApi(
    contract.requests,
    { operation: inner.operation, unmatched: around(inner.unmatched) },
    profile["trailing-slash"] === "ignored",
    around((request, allowed) => unmatchedAnswer(request, allowed, profile)),
  );
}

/** Calls are no traffic of the service, but what a page changes by one stands in the journal beside what it leads to. */
function controlPlane(surroundings: ControlSurroundings): Api {
  const plain = controlDispatch(surroundings);
  const seen = journaledDispatch<Namespace>(plain, "keep");
  const dispatch: Dispatch<Namespace> = {
    operation: (operation, request) =>
      (isDoneByPage(request.incoming) ? seen : plain).operation(operation, request),
    unmatched: plain.unmatched,
  };
  return routeApi(controlContract().document, dispatch, false, unmatchedControl);
}

/** The control plane of a namespace, whatever its name: one that cannot be a name as well. */
const meantForControlPlane = /^(?:\/ns\/[^/?#]*)?\/_emulator(?![^/?#])/;

const namespaced = new RegExp(`^/ns/(?<name>${namePattern})(?<rest>/.*)$`);
