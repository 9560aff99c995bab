import type { RoutedRequest } from "../request/dispatch.js";
import type { AnsweredRequest } from "../request/answered-request.js";
import type { Incoming } from "../request/incoming.js";
import { refuseForeignVisit } from "../request/local-only.js";
import type { RequestTrace } from "../request/request-trace.js";
import type { Target } from "../request/target.js";
import type { Namespace } from "../namespaces/namespace.js";
import type { Profile } from "../../openapi/gaps/profile.js";

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

/** A request that has come in. Its namespace is looked up once: here. */
export class ServedRequest implements RoutedRequest<Namespace> {
  readonly incoming: Incoming;
  readonly target: Target;
  /** Known when it is routed. */
  path: Readonly<Record<string, string>> = {};
  trace: RequestTrace | undefined = undefined;
  readonly #namespaces: ServedNamespaces;
  #home: Namespace | undefined;

  constructor(incoming: Incoming, target: Target, namespaces: ServedNamespaces) {
    this.incoming = incoming;
    this.target = target;
    this.#namespaces = namespaces;
    this.#home = namespaces.known(target.namespace);
  }

  /** Whether its namespace is there without it. */
  get hasHome(): boolean {
    return this.#home !== undefined;
  }

  /** The answers to gaps that hold for it. */
  get profile(): Profile {
    return (this.#home ?? this.#namespaces).profile;
  }

  /** @throws problems `not-local`, for a page of another site, and `limit-reached` where a namespace has to be made */
  get home(): Namespace {
    if (this.#home === undefined) {
      refuseForeignVisit(this.incoming, this.#namespaces.profile);
      this.#home = this.#namespaces.get(this.target.namespace);
    }
    return this.#home;
  }
}
