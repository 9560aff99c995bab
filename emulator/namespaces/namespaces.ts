import type { SqlJsStatic } from "sql.js";
import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { defaultNamespace } from "../request/name.js";
import { Namespace, type NamespaceDependencies, type RecordingOptions } from "./namespace.js";
import { MemoryBudget } from "../store/memory-budget.js";
import type { WorldSource } from "../world/open-world.js";
import { isSeedPath } from "../../fixtures/register.js";
import { findNearest } from "../../openapi/text/find-nearest.js";
import { createInvalidBodyProblem, Problem } from "../domain/problem.js";
import type { JsonValue } from "../json/json-value.js";
import type { ClockMode } from "../time/clock.js";

/** The fixtures of an emulator by name, each with a function that returns its starting state. */
export type Fixtures = ReadonlyMap<string, () => Uint8Array>;

/** Options of the namespaces of an emulator. */
export interface NamespacesOptions extends RecordingOptions {
  /** The name of a fixture. */
  readonly fixture: string;
  readonly fixtures: Fixtures;
  /** Builds the state that a seed describes. @throws a problem `validation-failed` with every mistake */
  readonly buildState: (seed: JsonValue) => Uint8Array;
  /** The profile of new namespaces. */
  readonly profile: Profile;
  readonly seed: number | undefined;
  readonly clock: ClockMode | undefined;
  /** The starting state of the default namespace, instead of the fixture. */
  readonly data: Uint8Array | undefined;
  readonly maxNamespaces: number;
  /** Maximum memory of all worlds and snapshots. */
  readonly maxMemoryBytes?: number | undefined;
  /** Host names that clients may use in addition to local ones. */
  readonly allowHosts: readonly string[];
  /** Seconds without a request after which a namespace is deleted. */
  readonly namespaceIdleSeconds?: number | undefined;
}

/** The namespaces of an emulator by name. All names must be valid. */
export class Namespaces {
  #fixtures: Fixtures;
  /** The random seed and clock mode that replace those of every starting state. */
  readonly #overrides: Pick<WorldSource, "seed" | "clock">;
  readonly #dependencies: NamespaceDependencies;
  readonly #byName = new Map<string, Namespace>();
  readonly #default: Namespace;
  readonly #idleTimers = new Map<string, NodeJS.Timeout>();
  #isClosed = false;

