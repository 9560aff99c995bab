import { setImmediate } from "node:timers/promises";
import type { Fetch } from "../../../conformance/client/exchange.js";
import type { TimeSource } from "../../../conformance/client/time-source.js";
import { actorNames } from "../../../conformance/target/requirements.js";
import { Ledger } from "../../../conformance/target/ledger.js";
import { Run } from "../../../conformance/run/runner.js";
import { generateRunId } from "../../../conformance/run/run-id.js";
import { createEmulatorTarget } from "../../../conformance/target/emulator-target.js";
import { createTargetFromFile } from "../../../conformance/target/file-target.js";
import { situationNames } from "../../../conformance/target/situations.js";
import { capabilities, type Capability, type TargetFile } from "../../../conformance/target/target-file.js";
import { type Emulator, createEmulator } from "../../../emulator/api/emulator.js";
import { unguessable } from "../../../conformance/mutants/self-test.js";
import { getSampleAnswers } from "../../../openapi/gaps/register.js";
import { scopes } from "../../../openapi/schemas/roles.js";
import type { Profile } from "../../../openapi/gaps/profile.js";
import { findLeftovers } from "./find-leftovers.js";
import { prepareTarget } from "./prepare-target.js";

const origin = "http://localhost";

/** A copy of the world, as its owner describes it. */
export interface EmulatorCopy {
  readonly file: TargetFile;
  /** Leads to the service alone. */
  readonly fetch: Fetch;
  readonly clock: EmulatorClock;
  /** What a run has left in the copy, whatever its requests were answered. */
  readonly left: (run: string) => Promise<readonly string[]>;
}

type EmulatorClock = ReturnType<Emulator["namespace"]>["clock"];

/**
 * An emulator that is observed as a deployment would be: through a target file, with the control plane out of reach.
 * Users, keys and situations are made once; each profile gets a copy of that world.
 */
export class ObservedEmulator {
  #copies = 0;

  private constructor(
    private readonly emulator: Emulator,
    /** The namespace that all begin as. */
    private readonly base: string,
    private readonly file: TargetFile,
  ) {}

  static async prepare(): Promise<ObservedEmulator> {
    const emulator = await createEmulator({
      fixture: "empty",
      journal: false,
      // the world has to stand under every answer
      profile: {
        "region-list": [...getSampleAnswers("region-list")].find((answer) => Array.isArray(answer)) ?? "any",
      },
    });
    const run = generateRunId();
    const target = await createEmulatorTarget({ url: origin, fetch: emulator.fetch, run });
    const { source, getObservationSettings } = await prepareTarget(target, run);
    const named = async <Name extends string, Value>(
      names: readonly Name[],
      valueOf: (name: Name) => Promise<Value>,
    ) => {
      const entries: [Name, Value][] = [];
      for (const name of names) entries.push([name, await valueOf(name)]);
      return Object.fromEntries(entries) as Record<Name, Value>;
    };
    const users = await named([...actorNames, "unverified", "mfa"], source.getLogin);
    const situations = await named(situationNames, source.getLogin);
    const apiKeys = await named([...scopes, "expired"], source.getKey);
    const { unavailableDatabaseId = "" } = (await getObservationSettings?.()) ?? {};
    const file: TargetFile = {
      users,
      apiKeys,
      ...(target.region === undefined ? {} : { region: target.region }),
      capabilities: Object.keys(capabilities) as Capability[],
      politeness: { requestsPerSecond: 100_000, concurrency: 4, retries: 20 },
      timeouts: { databaseReadyMs: 60_000 },
      observe: { situations, unavailableDatabaseId, bounds: { requestsPerSecond: 501 } },
    };
    return new ObservedEmulator(emulator, target.baseUrl.slice(target.baseUrl.lastIndexOf("/") + 1), file);
  }

  /**
   * Works with a run against a copy of the world that answers by a profile.
   *
   * @param work is given the run, and a way to ask what it has left in the copy, whatever the requests are answered
   */
  async withRun<Result>(
    profile: Partial<Profile>,
    work: (run: Run, left: () => Promise<readonly string[]>) => Promise<Result>,
    wrap: (fetch: Fetch) => Fetch = (fetch) => fetch,
  ): Promise<Result> {
    return this.withCopy(profile, async ({ file, fetch, clock, left }) => {
      const target = { ...createTargetFromFile({ file, fetch: wrap(fetch) }), time: timeOf(clock) };
      const ledger = Ledger.create(generateRunId(), target.baseUrl);
      const run = new Run({ target, ledger, seed: 1, runs: 1, confirms: false });
      await run.prepare();
      return work(run, () => left(ledger.run));
    });
  }

  /** Works with a copy of the world that answers by a profile. */
  async withCopy<Result>(
    profile: Partial<Profile>,
    work: (copy: EmulatorCopy) => Promise<Result>,
  ): Promise<Result> {
    const name = `observed-${++this.#copies}`;
    const world = this.emulator.namespaces;
    const copy = this.emulator.namespace(this.base).fork(name);
    const dead = this.emulator.namespace(`${name}-dead`);
    try {
      copy.profile.set(profile);
      dead.profile.set(profile);
      dead.health.set({ live: "Dead" });
      const file: TargetFile = {
        ...this.file,
        baseUrl: `${origin}/ns/${name}`,
        profile: unguessable(profile),
        politeness: { ...this.file.politeness, ...paceFor(profile) },
        observe: { ...this.file.observe, deadUrl: `${origin}/ns/${name}-dead` },
      };
      return await work({
        file,
        fetch: this.#serviceOnly(),
        clock: copy.clock,
        left: (run) => findLeftovers(copy.export(), run),
      });
    } finally {
      world.delete(name);
      world.delete(dead.name);
    }
  }

  close(): Promise<void> {
    return this.emulator.close();
  }

  /** The emulator without its control plane. */
  #serviceOnly(): Fetch {
    return (url, init) => {
      if (new URL(url).pathname.includes("/_emulator"))
        throw new Error(`${url} is none of the contract's paths: the control plane is shut off`);
      return this.emulator.fetch(url, init);
    };
  }
}

/** What the owner of a deployment with a rate limit promises not to exceed. */
function paceFor({ "rate-limit": limit }: Partial<Profile>) {
  return typeof limit === "number" ? { requestsPerSecond: limit * 0.95 } : {};
}

/** Time of a manual clock, which moves by being waited for. */
function timeOf(clock: EmulatorClock): TimeSource {
  const now = () => Date.parse(clock.get().now);
  return {
    now,
    sleep: async (milliseconds) => {
      const until = now() + Math.ceil(milliseconds);
      // who else has something to do does it first
      await setImmediate();
      if (now() < until) clock.set(new Date(until).toISOString());
    },
  };
}
