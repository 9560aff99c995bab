import { defaultProfile, type Profile } from "../../../openapi/gaps/profile.js";
import { contractOf, type FuzzContract } from "./fuzz-contract.js";
import type { FuzzRequest } from "./fuzz-request.js";
import type { FuzzSession, Sent } from "./fuzz-session.js";
import { judgeAnswer } from "./judge-answer.js";

export type FindingKind = "answer" | "lost" | "stall" | "change" | "afterwards" | "bug" | "gone" | "memory";

/** Something that must not happen. */
export interface Finding {
  readonly kind: FindingKind;
  readonly message: string;
  /** Place of the request in its round; the last one where it cannot be told. */
  readonly at: number;
}

/** Requests that are sent together. */
export interface Batch {
  readonly requests: readonly FuzzRequest[];
  /** Whether the world is compared before and after. */
  readonly compares?: boolean;
}

/** Where requests come from; asked for more when the answers to the batch before the last are known. */
export interface BatchSource {
  readonly next: () => Batch | undefined;
  /** Is told every answer that was no refusal. */
  readonly learn: (body: unknown) => void;
  /** Whether it may make calls after which nobody can say what has to be answered, as those that make fault rules. */
  readonly isUnpredictable?: boolean;
}

export interface RoundResult {
  readonly finding: Finding | undefined;
  readonly requests: readonly FuzzRequest[];
  readonly accepted: number;
  readonly maxMs: number;
}

/** What no single request may keep all others waiting for: milliseconds of work. */
const maxTurnMs = 250;

/**
 * Sends the requests of one round, and judges every answer. Ends at the first finding.
 *
 * @param looksAfterwards whether known requests have to be answered as before the round
 */
export async function playRound(
  session: FuzzSession,
  profile: Profile,
  source: BatchSource,
  looksAfterwards = true,
): Promise<RoundResult> {
  await session.begin(profile);
  const round = new Round(profile, source);
  let finding: Finding | undefined;
  try {
    finding = await round.play(session);
    if (finding === undefined && looksAfterwards && !(await session.answersAsBefore()))
      finding = round.finding("afterwards", "known requests are answered otherwise afterwards");
  } catch (error) {
    finding = round.finding("gone", (await session.process.whyGone()) ?? (error as Error).message);
  }
  return { finding, requests: round.requests, accepted: round.accepted, maxMs: round.maxMs };
}

class Round {
  readonly #source: BatchSource;
  /** What an answer may hold to: the profile in force, and that under which a world began whose data it shows. */
  readonly #contracts: readonly FuzzContract[];
  readonly requests: FuzzRequest[] = [];
  accepted = 0;
  maxMs = 0;

  constructor(profile: Profile, source: BatchSource) {
    this.#source = source;
    this.#contracts = [contractOf(profile), contractOf(defaultProfile)];
  }

  async play(session: FuzzSession): Promise<Finding | undefined> {
    // one batch is under way while the answers to another are judged
    let sent: { readonly batch: Batch; readonly from: number; readonly seen: Promise<Sent> } | undefined;
    for (;;) {
      const batch = this.#source.next();
      const seen = await sent?.seen;
      const judged = sent;
      const from = this.requests.length;
      if (batch !== undefined) {
        this.requests.push(...batch.requests);
        const seen = session.send(batch.requests, batch.compares);
        // told when it is awaited
        seen.catch(() => undefined);
        sent = { batch, from, seen };
      }
      if (judged !== undefined && seen !== undefined) {
        const finding = this.#judge(judged.batch, judged.from, seen);
        if (finding !== undefined) {
          await sent?.seen.catch(() => undefined);
          return finding;
        }
      }
      if (batch === undefined) return undefined;
    }
  }

  finding(kind: FindingKind, message: string, at = this.requests.length - 1): Finding {
    return { kind, message, at };
  }

  #judge({ requests }: Batch, from: number, sent: Sent): Finding | undefined {
    const { outcomes, maxMs, printed, changed = [] } = sent;
    this.maxMs = Math.max(this.maxMs, maxMs);
    const last = from + requests.length - 1;
    const isPredictable = this.#source.isUnpredictable !== true;
    for (const [index, request] of requests.entries()) {
      const { answers, lost } = outcomes[index] ?? { answers: [] };
      for (const answer of answers) {
        if (answer.status < 400) {
          this.accepted += 1;
          const body = bodyOf(answer.headers["content-type"], answer.body);
          if (body !== undefined) this.#source.learn(body);
        }
        if (!isPredictable) continue;
        const faults = this.#contracts.map((contract) => judgeAnswer(request, answer, contract));
        const wrong = faults.includes(undefined) ? undefined : faults[0];
        if (wrong !== undefined) return this.finding("answer", `${request.origin}: ${wrong}`, from + index);
        if (answer.status >= 400 && changed.length > 0)
          return this.finding(
            "change",
            `${request.origin} was refused with ${answer.status} and changed ${changed.join()}`,
            from + index,
          );
      }
      if (lost !== undefined && isPredictable && !mayBeLost(request))
        // what came behind it on the connection may have broken it
        return this.finding("lost", `${request.origin}: ${lost}`, last);
    }
    if (printed !== "" && isPredictable) return this.finding("bug", printed, last);
    if (maxMs >= maxTurnMs)
      return this.finding("stall", `the event loop worked ${maxMs.toFixed(0)} ms without a pause`, last);
    return undefined;
  }
}

/** Whether there is nothing in the bytes of a request that could be answered. */
function mayBeLost({ raw }: FuzzRequest): boolean {
  return raw !== undefined && !/\S/.test(Buffer.from(raw).toString("latin1"));
}

function bodyOf(contentType: string | undefined, body: Buffer): unknown {
  const isShort = body.length > 0 && body.length < 100_000;
  return isShort && contentType?.startsWith("application/json") === true
    ? JSON.parse(body.toString())
    : undefined;
}