  constructor(
    sqlite: SqlJsStatic,
    readonly options: NamespacesOptions,
  ) {
    const { seed, clock, data, profile, fixture, journal, coverage, onRequest } = options;
    this.#fixtures = options.fixtures;
    this.#overrides = { ...(seed === undefined ? {} : { seed }), ...(clock === undefined ? {} : { clock }) };
    this.#dependencies = {
      sqlite,
      budget: new MemoryBudget(sqlite, options.maxMemoryBytes),
      journals: { bytes: 0 },
      faultSeed: seed ?? 1,
      journal,
      coverage,
      onRequest,
      fixture: (name) => ({ bytes: getState(this.#fixtures, name), ...this.#overrides }),
    };
    const origin =
      data === undefined ? this.#dependencies.fixture(fixture) : { bytes: data, ...this.#overrides };
    this.#default = this.add(defaultNamespace, origin, profile);
  }

  /**
   * Returns the namespace with a valid name, which is created if necessary. The empty name means the default namespace.
   *
   * @throws a problem `limit-reached`
   */
  get(name: string): Namespace {
    const { fixture, profile } = this.options;
    return this.getExisting(name) ?? this.add(name, this.#dependencies.fixture(fixture), profile);
  }

  /** Returns the namespace if it exists. Restarts its idle timer. @throws a problem if the emulator is closed */
  getExisting(name: string): Namespace | undefined {
    if (this.#isClosed) throw new Problem("internal-error", "The emulator is closed.");
    this.#idleTimers.get(name)?.refresh();
    return this.peek(name);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Returns the namespace if it exists, without restarting its idle timer. */
  peek(name: string): Namespace | undefined {
    return name === "" ? this.#default : this.#byName.get(name);
  }

  /** @throws a problem `namespace-not-found` */
  find(name: string): Namespace {
    const namespace = this.#byName.get(name);
    if (namespace === undefined)
      throw new Problem(
        "namespace-not-found",
        `There is no namespace ${JSON.stringify(name)}. GET /_emulator/namespaces lists the namespaces; a namespace is created when it is first used.`,
      );
    return namespace;
  }

  /** Lists the namespaces: the default one first, then the others in order of creation. */
  list(): readonly Namespace[] {
    return [...this.#byName.values()];
  }

  /** Creates a namespace that starts with a state. @throws problems `conflict`, `limit-reached` */
  add(name: string, origin: WorldSource, profile: Profile): Namespace {
    if (this.#byName.has(name))
      throw new Problem(
        "conflict",
        `There is already a namespace ${name}. Delete it first, or choose another name.`,
      );
    const { maxNamespaces } = this.options;
    if (this.#byName.size >= maxNamespaces)
      throw new Problem(
        "limit-reached",
        `There are already ${maxNamespaces} namespaces, which is the maximum. Delete namespaces that you no longer need (DELETE /_emulator/namespaces/{name}).`,
      );
    const namespace = new Namespace(name, this.#dependencies, origin, profile);
    this.#byName.set(name, namespace);
    if (name !== defaultNamespace) this.#setIdleTimeout(name, this.options.namespaceIdleSeconds ?? null);
    return namespace;
  }

  /**
   * Creates a namespace with a copy of another's world, or of a snapshot of it, and its profile. The copy is also its
   * starting state.
   *
   * @throws problems `snapshot-not-found`, `conflict`, `limit-reached`
   */
  fork(from: Namespace, to: string, snapshot?: string): Namespace {
    const copy = this.add(to, from.copy(snapshot), from.profile);
    copy.returnAddresses = from.returnAddresses;
    return copy;
  }

  /** The state of a fixture that a request contains. @throws problems `validation-failed`, `limit-reached` */
  buildFixture(seed: JsonValue): WorldSource {
    const bytes = this.options.buildState(seed);
    this.#dependencies.budget.assertRoom(bytes.length);
    return { bytes, isCopy: true, ...this.#overrides };
  }

  /** Replaces fixtures with the same names, and resets every namespace that starts from one of them. */
  replaceFixtures(fixtures: Fixtures): void {
    const before = this.#fixtures;
    this.#fixtures = fixtures;
    for (const [name, getFixtureState] of fixtures) {
      const old = before.get(name)?.();
      if (old === getFixtureState()) continue;
      for (const namespace of this.list()) if (namespace.isStartedFrom(old)) namespace.reset(name);
    }
  }

  /**
   * Creates a namespace if it does not exist, and sets after how many seconds without a request it is deleted (null: never).
   *
   * @throws problems `default-namespace`, `limit-reached`
   */
  set(name: string, idleSeconds: number | null): Namespace {
    const namespace = this.get(name);
    this.#rejectDefault(namespace);
    this.#setIdleTimeout(name, idleSeconds);
    return namespace;
  }

  #setIdleTimeout(name: string, idleSeconds: number | null): void {
    clearTimeout(this.#idleTimers.get(name));
    this.#idleTimers.delete(name);
    if (idleSeconds === null) return;
    // Uses real time, because a program that was killed no longer advances the clock.
    const timer = setTimeout(() => {
      if (this.find(name).isInUse) timer.refresh();
      else this.#expire(name, idleSeconds);
    }, idleSeconds * 1000).unref();
    this.#idleTimers.set(name, timer);
  }

  /** Deletes a namespace, and reports the deletion like a call, for the log and for `--persist`. */
  #expire(name: string, idleSeconds: number): void {
    this.delete(name);
    this.options.onRequest?.({
      method: "DELETE",
      path: `/_emulator/namespaces/${name}`,
      status: 204,
      durationMs: 0,
      operationId: "deleteNamespace" satisfies ControlOperationId,
      caller: "control plane",
      detail: `the namespace was not used for ${idleSeconds} s`,
      faults: [],
      unknownFields: [],
    });
  }

  /** @throws problems `namespace-not-found`, `default-namespace` */
  delete(name: string): void {
    const namespace = this.find(name);
    this.#rejectDefault(namespace);
    namespace.close();
    this.#byName.delete(name);
    this.#setIdleTimeout(name, null);
  }

  #rejectDefault(namespace: Namespace): void {
    if (namespace === this.#default)
      throw new Problem("default-namespace", "The default namespace cannot be deleted. Reset it instead.");
  }

  close(): void {
    for (const timer of this.#idleTimers.values()) clearTimeout(timer);
    this.#idleTimers.clear();
    for (const namespace of this.#byName.values()) namespace.close();
    this.#byName.clear();
    this.#isClosed = true;
  }
}

/** @throws a problem `validation-failed` for an unknown fixture */
function getState(fixtures: Fixtures, name: string): Uint8Array {
  const getFixtureState = fixtures.get(name);
  if (getFixtureState !== undefined) return getFixtureState();
  const names = [...fixtures.keys()];
  if (isSeedPath(name))
    throw createInvalidBodyProblem(
      "/fixture",
      `must be seed data or the name of a fixture (${names.join(", ")}), not a path such as ${JSON.stringify(name)}`,
    );
  const near = findNearest(name, names);
  const hint = near === undefined ? `the fixtures are ${names.join(", ")}` : `did you mean ${near}?`;
  throw createInvalidBodyProblem("/fixture", `there is no fixture ${JSON.stringify(name)}; ${hint}`);
}
