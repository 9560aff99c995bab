import type { IncomingMessage, ServerResponse } from "node:http";
import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";
import { ContractValidator } from "../../openapi/validation/validate.js";
import { faultedDispatch } from "../faults/faulted-dispatch.js";
import { journaled, journaledDispatch } from "../journal/journaled-dispatch.js";
import { emulatorLimits } from "../memory/limits.js";
import { namePattern } from "../request/name.js";
import type { Namespace } from "../namespaces/namespace.js";
import { RecentCache } from "../memory/recent-cache.js";
import { controlContract } from "../control/control-contract.js";
import { controlDispatch } from "../control/control-pipeline.js";
import { documentOf } from "../service/document-of.js";
import { refuseForeignVisit } from "../request/local-only.js";
import { problemAnswer } from "../request/problem-answer.js";
import type { Answer } from "../request/answer.js";
import type { AnsweredRequest } from "../request/answered-request.js";
import type { Incoming } from "../request/incoming.js";
import { documentedDispatch } from "../service/documented-dispatch.js";
import type { Dispatch, RoutedRequest } from "../request/dispatch.js";
import { refusal } from "../request/refusal.js";
import { type Api, incomingOf, routeApi, send } from "./route-api.js";
import { serviceDispatch, unmatchedAnswer } from "../service/service-pipeline.js";
import { welcomedDispatch } from "../service/welcomed-dispatch.js";
import { readTarget, type Target } from "../request/target.js";

/** The socket's side of a request. */
export interface Socket {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Where requests come in, over a socket or from the same process. */
export interface Entry {
  /**
   * Answers an ordinary request for an operation on its socket.
   *
   * @returns false for any other request, which is {@link Entry.fetch}'s to answer
   */
  readonly serve: (socket: Socket) => boolean;
  readonly fetch: (request: Request, socket?: Partial<Socket>) => Response | Promise<Response>;
}

/** The namespaces that requests are led to; the empty name is the default one's. */
export interface ServedNamespaces {
  /** Finds the namespace of a name, or makes it. */
  get(name: string): Namespace;
  known(name: string): Namespace | undefined;
  /** What a new one begins with. */
  readonly profile: Profile;
  /** Host names under which the control plane may be used, beside local ones. */
  readonly allowHosts?: readonly string[];
  /** Is told of every call of the control plane. */
  readonly onRequest?: ((request: AnsweredRequest) => void) | undefined;
}

/**
 * Leads a request to its namespace, and there to the service or the control plane. Only a request for an operation makes
 * a namespace, and none that a foreign page makes a browser send.
 */
export function createEntry(namespaces: ServedNamespaces): Entry {
  const ofRequest = ({ target, incoming }: RoutedRequest): Namespace => {
    const known = namespaces.known(target.namespace);
    if (known !== undefined) return known;
    refuseForeignVisit(incoming, namespaces.profile);
    return namespaces.get(target.namespace);
  };
  // the routes and schemas depend on nothing but the profile
  const services = new RecentCache<string, Api>(emulatorLimits.profiles);
  const keys = new WeakMap<Profile, string>();
  const service = (profile: Profile): Api => {
    let key = keys.get(profile);
    if (key === undefined) keys.set(profile, (key = JSON.stringify(profile)));
    return services.get(key, () => {
      const document = documentOf(profile);
      const validator = new ContractValidator(document);
      const dispatch = serviceDispatch(validator, (request) => request.world ?? ofRequest(request).world);
      const journaling = journaledDispatch(faultedDispatch(dispatch, ofRequest), ofRequest);
      const isKnown = ({ target }: RoutedRequest) => namespaces.known(target.namespace) !== undefined;
      const sparing: Dispatch = {
        operation: journaling.operation,
        unmatched: (request, allowedMethods) =>
          isKnown(request)
            ? journaling.unmatched(request, allowedMethods)
            : unmatchedAnswer(request, allowedMethods, profile),
      };
      return routeApi(document, welcomedDispatch(documentedDispatch(sparing, document, profile)));
    });
  };
  let control: Api | undefined;
  const controlPlane = (): Api =>
    (control ??= routeApi(controlContract().document, controlDispatch(ofRequest, namespaces)));

  /** Answers a target that cannot be read, in the way of the interface and namespace that it seems to mean. */
  const unreadable = (error: unknown, raw: string, incoming: Incoming): Answer => {
    const { name = "", rest = raw } = namespaced.exec(raw)?.groups ?? {};
    if (/^\/_emulator(?![^/?#])/.test(rest)) return problemAnswer(error, defaultProfile);
    const namespace = namespaces.known(name);
    if (namespace === undefined) return problemAnswer(error, namespaces.profile);
    const request: RoutedRequest = {
      incoming,
      target: { namespace: name, path: rest, query: "" },
      path: {},
    };
    return journaled(request, namespace, () => refusal(error, incoming, namespace.world));
  };

  const apiOf = ({ path, namespace }: Target): Api =>
    path === "/_emulator" || path.startsWith("/_emulator/")
      ? controlPlane()
      : service((namespaces.known(namespace) ?? namespaces).profile);

  const lead = (request: Request, socket: Partial<Socket>): Response | Promise<Response> => {
    const raw = socket.incoming?.url ?? targetOf(request);
    let target: Target;
    try {
      target = readTarget(raw);
    } catch (error) {
      return send(unreadable(error, raw, incomingOf(request, socket)), socket);
    }
    return apiOf(target).fetch(request, { target, ...socket });
  };

  return {
    serve: ({ incoming, outgoing }) => {
      const { url = "", headers } = incoming;
      if (!ordinaryTarget.test(url) || !ordinaryHost.test(headers.host ?? "")) return false;
      let target: Target;
      let api: Api;
      try {
        target = readTarget(url);
        api = apiOf(target);
      } catch {
        return false;
      }
      return api.serve(incoming, outgoing, target);
    },
    fetch: (request, socket = {}) => {
      try {
        return lead(request, socket);
      } catch (error) {
        // there are too many namespaces for one more
        return send(problemAnswer(error, defaultProfile), socket);
      }
    },
  };
}

/** What no URL parser has an opinion on. */
const ordinaryTarget = /^\/[^\\]*$/;
const ordinaryHost = /^[a-z0-9._-]+(?::\d{1,5})?$/i;

const namespaced = new RegExp(`^/ns/(?<name>${namePattern})(?<rest>/.*)$`);

function targetOf(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return pathname + search;
}
