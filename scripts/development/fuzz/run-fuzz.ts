import { createHash } from "node:crypto";
import fc from "fast-check";
import { defaultProfile, type Profile } from "../../../openapi/gaps/profile.js";
import { createRequestMutations, createInvalidatingMutations } from "./fuzz-mutations.js";
import { sampleProfiles } from "../inputs/sample-profiles.js";
import { buildFuzzContract, findResponseViolation } from "./fuzz-contract.js";
import { type FuzzRequest, getMethodAndPath } from "./fuzz-request.js";
import { createFuzzRequestArbitrary, makesUnpredictable } from "./fuzz-requests.js";
import { FuzzSession, type RequestResult } from "./fuzz-session.js";
import { LiveState } from "./live-state.js";
import { WatchedProcess } from "./watched-process.js";

type FindingKind = "answer" | "lost" | "stall" | "change" | "afterwards" | "bug" | "gone" | "memory";

interface Flaw {
  readonly kind: FindingKind;
  readonly message: string;
}

/** Requests that reproduce a flaw on a new emulator. */
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
  /** Number of a request; the run starts with its round. */
  readonly from?: number;
  /** Starts the emulator. */
  readonly start?: () => Promise<WatchedProcess>;
  /** Number of findings after which the run ends, because findings are often similar. */
  readonly maxFindings?: number;
  readonly onFinding?: (finding: FuzzFinding) => void;
  readonly onRound?: (sent: number) => void;
}

/** Memory use after a round, a reset and garbage collection. */
interface MemorySample {
  readonly heapBytes?: number;
  readonly residentBytes?: number;
}

const otherProfiles = 7;
/** With other answers to these gaps, the emulator would soon reject every request. */
const permissiveAnswers = { "rate-limit": "none", "monthly-requests": "not-enforced" } as const;
const requestsPerRound = 2000;
/** Maximum CPU time of a turn of the event loop, in milliseconds. */
const maxTurnMs = 250;
/** Maximum number of replays to shrink a finding. */
const maxReplays = 40;

