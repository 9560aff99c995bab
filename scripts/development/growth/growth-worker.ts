import { parentPort, workerData } from "node:worker_threads";
import { createEmulator, type Emulator } from "../../../emulator/api/emulator.js";
import { demoToken } from "./demo-requests.js";
import { growthCases } from "./growth-cases.js";
import { growthStates } from "./growth-states.js";
import { type Growth, measureGrowth, processorTime } from "./measure-growth.js";

/** What a worker is to measure: the cases of an option `--only`, from one on. */
export interface GrowthOrder {
  readonly only: string;
  readonly size: number;
  readonly from: number;
}

/** A case begins, or is done. */
export type GrowthNews =
  | { readonly kind: "begins"; readonly name: string; readonly index: number; readonly of: number }
  | { readonly kind: "done"; readonly growth: Growth };

interface Measured {
  readonly name: string;
  readonly measure: () => Promise<Growth>;
}

/** The worlds that grew last, by their sizes: the requests of one kind of world come one after the other. */
let grown: { readonly grows: string; readonly worlds: Map<number, Emulator> } = {
  grows: "",
  worlds: new Map(),
};

const order = workerData as GrowthOrder;
/** Answers to gaps with which more is looked at. */
const profile = { "unknown-request-members": "reject" } as const;
const emulator = await createEmulator({ profile });
const token = await demoToken(emulator.fetch);
const measured = [...requests(), ...states()].filter(({ name }) => name.includes(order.only));
for (const [index, { name, measure }] of measured.entries()) {
  if (index < order.from) continue;
  tell({ kind: "begins", name, index, of: measured.length });
  tell({ kind: "done", growth: await measure() });
}
await grownWorlds("");
await emulator.close();

function tell(news: GrowthNews): void {
  parentPort?.postMessage(news);
}

/** Requests that grow, each in a world as at the start. */
function requests(): readonly Measured[] {
  return growthCases(token).map(({ name, request }) => ({
    name,
    measure: () =>
      measureGrowth(
        async (size) => {
          const { path, ...init } = request(size);
          let status = 0;
          const cost = await processorTime(async () => {
            const answer = await emulator.fetch(path, init);
            await answer.arrayBuffer();
            status = answer.status;
          });
          if (init.method !== "GET" && status < 400) startAgain(emulator);
          return cost;
        },
        order.size,
        "n log n",
      ),
  }));
}

function startAgain(changed: Emulator): void {
  for (const { name } of changed.namespaces.list())
    if (name !== changed.name) changed.namespaces.delete(name);
  for (const { name } of changed.snapshots.list()) changed.snapshots.delete(name);
  changed.faults.clear();
  changed.profile.set(profile);
  changed.reset("demo");
}

async function grownWorlds(grows: string): Promise<Map<number, Emulator>> {
  if (grown.grows === grows) return grown.worlds;
  for (const world of grown.worlds.values()) await world.close();
  grown = { grows, worlds: new Map() };
  return grown.worlds;
}

/** Requests that stay as they are, in worlds that grow; ten of them, because one costs too little to be measured. */
function states(): readonly Measured[] {
  return growthStates.map(({ grows, name, allowed, prepare, request }) => ({
    name: `${grows}: ${name}`,
    measure: async () => {
      const worlds = await grownWorlds(grows);
      return measureGrowth(
        async (size) => {
          let world = worlds.get(size);
          if (world === undefined) {
            world = await createEmulator({ journal: size });
            await prepare(world.fetch, size, await demoToken(world.fetch));
            worlds.set(size, world);
          }
          const { fetch } = world;
          const credential = await demoToken(fetch);
          return processorTime(async () => {
            for (let time = 0; time < 10; time += 1) await request(fetch, time, credential);
          });
        },
        order.size / 4,
        allowed,
      );
    },
  }));
}
