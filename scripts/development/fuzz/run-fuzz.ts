import { createHash } from "node:crypto";
import fc from "fast-check";
import { defaultProfile, type Profile } from "../../../openapi/gaps/profile.js";
import { EmulatorProcess, type WatchedProcess } from "./emulator-process.js";
import { requestChanges, spoilingChanges } from "./fuzz-changes.js";
import { contractOf, someProfile } from "./fuzz-contract.js";
import { memoryGrowth, type MemorySample } from "./fuzz-memory.js";
import { type FuzzRequest, needsOwnConnection } from "./fuzz-request.js";
import { fuzzRequests, isUnpredictable } from "./fuzz-requests.js";
import { type Batch, type BatchSource, type Finding, playRound, type RoundResult } from "./fuzz-round.js";
import { FuzzSession } from "./fuzz-session.js";
import { LiveState } from "./live-state.js";
import type { ReplayFile } from "./replay-file.js";
import { shrinkFinding } from "./shrink-finding.js";

/** What is to be tried. */
export interface FuzzOrder {
  readonly requests: number;
  readonly seed: number;
  /** The number of the request in whose round to begin. */
  readonly from?: number;
  /** Starts what is looked at. */
  readonly start?: () => Promise<WatchedProcess>;
  /** When to stop; one finding tends to be the same as the next. */
  readonly maxFindings?: number;
  readonly onFinding?: (finding: ReplayFile) => void;
  readonly onRound?: (progress: FuzzProgress) => void;
}

export interface FuzzProgress {
  readonly sent: number;
  readonly accepted: number;
  readonly maxMs: number;
}

export interface FuzzResult extends FuzzProgress {
  readonly findings: readonly ReplayFile[];
  readonly memory: readonly MemorySample[];
}

const startUsual = () => EmulatorProcess.start(new URL("watched-emulator.ts", import.meta.url));
const otherProfiles = 7;
/** How many requests a round has. */
const requestsPerRound = 2000;
const requestsPerBatch = 32;

/** Sends requests at random, and looks at everything that must hold whatever is sent. */
export async function runFuzz({
  requests,
  seed,
  from = 0,
  start = startUsual,
  maxFindings = 5,
  onFinding,
  onRound,
}: FuzzOrder): Promise<FuzzResult> {
  const findings: ReplayFile[] = [];
  const memory: MemorySample[] = [];
  const profiles = [
    defaultProfile,
    ...fc.sample(someProfile, { seed: seedOf(seed), numRuns: otherProfiles }),
  ];
  let sent = 0;
  let accepted = 0;
  let maxMs = 0;
  /** Where the requests go; none after a finding, until the next round. */
  let session: FuzzSession | undefined = await FuzzSession.start(await start());
  try {
    const stateFile = await session.stateFile();
    for (
      let number = Math.floor(from / requestsPerRound);
      sent < requests && findings.length < maxFindings;
      number += 1
    ) {
      const length = Math.min(requestsPerRound, requests - sent);
      const profile = profiles[number % profiles.length] ?? defaultProfile;
      const source = batchesOf({ seed, number, profile, stateFile, length });
      session ??= await FuzzSession.start(await start());
      const result = await playRound(session, profile, source);
      sent += result.requests.length;
      accepted += result.accepted;
      if (result.finding === undefined) {
        maxMs = Math.max(maxMs, result.maxMs);
        await session.begin(defaultProfile);
        memory.push(await session.process.ask({ kind: "memory" }));
      } else {
        await session.end();
        session = undefined;
        const file = await describe(result, result.finding, profile, number);
        if (file !== undefined) {
          findings.push(file);
          onFinding?.(file);
        }
      }
      onRound?.({ sent, accepted, maxMs });
    }
    const growth = memoryGrowth(memory);
    if (growth !== undefined)
      findings.push({
        seed,
        number: sent,
        kind: "memory",
        message: growth,
        profile: defaultProfile,
        requests: [],
      });
    return { sent, accepted, maxMs, findings, memory };
  } finally {
    await session?.end();
  }

  async function describe(
    { requests }: RoundResult,
    { kind, message, at }: Finding,
    profile: Profile,
    number: number,
  ) {
    const upTo = requests.slice(0, at + 1);
    const session = await FuzzSession.start(await start());
    // what comes after the requests matters to a finding of that kind alone, and takes longer than most of them
    const shrunk = await shrinkFinding(upTo, kind, (fewer) =>
      playAgain(session, fewer, profile, kind, kind === "afterwards"),
    ).finally(() => session.end());
    const found = { seed, number: number * requestsPerRound + at, kind, profile };
    if (shrunk !== undefined) return { ...found, message: shrunk.finding.message, requests: shrunk.requests };
    // many requests of one turn may take long together
    return kind === "stall" ? undefined : { ...found, message: `${message} (not again)`, requests: upTo };
  }
}

/** Sends the requests of a finding to a new emulator. */
export async function replay({
  requests,
  profile,
  kind,
}: Pick<ReplayFile, "requests" | "profile" | "kind">): Promise<Finding | undefined> {
  const session = await FuzzSession.start(await startUsual());
  try {
    return await playAgain(session, requests, profile, kind);
  } finally {
    await session.end();
  }
}

/** Sends requests one by one to an emulator that is as at the start. */
async function playAgain(
  session: FuzzSession,
  requests: readonly FuzzRequest[],
  profile: Profile,
  kind: ReplayFile["kind"],
  looksAfterwards = true,
): Promise<Finding | undefined> {
  let next = 0;
  const source = {
    isUnpredictable: requests.some(({ origin }) => isUnpredictable(origin)),
    learn: () => undefined,
    next: () => {
      const request = requests[next++];
      return request === undefined ? undefined : { requests: [request], compares: kind === "change" };
    },
  };
  return (await playRound(session, profile, source, looksAfterwards)).finding;
}

interface RoundOptions {
  readonly seed: number;
  /** Of the round. */
  readonly number: number;
  readonly profile: Profile;
  readonly stateFile: Uint8Array;
  /** How many requests it has. */
  readonly length: number;
}

/** Requests of a round: batches of valid and changed ones, and single ones that are to change nothing. */
function batchesOf({ seed, number, profile, stateFile, length }: RoundOptions): BatchSource {
  const mayFault = number % 16 === 15;
  const live = new LiveState();
  const source = { contract: contractOf(profile), live, stateFile };
  const requests = fuzzRequests(source, ({ operationId }) => mayFault || !isUnpredictable(operationId));
  const writing = fuzzRequests(source, ({ plane, method }) => plane === "service" && method !== "GET");
  const changed = fc.tuple(requests, requestChanges(live)).map(([request, change]) => change(request));
  const spoilt = fc.tuple(writing, spoilingChanges(live)).map(([request, change]) => change(request));
  let left = length;
  return {
    isUnpredictable: mayFault,
    learn: (body) => live.learn(body),
    next: (): Batch | undefined => {
      if (left === 0) return undefined;
      const from = seedOf(seed, number, left);
      const compares = from % 6 === 0;
      // where connections may be broken off, nobody can say which of many were answered
      const numRuns = compares || mayFault ? 1 : Math.min(left, requestsPerBatch);
      left -= numRuns;
      const batch = fc.sample(fc.noBias(compares ? spoilt : changed), { seed: from, numRuns });
      // in the order in which they are sent
      return {
        requests: [...batch].sort((a, b) => +needsOwnConnection(a) - +needsOwnConnection(b)),
        compares,
      };
    },
  };
}

/** A seed that follows from others. */
function seedOf(...seeds: readonly number[]): number {
  return createHash("sha256").update(seeds.join()).digest().readInt32LE();
}
