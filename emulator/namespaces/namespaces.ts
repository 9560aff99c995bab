import type { SqlJsStatic } from "sql.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { Coverage } from "../coverage/coverage.js";
import { defaultNamespace } from "../request/name.js";
import { Namespace, type NamespaceDependencies, type NamespaceRegistry } from "./namespace.js";
import { MemoryBudget } from "../store/memory-budget.js";
import type { WorldSource } from "../world/open-world.js";
import { findNearest } from "../../openapi/text/find-nearest.js";
import { createInvalidBodyProblem, Problem } from "../domain/problem.js";
import type { AnsweredRequest } from "../request/answered-request.js";
import type { ClockMode } from "../time/clock.js";

/** The fixtures of an emulator. */
export interface FixtureStateProvider {
  readonly names: readonly string[];
  /** Returns the starting state of a fixture; undefined for an unknown name. */
  readonly getFixtureState: (name: string) => Uint8Array | undefined;
}

/** Options of the namespaces of an emulator. */
export interface NamespacesOptions {
  /** The name of a fixture. */
  readonly fixture: string;
  readonly fixtures: FixtureStateProvider;
  readonly profile: Profile;
  readonly seed: number | undefined;
  readonly clock: ClockMode | undefined;
  /** The starting state of the default namespace, instead of the fixture. */
  readonly data: Uint8Array | undefined;
  readonly maxNamespaces: number;
  /** Maximum memory of all worlds and snapshots. */
  readonly maxMemoryBytes?: number | undefined;
  /** Number of requests that the journal keeps. */
  readonly journal: number;
  /** The situations that requests have met; undefined when coverage is off. */
  readonly coverage?: Coverage | undefined;
  /** Host names that clients may use in addition to local ones. */
  readonly allowHosts?: readonly string[];
  /** Seconds without a request after which a namespace is deleted. */
  readonly namespaceIdleSeconds?: number | undefined;
  /** Called after every request. */
  readonly onRequest?: ((request: AnsweredRequest) => void) | undefined;
}

/** What a request needs from the namespaces. */
export type NamespaceLookup = Pick<
  Namespaces,
  "get" | "getExisting" | "peek" | "list" | "profile" | "allowHosts" | "onRequest"
>;

/** The namespaces of an emulator by name. */
export class Namespaces implements NamespaceRegistry {
  readonly #beginning: NamespacesOptions;
  #fixtures: FixtureStateProvider;
  readonly #home: NamespaceDependencies;
  readonly #byName = new Map<string, Namespace>();
  readonly #default: Namespace;
  /** Timers of the namespaces that are deleted when idle. */
  readonly #idle = new Map<string, NodeJS.Timeout>();