/** Sends random requests, and checks what must hold after every request. */
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
  const others = sampleProfiles(deriveSeed(seed), otherProfiles);
  const profiles = [defaultProfile, ...others.map((profile) => ({ ...profile, ...permissiveAnswers }))];
  let [sent, accepted, maxMs] = [0, 0, 0];
  const report = (finding: FuzzFinding) => {
    findings.push(finding);
    onFinding?.(finding);
  };
  /** Undefined between a finding and the next round. */
  let session: FuzzSession | undefined = await FuzzSession.start(await start());
  try {
    const stateFile = await session.exportStateFile();
    const first = Math.floor(from / requestsPerRound);
    for (let number = first; sent < requests && findings.length < maxFindings; number += 1) {
      session ??= await FuzzSession.start(await start());
      const profile = profiles[number % profiles.length] ?? defaultProfile;
      const made = createRound(seed, number, profile, stateFile);
      const round = await playRound(session, profile, made, Math.min(requestsPerRound, requests - sent));
      sent += round.requests.length;
      accepted += round.accepted;
      if (round.flaw === undefined) {
        maxMs = Math.max(maxMs, round.maxMs);
        await session.begin(defaultProfile);
        memory.push(await session.process.ask("memory"));
      } else {
        await session.process.end();
        session = undefined;
        const shrunk = await shrink(round.requests, round.flaw, profile, start);
        // a stall that cannot be reproduced is not a finding
        if (shrunk !== undefined || round.flaw.kind !== "stall")
          report({
            seed,
            number: number * requestsPerRound + round.requests.length - 1,
            profile,
            ...(shrunk ?? { ...round.flaw, requests: round.requests }),
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
    return (await playRound(session, profile, createReplay(requests, kind))).flaw;
  } finally {
    await session.process.end();
  }
}

/** The requests of a round. */
interface Round {
  readonly requests: Iterable<Step>;
  /** Receives the body of every successful JSON response. */
  readonly learn?: (body: unknown) => void;
  /** Whether requests make later responses unpredictable. */
  readonly isUnpredictable: boolean;
}

interface Step {
  readonly request: FuzzRequest;
  /** Whether the tables before and after the request are compared. */
  readonly compares: boolean;
}

function createRound(seed: number, number: number, profile: Profile, stateFile: string): Round {
  const isUnpredictable = number % 16 === 15;
  const live = new LiveState();
  const source = { contract: buildFuzzContract(profile), live, stateFile };
  const anyRequest = createFuzzRequestArbitrary(
    source,
    ({ operationId }) => isUnpredictable || !makesUnpredictable(operationId),
  );
  const write = createFuzzRequestArbitrary(
    source,
    ({ plane, method }) => plane === "service" && method !== "GET",
  );
  const mutatedRequest = fc
    .tuple(anyRequest, createRequestMutations(live))
    .map(([request, mutate]) => mutate(request));
  const invalidWrite = fc
    .tuple(write, createInvalidatingMutations(live))
    .map(([request, mutate]) => mutate(request));
  // generate requests one by one, because they use values from earlier responses
  function* requests() {
    for (let at = 0; ; at += 1) {
      const requestSeed = deriveSeed(seed, number, at);
      // comparing tables takes a hundred times as long as a request
      const compares = requestSeed % 150 === 0;
      const arbitrary = fc.noBias(compares ? invalidWrite : mutatedRequest);
      for (const request of fc.sample(arbitrary, { seed: requestSeed, numRuns: 1 }))
        yield { request, compares };
    }
  }
  return { requests: requests(), learn: (body) => live.learn(body), isUnpredictable };
}

/** Creates a round with the requests of a finding. */
function createReplay(requests: readonly FuzzRequest[], kind: FindingKind): Round {
  return {
    requests: requests.map((request) => ({ request, compares: kind === "change" })),
    isUnpredictable: requests.some(({ origin }) => makesUnpredictable(origin)),
  };
}

/**
 * Resets an emulator and sends requests until the first flaw.
 *
 * @param checksAfterwards whether to check the responses to fixed requests at the end
 */
async function playRound(
  session: FuzzSession,
  profile: Profile,
  round: Round,
  length = Infinity,
  checksAfterwards = true,
) {
  await session.begin(profile);
  const requests: FuzzRequest[] = [];
  let [accepted, maxMs] = [0, 0];
  let flaw: Flaw | undefined;
  try {
    for (const { request, compares } of round.requests) {
      requests.push(request);
      const result = await session.send(request, compares);
      maxMs = Math.max(maxMs, result.maxMs);
      const { outcome } = result;
      if (outcome !== undefined && "response" in outcome && outcome.response.status < 400) {
        accepted += 1;
        const { headers, body } = outcome.response;
        const isJson = String(headers["content-type"]).startsWith("application/json");
        if (isJson && body.length > 0 && body.length < 100_000) round.learn?.(JSON.parse(body.toString()));
      }
      flaw = findFlaw(request, result, profile, round.isUnpredictable);
      if (flaw !== undefined || requests.length >= length) break;
    }
    if (flaw === undefined && checksAfterwards && !(await session.respondsAsBefore()))
      flaw = { kind: "afterwards", message: "known requests get different responses afterwards" };
  } catch (error) {
    flaw = { kind: "gone", message: (await session.process.describeExit()) ?? (error as Error).message };
  }
  if (flaw?.kind === "lost") {
    const reason = await session.process.describeExit();
    if (reason !== undefined) flaw = { kind: "gone", message: reason };
  }
  return { flaw, requests, accepted, maxMs };
}

function findFlaw(
  request: FuzzRequest,
  { outcome, maxMs, printed, changed }: RequestResult,
  profile: Profile,
  isUnpredictable: boolean,
): Flaw | undefined {
  const { origin } = request;
  if (!isUnpredictable && outcome !== undefined) {
    if ("lost" in outcome) return { kind: "lost", message: `${origin}: ${outcome.lost}` };
    const { response } = outcome;
    // other namespaces have the default profile
    const violations = [profile, defaultProfile].map((one) =>
      findResponseViolation(request, response, buildFuzzContract(one)),
    );
    if (!violations.includes(undefined))
      return { kind: "answer", message: `${origin}: ${violations[0] ?? ""}` };
    if (response.status >= 400 && changed.length > 0) {
      const { method, path } = getMethodAndPath(request);
      const change = `${method} ${path} was rejected with ${response.status} but changed ${changed.join()}`;
      return { kind: "change", message: `${origin}: ${change}` };
    }
  }
  if (printed !== "" && !isUnpredictable) return { kind: "bug", message: printed };
  return maxMs < maxTurnMs
    ? undefined
    : { kind: "stall", message: `a turn of the event loop took ${maxMs.toFixed(0)} ms of CPU time` };
}

/** Searches for fewer requests that cause a flaw of the same kind; returns undefined if it cannot be reproduced. */
async function shrink(
  requests: readonly FuzzRequest[],
  { kind }: Flaw,
  profile: Profile,
  start: () => Promise<WatchedProcess>,
): Promise<(Flaw & Pick<FuzzFinding, "requests">) | undefined> {
  let session: FuzzSession | undefined;
  let remainingReplays = maxReplays;
  const attempt = async (fewer: readonly FuzzRequest[]) => {
    remainingReplays -= 1;
    session ??= await FuzzSession.start(await start());
    // the fixed requests take longer than most replays
    const checksAfterwards = kind === "afterwards";
    const round = await playRound(session, profile, createReplay(fewer, kind), Infinity, checksAfterwards);
    if (round.flaw?.kind === "gone" || round.flaw?.kind === "afterwards") {
      await session.process.end();
      session = undefined;
    }
    return round.flaw?.kind === kind ? { ...round.flaw, requests: round.requests } : undefined;
  };
  try {
    let found: Awaited<ReturnType<typeof attempt>>;
    for (const length of [1, 8, 64, Infinity]) found ??= await attempt(requests.slice(-length));
    // omit shorter and shorter sequences of requests before the last one
    let omitted = Math.ceil((found?.requests.length ?? 0) / 2);
    for (let at = 0; found !== undefined && omitted >= 1 && remainingReplays > 0;) {
      const last = found.requests.length - 1;
      if (at >= last) [at, omitted] = [0, Math.floor(omitted / 2)];
      else {
        const end = Math.min(at + omitted, last);
        const fewer = await attempt([...found.requests.slice(0, at), ...found.requests.slice(end)]);
        if (fewer === undefined) at += omitted;
        else found = fewer;
      }
    }
    return found;
  } finally {
    await session?.process.end();
  }
}

/** Maximum growth of memory in bytes. Bounded caches may still grow, because they fill slowly. */
const maxGrowth = { heapBytes: 48 * 2 ** 20, residentBytes: 384 * 2 ** 20 } as const;

/** Describes how memory grew from the first third of the samples to the last third; undefined if it did not grow too much. */
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

/** Derives a seed from other seeds. */
function deriveSeed(...seeds: readonly number[]): number {
  return createHash("sha256").update(seeds.join()).digest().readInt32LE();
}
