import { createHash } from "node:crypto";
import fc from "fast-check";
import { defaultProfile, type Profile } from "../../../openapi/gaps/profile.js";
import { createRequestMutations, createInvalidatingMutations } from "./fuzz-mutations.js";
import { sampleProfiles } from "../inputs/sample-profiles.js";
import { buildFuzzContract, judgeAnswer } from "./fuzz-contract.js";
import { type FuzzRequest, getMethodAndPath } from "./fuzz-request.js";
import { createFuzzRequestArbitrary, isUnpredictable } from "./fuzz-requests.js";
import { FuzzSession, type SessionStep } from "./fuzz-session.js";
import { LiveState } from "./live-state.js";
import { WatchedProcess } from "./watched-process.js";

type FindingKind = "answer" | "lost" | "stall" | "change" | "afterwards" | "bug" | "gone" | "memory";

interface Flaw {
  readonly kind: FindingKind;
  readonly message: string;
}

/** Requests that lead to a flaw in a new emulator. */
export interface FuzzFinding extends Flaw {
  readonly seed: number;
  /** The number of the last request. */
  readonly number: number;
  readonly profile: Profile;
  readonly requests: readonly FuzzRequest[];
}

export interface RunFuzzOptions {
  readonly requests: number;
  readonly seed: number;
  /** The number of the request in whose round to begin. */
  readonly from?: number;
  /** Starts what is looked at. */
  readonly start?: () => Promise<WatchedProcess>;
  /** When to stop; one finding tends to be the same as the next. */
  readonly maxFindings?: number;
  readonly onFinding?: (finding: FuzzFinding) => void;
  readonly onRound?: (sent: number) => void;
}

/** What the emulator held after a round, after garbage collection, when the world was as at the start. */
interface MemorySample {
  readonly heapBytes?: number;
  readonly residentBytes?: number;
}

const otherProfiles = 7;
/** With other answers to these, nothing is accepted any more. */
const permissiveAnswers = { "rate-limit": "none", "monthly-requests": "not-enforced" } as const;
const requestsPerRound = 2000;
/** What no single request may keep all others waiting for: milliseconds of work. */
const maxTurnMs = 250;
/** How many replays a smaller finding is worth. */
const maxReplays = 40;

/** Sends requests at random, and looks at everything that must hold whatever is sent. */
export async function runFuzz({
  requests,
  seed,
  from = 0,
  start = () => WatchedProcess.start(),
  maxFindings = 5,
  onFinding,
  onRound,
}: RunFuzzOptions) {
  const findings: FuzzFinding[] = [];
  const memory: MemorySample[] = [];
  const others = sampleProfiles(seedOf(seed), otherProfiles);
  const profiles = [defaultProfile, ...others.map((profile) => ({ ...profile, ...permissiveAnswers }))];
  let [sent, accepted, maxMs] = [0, 0, 0];
  const report = (finding: FuzzFinding) => {
    findings.push(finding);
    onFinding?.(finding);
  };
  /** Where the requests go; none after a finding, until the next round. */
  let session: FuzzSession | undefined = await FuzzSession.start(await start());
  try {
    const stateFile = await session.stateFile();
    const first = Math.floor(from / requestsPerRound);
    for (let number = first; sent < requests && findings.length < maxFindings; number += 1) {
      session ??= await FuzzSession.start(await start());
      const profile = profiles[number % profiles.length] ?? defaultProfile;
      const made = makeRound(seed, number, profile, stateFile);
      const round = await play(session, profile, made, Math.min(requestsPerRound, requests - sent));
      sent += round.requests.length;
      accepted += round.accepted;
      if (round.flaw === undefined) {
        maxMs = Math.max(maxMs, round.maxMs);
        await session.begin(defaultProfile);
        memory.push(await session.process.ask("memory"));
      } else {
        await session.process.end();
        session = undefined;
        const again = await shrink(round.requests, round.flaw, profile, start);
        // many requests may take long together
        if (again !== undefined || round.flaw.kind !== "stall")
          report({
            seed,
            number: number * requestsPerRound + round.requests.length - 1,
            profile,
            ...(again ?? { ...round.flaw, requests: round.requests }),
          });
      }
      onRound?.(sent);
    }
    const growth = detectMemoryGrowth(memory);
    if (growth !== undefined)
      report({ seed, number: sent, kind: "memory", message: growth, profile: defaultProfile, requests: [] });
    return { sent, accepted, maxMs, findings, memory };
  } finally {
    await session?.process.end();
  }
}

