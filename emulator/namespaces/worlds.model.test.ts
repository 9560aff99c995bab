import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createEmulator } from "../api/emulator.js";
import { getPropertyRuns } from "../testing/property-runs.js";
import { sendStep, recordTranscript, writingStep } from "../testing/transcript.js";

const steps = (most: number) => fc.array(writingStep, { minLength: 1, maxLength: most, size: "max" });
const profile = fc.constantFrom({}, { "rate-limit": 3 as const });

it("snapshots, forks and state files behave like the original, and a reset namespace like a new emulator", async () => {
  await fc.assert(
    fc.asyncProperty(profile, steps(20), steps(10), steps(10), async (given, before, between, after) => {
      const emulator = await createEmulator({ profile: given });
      const other = await createEmulator({ profile: given });
      try {
        const alone = other.namespace("alone");
        for (const step of before) await sendStep(alone, step);
        for (const step of before) await sendStep(emulator, step);
        emulator.snapshots.save("s");
        const fork = emulator.fork("fork");
        const late = emulator.fork("late");
        // changes in a fork do not affect the original
        for (const step of between) await sendStep(fork, step);
        const original = await recordTranscript(emulator, after);
        // saving a snapshot has no visible effect
        expect(original).toEqual(await recordTranscript(alone, after));
        expect(await recordTranscript(late, after)).toEqual(original);
        emulator.snapshots.restore("s");
        expect(await recordTranscript(emulator, after)).toEqual(original);
        expect(await recordTranscript(emulator.snapshots.fork("s", "from-snapshot"), after)).toEqual(
          original,
        );
        other.snapshots.upload("s", emulator.snapshots.download("s"));
        other.snapshots.restore("s");
        expect(await recordTranscript(other, after)).toEqual(original);

        const fresh = await recordTranscript(other.namespace("fresh"), after);
        emulator.reset();
        expect(await recordTranscript(emulator, after)).toEqual(fresh);
        // a reset of a fork restores the state that was copied
        fork.reset();
        expect(await recordTranscript(fork, after)).toEqual(original);
      } finally {
        await emulator.close();
        await other.close();
      }
    }),
    { numRuns: getPropertyRuns(3) },
  );
});

it("64 namespaces used concurrently are isolated from each other", async () => {
  const emulator = await createEmulator();
  const url = await emulator.listen();
  try {
    const alone = async (name: string, number: number) => {
      const base = `${url}/ns/${name}/api/v1/databases/db_demo/items`;
      const headers = { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" };
      const texts: string[] = [];
      for (let turn = 0; turn < 6; turn += 1) {
        const body = JSON.stringify({ pk: "p", sk: `${number}-${turn}`, data: { number, turn } });
        const put = await fetch(base, { method: "PUT", headers, body });
        texts.push(`${put.headers.get("date")} ${await put.text()}`);
        if (turn === 3)
          await fetch(`${url}/ns/${name}/_emulator/clock`, {
            method: "PATCH",
            headers,
            body: '{"advance":"PT1H"}',
          });
      }
      const query = JSON.stringify({ partitionKey: "p" });
      texts.push(await (await fetch(`${base}/query`, { method: "POST", headers, body: query })).text());
      return texts;
    };
    const numbers = Array.from({ length: 64 }, (_, index) => index);
    const together = await Promise.all(numbers.map((number) => alone(`together-${number}`, number)));
    for (const number of [0, 31, 63])
      expect(together[number]).toEqual(await alone(`alone-${number}`, number));
    numbers.forEach((number) =>
      expect((together[number]?.at(-1)?.match(/"number":\d+/g) ?? []).join()).toBe(
        Array<string>(6).fill(`"number":${number}`).join(),
      ),
    );
  } finally {
    await emulator.close();
  }
});
