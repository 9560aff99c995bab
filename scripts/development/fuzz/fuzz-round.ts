import fc from "fast-check";
import type { EmulatorOptions } from "../../../emulator/api/emulator.js";
import { defaultProfile, type Profile } from "../../../openapi/gaps/profile.js";
import { toErrorMessage } from "../../../openapi/text/to-error-message.js";
import { memoize } from "../../../openapi/text/memoize.js";
import { fetchDemoToken, listExampleRequests } from "../growth/example-requests.js";
import { sampleProfiles } from "../inputs/sample-profiles.js";
import { type Draw, drawOneIn } from "./draw.js";
import { findViolation } from "./find-violation.js";
import { type FuzzRequest, getMethodAndPath } from "./fuzz-request.js";
import { drawRequest, fuzzedNamespace, type RequestSource } from "./fuzz-requests.js";
import { FuzzedEmulator } from "./fuzzed-emulator.js";
import { KnownValues } from "./known-values.js";
import { mutateRequest } from "./mutate-request.js";

/** Maximum CPU time of a request, in milliseconds. */
const maxMs = 250;
const maxRequestsPerSequence = 100;
/** Maximum number of sequences that are sent to reproduce a finding with fewer requests. */
const maxShrinks = 60;
/** With other answers to these gaps, the emulator would soon reject every request. */
const permissiveAnswers = { "rate-limit": "none" } as const;
const profiles = [
  defaultProfile,
  ...sampleProfiles(1, 7).map((profile) => ({ ...profile, ...permissiveAnswers })),
];

const listRequests = memoize(listExampleRequests);

/** Requests that reproduce a finding on a new emulator. */
export interface FuzzFinding {
  readonly message: string;
  readonly profile: Profile;
  readonly requests: readonly SentRequest[];
}

interface SentRequest {
  readonly request: FuzzRequest;
  /** Whether the data before and after the request are compared, which takes much longer than a request. */
  readonly comparesData: boolean;
}

interface FuzzRoundOptions {
  /** Determines the profile and all requests. */
  readonly seed: number;
  /** Number of sequences of requests; each starts with a new emulator. */
  readonly sequences: number;
  readonly middleware?: EmulatorOptions["middleware"];
}

interface FuzzRoundResult {
  /** Number of requests until the first finding. */
  readonly sent: number;
  /** Number of successful responses among them. */
  readonly accepted: number;
  /** The first finding. */
  readonly finding: FuzzFinding | undefined;
}

/** Sends random sequences of requests, and checks what must hold after every request. */
export async function fuzzRound({ seed, sequences, middleware }: FuzzRoundOptions): Promise<FuzzRoundResult> {
  const profile = profiles[seed % profiles.length] ?? defaultProfile;
  let [sent, accepted, shrinks] = [0, 0, 0];
  let finding: FuzzFinding | undefined;
  const draws = fc.noShrink(fc.noBias(fc.gen()));
  const commands = fc.commands([draws.map((draw) => new SendCommand(draw))], {
    maxCommands: maxRequestsPerSequence,
    size: "max",
  });
  const property = fc.asyncProperty(commands, async (sequence) => {
    if (finding !== undefined && (shrinks += 1) > maxShrinks) return;
    const run = await FuzzRun.start(profile, middleware);
    try {
      await fc.asyncModelRun(() => ({ model: {}, real: run }), sequence);
      run.checkOtherNamespace();
    } catch (error) {
      finding = { message: toErrorMessage(error), profile, requests: run.sent };
      throw error;
    } finally {
      if (shrinks === 0) [sent, accepted] = [sent + run.sent.length, accepted + run.accepted];
      await run.close();
    }
  });
  await fc.check(property, { seed, numRuns: sequences });
  return { sent, accepted, finding };
}

/** Sends the requests of a finding to a new emulator; returns what is found again. */
export async function replayFinding(
  { profile, requests }: FuzzFinding,
  middleware?: EmulatorOptions["middleware"],
): Promise<string | undefined> {
  const run = await FuzzRun.start(profile, middleware);
  try {
    for (const sent of requests) await run.send(sent);
    run.checkOtherNamespace();
    return undefined;
  } catch (error) {
    return toErrorMessage(error);
  } finally {
    await run.close();
  }
}