/** Sends the requests of a finding to a new emulator. */
export async function replayFinding({
  requests,
  profile,
  kind,
}: Pick<FuzzFinding, "requests" | "profile" | "kind">): Promise<Flaw | undefined> {
  const session = await FuzzSession.start(await WatchedProcess.start());
  try {
    return (await play(session, profile, makeReplay(requests, kind))).flaw;
  } finally {
    await session.process.end();
  }
}

/** The requests of a round. */
interface Round {
  readonly requests: Iterable<Step>;
  /** Reads every JSON response that is no refusal. */
  readonly learn?: (body: unknown) => void;
  /** Whether some requests make all later responses unpredictable. */
  readonly isUnpredictable: boolean;
}

interface Step {
  readonly request: FuzzRequest;
  /** Whether tables are compared before and after it. */
  readonly compares: boolean;
}

function makeRound(seed: number, number: number, profile: Profile, stateFile: string): Round {
  const mayFault = number % 16 === 15;
  const live = new LiveState();
  const source = { contract: buildFuzzContract(profile), live, stateFile };
  const usual = createFuzzRequestArbitrary(
    source,
    ({ operationId }) => mayFault || !isUnpredictable(operationId),
  );
  const writing = createFuzzRequestArbitrary(
    source,
    ({ plane, method }) => plane === "service" && method !== "GET",
  );
  const mutated = fc.tuple(usual, createRequestMutations(live)).map(([request, mutate]) => mutate(request));
  const spoilt = fc
    .tuple(writing, createInvalidatingMutations(live))
    .map(([request, mutate]) => mutate(request));
  // one by one, because each follows from what was learnt before it
  function* requests() {
    for (let at = 0; ; at += 1) {
      const own = seedOf(seed, number, at);
      // comparing tables takes a hundred times as long as a request
      const compares = own % 150 === 0;
      for (const request of fc.sample(fc.noBias(compares ? spoilt : mutated), { seed: own, numRuns: 1 }))
        yield { request, compares };
    }
  }
  return { requests: requests(), learn: (body) => live.learn(body), isUnpredictable: mayFault };
}

/** The requests of a finding once more. */
function makeReplay(requests: readonly FuzzRequest[], kind: FindingKind): Round {
  return {
    requests: requests.map((request) => ({ request, compares: kind === "change" })),
    isUnpredictable: requests.some(({ origin }) => isUnpredictable(origin)),
  };
}

/**
 * Sends requests to an emulator that is as at the start, up to the first flaw.
 *
 * @param looksAfterwards whether known requests have to be answered as before
 */
async function play(
  session: FuzzSession,
  profile: Profile,
  round: Round,
  length = Infinity,
  looksAfterwards = true,
) {
  await session.begin(profile);
  const requests: FuzzRequest[] = [];
  let [accepted, maxMs] = [0, 0];
  let flaw: Flaw | undefined;
  try {
    for (const { request, compares } of round.requests) {
      requests.push(request);
      const seen = await session.send(request, compares);
      maxMs = Math.max(maxMs, seen.maxMs);
      const answer = seen.outcome !== undefined && "answer" in seen.outcome ? seen.outcome.answer : undefined;
      if (answer !== undefined && answer.status < 400) {
        accepted += 1;
        const isJson = String(answer.headers["content-type"]).startsWith("application/json");
        if (isJson && answer.body.length > 0 && answer.body.length < 100_000)
          round.learn?.(JSON.parse(answer.body.toString()));
      }
      flaw = judge(request, seen, profile, round.isUnpredictable);
      if (flaw !== undefined || requests.length >= length) break;
    }
    if (flaw === undefined && looksAfterwards && !(await session.answersAsBefore()))
      flaw = { kind: "afterwards", message: "known requests get different responses afterwards" };
  } catch (error) {
    flaw = { kind: "gone", message: (await session.process.whyGone()) ?? (error as Error).message };
  }
  if (flaw?.kind === "lost") {
    const gone = await session.process.whyGone();
    if (gone !== undefined) flaw = { kind: "gone", message: gone };
  }
  return { flaw, requests, accepted, maxMs };
}

