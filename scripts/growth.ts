/**
 * Doubles every size that a client can choose, for every operation and every call of the control plane, in the process,
 * and reports the costs that grow faster than n log n.
 */
import { Command } from "commander";
import { createEmulator, type Emulator } from "../emulator/index.js";
import { growthCases, type GrowthCase } from "./growth-cases.js";

const program = new Command("growth")
  .description("Looks for requests whose cost grows faster than they do.")
  .option("--only <text>", "cases whose name holds this", "")
  .option("--size <number>", "the smallest size; the others are twice, four and eight times as large", "2000")
  .parse();
const { only, size } = program.opts<{ readonly only: string; readonly size: string }>();

/** Sizes as multiples of the smallest. */
const factors = [1, 2, 4, 8] as const;
/** Eight times the size may cost so many times as much: 8 log 8n / log n, and as much again for what disturbs. */
const mostGrowth = 20;
/** What is cheaper at the largest size is not worth a second look: milliseconds of processor time. */
const worthALook = 40;
/** How often a suspicion is measured before it is reported. */
const looks = 5;

const emulator = await createEmulator({ journal: false });
const token = await accessToken(emulator);
const cases = growthCases(token).filter(({ name }) => name.includes(only));
let reported = 0;
for (const one of cases) {
  const first = await costAt(one, 8, 1);
  if (first < worthALook) continue;
  const costs: number[] = [];
  for (const factor of factors) costs.push(await costAt(one, factor, looks));
  const growth = (costs[3] ?? 0) / Math.max(costs[0] ?? 0, 0.1);
  if (growth <= mostGrowth || (costs[3] ?? 0) < worthALook) continue;
  reported += 1;
  console.log(`${one.name}: ${costs.map((cost) => cost.toFixed(1)).join(" → ")} ms (× ${growth.toFixed(0)})`);
}
await emulator.close();
console.log(`${cases.length} cases, ${reported} grow faster than n log n`);
process.exitCode = reported === 0 ? 0 : 1;

/** The least processor time of some tries, in milliseconds. */
async function costAt({ request }: GrowthCase, factor: number, tries: number): Promise<number> {
  let least = Infinity;
  for (let time = 0; time < tries; time += 1) {
    emulator.reset();
    const { path, ...init } = request(Number(size) * factor);
    const before = process.cpuUsage();
    await (await emulator.fetch(path, init)).text();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

async function accessToken({ fetch }: Emulator): Promise<string> {
  const answer = await fetch("/auth/password", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: "owner@demo.test", password: "demo-password" }),
  });
  const { authResponse } = (await answer.json()) as { authResponse: { accessToken: string } };
  const switched = await fetch("/auth/switch-organization", {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${authResponse.accessToken}` },
    body: JSON.stringify({ organizationId: "org_demo_pro" }),
  });
  return ((await switched.json()) as { accessToken: string }).accessToken;
}
