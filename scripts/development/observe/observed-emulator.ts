import { setImmediate } from "node:timers/promises";
import type { Fetch } from "../../../conformance/client/exchange.js";
import type { TimeSource } from "../../../conformance/client/time-source.js";
import { actorNames } from "../../../conformance/target/requirements.js";
import { Ledger } from "../../../conformance/target/ledger.js";
import { Run } from "../../../conformance/run/runner.js";
import { generateRunId } from "../../../conformance/run/run-id.js";
import { createEmulatorTarget } from "../../../conformance/target/emulator-target.js";
import { createTargetFromFile } from "../../../conformance/target/file-target.js";
import { capabilities, type Capability, type TargetFile } from "../../../conformance/target/target-file.js";
import { type Emulator, createEmulator } from "../../../emulator/api/emulator.js";
import { selectUnguessableAnswers } from "../../../conformance/mutants/self-test.js";
import { scopes } from "../../../openapi/schemas/roles.js";
import type { Profile } from "../../../openapi/gaps/profile.js";
import { findLeftovers } from "./find-leftovers.js";
import { prepareTarget } from "./prepare-target.js";

const origin = "http://localhost";

/** A copy of the prepared namespace, with a target file that describes it. */
interface EmulatorCopy {
  readonly file: TargetFile;
  /** Sends requests to the service, but not to the control plane. */
  readonly fetch: Fetch;
  readonly clock: EmulatorClock;
  /** Finds the data that a run has left in the copy. */
  readonly findLeftovers: (run: string) => Promise<readonly string[]>;
}

type EmulatorClock = ReturnType<Emulator["namespace"]>["clock"];

/**
 * An emulator that is observed like a deployment: through a target file and without the control plane. Users and keys are
 * created once; each profile gets a copy of their namespace.
 */
export class ObservedEmulator {
  #copies = 0;

  private constructor(
    private readonly emulator: Emulator,
    /** The name of the namespace that is copied. */
    private readonly base: string,
    private readonly file: TargetFile,
  ) {}

  static async prepare(): Promise<ObservedEmulator> {
    const emulator = await createEmulator({
      fixture: "empty",
      journal: false,
    });
    const run = generateRunId();
    const target = await createEmulatorTarget({ url: origin, fetch: emulator.fetch, run });
    const { source } = await prepareTarget(target, run);
    const named = async <Name extends string, Value>(
      names: readonly Name[],
      valueOf: (name: Name) => Promise<Value>,
    ) => {
      const entries: [Name, Value][] = [];
      for (const name of names) entries.push([name, await valueOf(name)]);
      return Object.fromEntries(entries) as Record<Name, Value>;
    };
    const users = await named([...actorNames, "unverified", "mfa"], source.getLogin);
    const apiKeys = await named([...scopes, "expired"], source.getKey);
    const file: TargetFile = {
      users,
      apiKeys,
      ...(target.region === undefined ? {} : { region: target.region }),
      capabilities: Object.keys(capabilities) as Capability[],
      politeness: { requestsPerSecond: 100_000, concurrency: 4, retries: 20 },
      timeouts: { databaseReadyMs: 60_000 },
      observe: { bounds: { requestsPerSecond: 501 } },
    };
    return new ObservedEmulator(emulator, target.baseUrl.slice(target.baseUrl.lastIndexOf("/") + 1), file);
  }

  /**
   * Calls a function with a prepared run against a copy with the given profile.
   *
   * @param work also receives a function that finds the data that the run has left in the copy
   */
  async withRun<Result>(
    profile: Partial<Profile>,
    work: (run: Run, findLeftovers: () => Promise<readonly string[]>) => Promise<Result>,
    wrap: (fetch: Fetch) => Fetch = (fetch) => fetch,
  ): Promise<Result> {
    return this.withCopy(profile, async ({ file, fetch, clock, findLeftovers }) => {
      const target = { ...createTargetFromFile({ file, fetch: wrap(fetch) }), time: createTimeSource(clock) };
      const ledger = Ledger.create(generateRunId(), target.baseUrl);
      const run = new Run({ target, ledger, seed: 1, runs: 1, confirms: false });
      await run.prepare();
      return work(run, () => findLeftovers(ledger.run));
    });
  }

  /** Calls a function with a copy that has the given profile, and then deletes the copy. */
  async withCopy<Result>(
    profile: Partial<Profile>,
    work: (copy: EmulatorCopy) => Promise<Result>,
  ): Promise<Result> {
    const name = `observed-${++this.#copies}`;
    const copy = this.emulator.namespace(this.base).fork(name);
    try {
      copy.profile.set(profile);
      const limit = profile["rate-limit"];
      const file: TargetFile = {
        ...this.file,
        baseUrl: `${origin}/ns/${name}`,
        profile: selectUnguessableAnswers(profile),
        politeness: {
          ...this.file.politeness,
          ...(typeof limit === "number" && { requestsPerSecond: limit * 0.95 }),
        },
      };
      return await work({
        file,
        fetch: (url, init) => {
          if (new URL(url).pathname.includes("/_emulator"))
            throw new Error(`${url} belongs to the control plane, which is not available`);
          return this.emulator.fetch(url, init);
        },
        clock: copy.clock,
        findLeftovers: (run) => findLeftovers(copy.export(), run),
      });
    } finally {
      this.emulator.namespaces.delete(name);
    }
  }

  close(): Promise<void> {
    return this.emulator.close();
  }
}

/** Creates a source of time from a manual clock, which advances whenever code waits. */
function createTimeSource(clock: EmulatorClock): TimeSource {
  const now = () => Date.parse(clock.get().now);
  return {
    now,
    sleep: async (milliseconds) => {
      const until = now() + Math.ceil(milliseconds);
      // Other pending work runs first.
      await setImmediate();
      if (now() < until) clock.set(new Date(until).toISOString());
    },
  };
}
