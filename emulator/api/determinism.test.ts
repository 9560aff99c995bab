import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getPropertyRuns } from "../testing/property-runs.js";
import { requestsArbitrary } from "../testing/requests.arbitrary.js";
import {
  type Transcript,
  type TranscriptOptions,
  recordTwoWorlds,
} from "../testing/two-worlds-transcript.js";

const program = fileURLToPath(new URL("../testing/write-transcripts.ts", import.meta.url));

/** Records the transcripts in a separate process. */
async function recordInSeparateProcess(orders: readonly TranscriptOptions[]): Promise<readonly Transcript[]> {
  const child = spawn(process.execPath, ["--import", "tsx", program], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(orders));
  return JSON.parse(await text(child.stdout)) as Transcript[];
}

/** Removes the name of the namespace from a line of a transcript. */
function removeNamespaceName(line: string): string {
  return line.replaceAll("/ns/other", "").replace(/"namespace":"\w*"/, "");
}

describe("the same seed and requests", () => {
  it("give the same bytes in two processes and in two namespaces, for any requests", async () => {
    const seed = Math.floor(Math.random() * 1_000_000);
    const sequences = fc.sample(requestsArbitrary, { numRuns: getPropertyRuns(8), seed });
    const orders = sequences.map((requests) => ({ seed, requests }));
    const elsewhere = recordInSeparateProcess(orders);
    const first: Transcript[] = [];
    for (const order of orders) first.push(await recordTwoWorlds(order));
    const second = await elsewhere;
    sequences.forEach((requests, index) => {
      const [own = [], again = []] = [first[index], second[index]].map((seen) => seen?.default);
      const [other = []] = [first[index]?.other];
      // one line per response, and one for the journal
      expect([own, again, other].map(({ length }) => length)).toEqual(Array(3).fill(requests.length + 1));
      own.forEach((line, place) => {
        const where = `seed ${seed}, sequence ${index}, request ${place}`;
        expect(again[place], `in another process: ${where}`).toBe(line);
        expect(removeNamespaceName(other[place] ?? ""), `in another namespace: ${where}`).toBe(
          removeNamespaceName(line),
        );
      });
    });
  });
});