  constructor(sqlite: SqlJsStatic, beginning: NamespacesOptions) {
    const { seed, clock, data, profile, fixture } = beginning;
    this.#beginning = beginning;
    this.#fixtures = beginning.fixtures;
    const given = { ...(seed === undefined ? {} : { seed }), ...(clock === undefined ? {} : { clock }) };
    this.#home = {
      sqlite,
      budget: new MemoryBudget(sqlite, beginning.maxMemoryBytes),
      journals: { bytes: 0 },
      journal: beginning.journal,
      onRequest: beginning.onRequest,
      coverage: beginning.coverage,
      fixture: (name) => ({ bytes: stateOf(this.#fixtures, name), ...given }),
      namespaces: this,
    };
    const origin = data === undefined ? this.#home.fixture(fixture) : { bytes: data, ...given };
    this.#default = this.add(defaultNamespace, origin, profile);
  }

  /**
   * Returns the namespace with a valid name, which is created if necessary. The empty name means the default namespace.
   *
   * @throws a problem `limit-reached`
   */
  get(name: string): Namespace {
    const { fixture, profile } = this.#beginning;
    return this.getExisting(name) ?? this.add(name, this.#home.fixture(fixture), profile);
  }

  /** Returns the namespace if it exists. Restarts its idle timer. */
  getExisting(name: string): Namespace | undefined {
    this.#idle.get(name)?.refresh();
    return this.peek(name);
  }

  /** Returns the namespace if it exists, without restarting its idle timer. */
  peek(name: string): Namespace | undefined {
    return name === "" ? this.#default : this.#byName.get(name);
  }

  get allowHosts(): readonly string[] {
    return this.#beginning.allowHosts ?? [];
  }

  get coverage(): Coverage | undefined {
    return this.#home.coverage;
  }

  get onRequest(): NamespacesOptions["onRequest"] {
    return this.#beginning.onRequest;
  }

  /** The profile of new namespaces. */
  get profile(): Profile {
    return this.#beginning.profile;
  }

  find(name: string): Namespace {
    const namespace = this.#byName.get(name);
    if (namespace === undefined)
      throw new Problem(
        "namespace-not-found",
        `There is no namespace ${JSON.stringify(name)}. GET /_emulator/namespaces lists the namespaces; a namespace is created when it is first used.`,
      );
    return namespace;
  }

  list(): readonly Namespace[] {
    return [...this.#byName.values()];
  }

  add(name: string, origin: WorldSource, profile: Profile): Namespace {
    if (this.#byName.has(name))
      throw new Problem(
        "conflict",
        `There is already a namespace ${name}. Delete it first, or choose another name.`,
      );
    const { maxNamespaces } = this.#beginning;
    if (this.#byName.size >= maxNamespaces)
      throw new Problem(
        "limit-reached",
        `There are already ${maxNamespaces} namespaces, which is the maximum. Delete namespaces that you no longer need (DELETE /_emulator/namespaces/{name}).`,
      );
    const namespace = new Namespace(name, this.#home, origin, profile);
    this.#byName.set(name, namespace);
    if (name !== defaultNamespace) this.#leaveAfter(name, this.#beginning.namespaceIdleSeconds ?? null);
    return namespace;
  }

  /** Replaces fixtures with the same names, and resets every namespace that starts from one of them. */
  replaceFixtures(fixtures: FixtureStateProvider): void {
    const before = this.#fixtures;
    this.#fixtures = fixtures;
    for (const name of fixtures.names) {
      const old = before.getFixtureState(name);
      if (old === fixtures.getFixtureState(name)) continue;
      for (const namespace of this.list()) if (namespace.isStartedFrom(old)) namespace.reset(name);
    }
  }

  set(name: string, idleSeconds: number | null): Namespace {
    const namespace = this.get(name);
    this.#rejectDefault(namespace);
    this.#leaveAfter(name, idleSeconds);
    return namespace;
  }

  #leaveAfter(name: string, idleSeconds: number | null): void {
    clearTimeout(this.#idle.get(name));
    this.#idle.delete(name);
    // in real time, because a killed program no longer moves the clock
    if (idleSeconds !== null)
      this.#idle.set(name, setTimeout(() => this.delete(name), idleSeconds * 1000).unref());
  }

  delete(name: string): void {
    const namespace = this.find(name);
    this.#rejectDefault(namespace);
    namespace.close();
    this.#byName.delete(name);
    clearTimeout(this.#idle.get(name));
    this.#idle.delete(name);
  }

  #rejectDefault(namespace: Namespace): void {
    if (namespace === this.#default)
      throw new Problem("default-namespace", "The default namespace cannot be deleted. Reset it instead.");
  }

  close(): void {
    for (const timer of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
    for (const namespace of this.#byName.values()) namespace.close();
  }
}

/** @throws a problem `validation-failed` for an unknown fixture */
function stateOf({ names, getFixtureState: find }: FixtureStateProvider, name: string): Uint8Array {
  const bytes = find(name);
  if (bytes !== undefined) return bytes;
  const near = findNearest(name, names);
  const hint = near === undefined ? `the fixtures are ${names.join(", ")}` : `did you mean ${near}?`;
  throw createInvalidBodyProblem("/fixture", `there is no fixture ${JSON.stringify(name)}; ${hint}`);
}