/** Draws a request when it is first run, and keeps it, so that shrinking does not change it. */
class SendCommand implements fc.AsyncCommand<object, FuzzRun> {
  #drawn: SentRequest | undefined;

  constructor(private readonly draw: Draw) {}

  /** Without this method, shrinking would create new commands, which would draw other requests. */
  [fc.cloneMethod](): this {
    return this;
  }

  check(): boolean {
    return true;
  }

  async run(_: object, run: FuzzRun): Promise<void> {
    const { draw } = this;
    this.#drawn ??= {
      request: mutateRequest(draw, drawRequest(draw, run.source), run.source.known),
      comparesData: drawOneIn(draw, 50),
    };
    await run.send(this.#drawn);
  }
}

/** Two emulators that must respond equally to the same requests. */
class FuzzRun {
  readonly sent: SentRequest[] = [];
  accepted = 0;
  /** Whether fault rules, another profile or the system clock make responses unpredictable. */
  #isUnpredictable = false;

  private constructor(
    private readonly profile: Profile,
    private readonly emulators: readonly [FuzzedEmulator, FuzzedEmulator],
    readonly source: RequestSource,
  ) {}

  static async start(profile: Profile, middleware?: EmulatorOptions["middleware"]): Promise<FuzzRun> {
    const start = async () => {
      const started = await FuzzedEmulator.start({ profile, middleware });
      const token = await fetchDemoToken(started.emulator.namespace(fuzzedNamespace).fetch);
      return { started, token };
    };
    const [one, other] = [await start(), await start()];
    const demoRequests = listRequests(profile);
    return new FuzzRun(profile, [one.started, other.started], {
      demoRequests,
      known: new KnownValues(demoRequests),
      token: one.token,
      stateFile: one.started.exportStateFile(),
    });
  }

  /**
   * Sends a request to both emulators, and learns from the response.
   *
   * @throws Error that describes a finding
   */
  async send(sent: SentRequest): Promise<void> {
    this.sent.push(sent);
    const { request, comparesData } = sent;
    const { method, path } = getMethodAndPath(request);
    const call = `${method} ${path}`;
    const exchanges = [];
    for (const emulator of this.emulators)
      exchanges.push(await emulator.send(request, comparesData && !this.#isUnpredictable));
    const ms = Math.min(...exchanges.map((exchange) => exchange.ms));
    if (ms > maxMs) throw new Error(`${call} took ${ms.toFixed(0)} ms of CPU time`);
    const [response, otherResponse] = exchanges.map((exchange) => exchange.response);
    const isRejected = response === undefined || "lost" in response || response.status >= 400;
    if (
      !isRejected &&
      (/^(?:POST \/_emulator\/faults|PUT \/_emulator\/profile)$/.test(call) ||
        response.body.includes('"mode":"system"'))
    )
      this.#isUnpredictable = true;
    if (this.#isUnpredictable || response === undefined) return;
    if ("lost" in response) throw new Error(`${call} got no response: ${response.lost}`);
    const violation = findViolation(request, response, this.profile);
    if (violation !== undefined) throw new Error(`${call}: ${violation}`);
    if (isRejected && exchanges.some(({ hasChangedData }) => hasChangedData))
      throw new Error(`${call} was rejected with ${response.status} but changed data`);
    const [text, otherText] = [JSON.stringify(response), JSON.stringify(otherResponse)];
    // the journal contains the duration of requests
    if (text !== otherText && !path.startsWith("/_emulator/journal"))
      throw new Error(`${call} has different responses on equal emulators: ${text} / ${otherText}`);
    if (isRejected) return;
    this.accepted += 1;
    if (response.headers["content-type"] === "application/json" && response.body !== "")
      this.source.known.learn(JSON.parse(response.body));
  }

  /** @throws Error if requests have changed a namespace to which none of them was sent */
  checkOtherNamespace(): void {
    if (this.emulators[0].hasChangedOtherNamespace()) throw new Error("another namespace has changed");
  }

  async close(): Promise<void> {
    for (const { emulator } of this.emulators) await emulator.close();
  }
}