function judge(
  request: FuzzRequest,
  { outcome, maxMs, printed, changed }: SessionStep,
  profile: Profile,
  isUnpredictable: boolean,
): Flaw | undefined {
  const { origin } = request;
  if (!isUnpredictable && outcome !== undefined) {
    if ("lost" in outcome) return { kind: "lost", message: `${origin}: ${outcome.lost}` };
    const { answer } = outcome;
    // what the request began under, and what a world shows that began under the default profile
    const faults = [profile, defaultProfile].map((one) =>
      judgeAnswer(request, answer, buildFuzzContract(one)),
    );
    if (!faults.includes(undefined)) return { kind: "answer", message: `${origin}: ${faults[0] ?? ""}` };
    if (answer.status >= 400 && changed.length > 0) {
      const { method, path } = getMethodAndPath(request);
      const what = `${method} ${path} was refused with ${answer.status} and changed ${changed.join()}`;
      return { kind: "change", message: `${origin}: ${what}` };
    }
  }
  if (printed !== "" && !isUnpredictable) return { kind: "bug", message: printed };
  return maxMs < maxTurnMs
    ? undefined
    : { kind: "stall", message: `the event loop worked ${maxMs.toFixed(0)} ms without a pause` };
}

/**
 * Looks for fewer requests that lead to a flaw of the same kind.
 *
 * @returns nothing where they do not lead to it again
 */
async function shrink(
  requests: readonly FuzzRequest[],
  { kind }: Flaw,
  profile: Profile,
  start: () => Promise<WatchedProcess>,
): Promise<(Flaw & Pick<FuzzFinding, "requests">) | undefined> {
  let session: FuzzSession | undefined;
  let left = maxReplays;
  const attempt = async (fewer: readonly FuzzRequest[]) => {
    left -= 1;
    session ??= await FuzzSession.start(await start());
    // what comes after the requests matters to a flaw of that kind alone, and takes longer than most of them
    const round = await play(session, profile, makeReplay(fewer, kind), Infinity, kind === "afterwards");
    if (round.flaw?.kind === "gone" || round.flaw?.kind === "afterwards") {
      await session.process.end();
      session = undefined;
    }
    return round.flaw?.kind === kind ? { ...round.flaw, requests: round.requests } : undefined;
  };
  try {
    let found: Awaited<ReturnType<typeof attempt>>;
    for (const length of [1, 8, 64, Infinity]) found ??= await attempt(requests.slice(-length));
    // runs of requests before the last one are left out, shorter and shorter ones
    let run = Math.ceil((found?.requests.length ?? 0) / 2);
    for (let at = 0; found !== undefined && run >= 1 && left > 0;) {
      const last = found.requests.length - 1;
      if (at >= last) [at, run] = [0, Math.floor(run / 2)];
      else {
        const end = Math.min(at + run, last);
        const fewer = await attempt([...found.requests.slice(0, at), ...found.requests.slice(end)]);
        if (fewer === undefined) at += run;
        else found = fewer;
      }
    }
    return found;
  } finally {
    await session?.process.end();
  }
}

/** More than what caches with a bound may take, which are not full at once. */
const maxGrowth = { heapBytes: 48 * 2 ** 20, residentBytes: 384 * 2 ** 20 } as const;

/** Tells how memory grew from the first third of the samples to the last one, where it grew too much. */
export function detectMemoryGrowth(samples: readonly MemorySample[]): string | undefined {
  const third = Math.floor(samples.length / 3);
  if (third < 3) return undefined;
  for (const kind of ["heapBytes", "residentBytes"] as const) {
    const least = (some: readonly MemorySample[]) => Math.min(...some.map((sample) => sample[kind] ?? 0));
    const [from, to] = [least(samples.slice(0, third)), least(samples.slice(-third))];
    const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`;
    if (to - from > maxGrowth[kind])
      return `${kind} grew from ${megabytes(from)} to ${megabytes(to)} within ${samples.length} rounds`;
  }
  return undefined;
}

/** A seed that follows from others. */
function seedOf(...seeds: readonly number[]): number {
  return createHash("sha256").update(seeds.join()).digest().readInt32LE();
}
