/**
 * Measures how the CPU time of requests grows with the sizes that clients can choose, and with the size of an emulator's
 * state. Reports costs that grow too fast. The emulator runs in the measuring process.
 */
import { Command } from "commander";
import { createEmulator, type Emulator } from "../../../emulator/api/emulator.js";
import { runTasks } from "../self-test/run-tasks.js";
import { fetchDemoToken } from "./example-requests.js";
import { type GrowthCase, requestScalingCases } from "./request-scaling-cases.js";
import { type GrowthState, stateScalingCases } from "./state-scaling-cases.js";
import { type GrowthMeasurement, measureGrowth, measureCpuTime } from "./measure-growth.js";

const options = new Command("growth")
  .description("Finds requests whose cost grows faster than their size.")
  .option("--only <text>", "only cases whose name contains this text", "")
  .option("--size <number>", "smallest size; the other sizes are 2, 4 and 8 times as large", Number, 1000)
  .option("--bound <seconds>", "stop a case after this time and report it", Number, 60)
  .option("--verbose", "print the costs of every case")
  .parse()
  .opts<{
    readonly only: string;
    readonly size: number;
    readonly bound: number;
    readonly verbose?: true;
  }>();

const { size, only } = options;
/** Makes the emulator check unknown fields as well. */
const profile = { "unknown-request-fields": "reject" } as const;
let started: Promise<Emulator> | undefined;
/** The emulators of the current kind of state, by size. All requests to one kind of state are measured consecutively. */
let current = { grows: "", emulators: new Map<number, Emulator>() };

const cases = new Map<string, () => Promise<GrowthMeasurement>>([
  ...requestScalingCases.map((one) => [one.name, () => measureCase(one)] as const),
  ...stateScalingCases.map((one) => [`${one.grows}: ${one.name}`, () => measureState(one)] as const),
]);
await runTasks(
  [...cases.keys()].filter((name) => name.includes(only)).map((name) => ({ name })),
  1,
  async ({ name }) => {
    const growth = await cases.get(name)?.();
    const costs = growth?.costs.map((cost) => cost.toFixed(1)).join(" → ");
    const isWrong = growth?.isTooFast === true;
    return [{ outcome: isWrong ? "TOO FAST" : "fine", isWrong, name: `${name}: ${costs} ms` }];
  },
  { timeoutSeconds: options.bound, isQuiet: options.verbose === undefined },
);

/** Measures a request of growing size in the starting state. */
async function measureCase({ request }: GrowthCase): Promise<GrowthMeasurement> {
  const emulator = await (started ??= createEmulator({ profile }));
  emulator.reset("demo");
  const token = await fetchDemoToken(emulator.fetch);
  const cost = async (length: number) => {
    const { path, ...init } = request(length, token);
    let status = 0;
    const ms = await measureCpuTime(async () => {
      const response = await emulator.fetch(path, init);
      await response.arrayBuffer();
      ({ status } = response);
    });
    if (init.method !== "GET" && status < 400) resetAll(emulator);
    return ms;
  };
  return measureGrowth(cost, size, "n log n");
}

function resetAll(emulator: Emulator): void {
  for (const { name } of emulator.namespaces.list())
    if (name !== emulator.name) emulator.namespaces.delete(name);
  for (const { name } of emulator.snapshots.list()) emulator.snapshots.delete(name);
  emulator.faults.clear();
  emulator.profile.set(profile);
  emulator.reset("demo");
}

/** Measures ten equal requests in states of growing size; a single request takes too little time to measure. */
async function measureState({ grows, allowed, prepare, request }: GrowthState): Promise<GrowthMeasurement> {
  if (current.grows !== grows) {
    for (const emulator of current.emulators.values()) await emulator.close();
    current = { grows, emulators: new Map() };
  }
  const { emulators } = current;
  const cost = async (length: number) => {
    let emulator = emulators.get(length);
    if (emulator === undefined) {
      emulator = await createEmulator({ journal: length });
      await prepare(emulator.fetch, length, await fetchDemoToken(emulator.fetch));
      emulators.set(length, emulator);
    }
    const { fetch } = emulator;
    const token = await fetchDemoToken(fetch);
    return measureCpuTime(async () => {
      for (let time = 0; time < 10; time += 1) await request(fetch, time, token);
    });
  };
  return measureGrowth(cost, size / 4, allowed);
}
