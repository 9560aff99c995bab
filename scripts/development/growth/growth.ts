/**
 * Doubles every size that a client can choose, for every operation and every call of the control plane, and reports costs
 * that grow faster than n log n; and grows the state of an emulator, and reports requests whose cost grows with it
 * without need. The emulator runs in the process that measures.
 */
import { Command } from "commander";
import { createEmulator, type Emulator } from "../../../emulator/api/emulator.js";
import { runTasks } from "../self-test/run-tasks.js";
import { fetchDemoToken } from "./demo-requests.js";
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
/** Finds more mistakes than the default. */
const profile = { "unknown-request-members": "reject" } as const;
let started: Promise<Emulator> | undefined;
/** The worlds that grew last, by their sizes: the requests of one kind of world come one after the other. */
let grown = { grows: "", worlds: new Map<number, Emulator>() };

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

/** A request that grows, in a world as at the start. */
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
    if (init.method !== "GET" && status < 400) startAgain(emulator);
    return ms;
  };
  return measureGrowth(cost, size, "n log n");
}

function startAgain(emulator: Emulator): void {
  for (const { name } of emulator.namespaces.list())
    if (name !== emulator.name) emulator.namespaces.delete(name);
  for (const { name } of emulator.snapshots.list()) emulator.snapshots.delete(name);
  emulator.faults.clear();
  emulator.profile.set(profile);
  emulator.reset("demo");
}

/** A request that stays the same, in worlds that grow; ten of them, because one costs too little to be measured. */
async function measureState({ grows, allowed, prepare, request }: GrowthState): Promise<GrowthMeasurement> {
  if (grown.grows !== grows) {
    for (const world of grown.worlds.values()) await world.close();
    grown = { grows, worlds: new Map() };
  }
  const { worlds } = grown;
  const cost = async (length: number) => {
    let world = worlds.get(length);
    if (world === undefined) {
      world = await createEmulator({ journal: length });
      await prepare(world.fetch, length, await fetchDemoToken(world.fetch));
      worlds.set(length, world);
    }
    const { fetch } = world;
    const token = await fetchDemoToken(fetch);
    return measureCpuTime(async () => {
      for (let time = 0; time < 10; time += 1) await request(fetch, time, token);
    });
  };
  return measureGrowth(cost, size / 4, allowed);
}
