import type { Profile } from "../../../openapi/gaps/profile.js";
import type { FuzzRequest } from "./fuzz-request.js";
import { type FuzzSession, type Sent } from "./fuzz-session.js";
import { judgeAnswer } from "./judge-answer.js";
import { KnownWorlds } from "./known-worlds.js";
import { fuzzedNamespace } from "./make-request.js";
import { readPlace } from "./read-place.js";

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
}

export interface RoundResult {
  readonly finding: Finding | undefined;
  readonly requests: readonly FuzzRequest[];
  readonly accepted: number;
  readonly longestMs: number;
}

/** What no single request may keep all others waiting for: milliseconds of work. */
export const longestTurnMs = 250;

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
  return { finding, requests: round.requests, accepted: round.accepted, longestMs: round.longestMs };
}

class Round {
  readonly #source: BatchSource;
  readonly #worlds = new KnownWorlds();
  readonly requests: FuzzRequest[] = [];
  accepted = 0;
  longestMs = 0;

  constructor(profile: Profile, source: BatchSource) {
    this.#source = source;
    this.#worlds.setProfile(fuzzedNamespace, profile);
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

  #judge(
    { requests }: Batch,
    from: number,
    { outcomes, longestMs, printed, changed }: Sent,
  ): Finding | undefined {
    this.longestMs = Math.max(this.longestMs, longestMs);
    for (const [index, request] of requests.entries()) {
      const { answers, lost } = outcomes[index] ?? { answers: [] };
      const { namespace } = readPlace(request);
      for (const [position, answer] of answers.entries()) {
        const isFaulted = this.#worlds.isFaulted(namespace);
        const faults = this.#worlds
          .contracts(namespace)
          .map((contract) => judgeAnswer(request, answer, contract, isFaulted));
        const wrong = faults.includes(undefined) ? undefined : faults[0];
        if (wrong !== undefined) return this.finding("answer", `${request.origin}: ${wrong}`, from + index);
        if (answer.status < 400) {
          this.accepted += 1;
          const body = bodyOf(answer.headers["content-type"], answer.body);
          if (body !== undefined) this.#source.learn(body);
          // further answers are to what came behind it on its connection
          if (position === 0) this.#worlds.follow(request, answer, body);
        } else if (changed !== undefined && changed.length > 0 && !this.#worlds.isFaulted(namespace))
          return this.finding(
            "change",
            `${request.origin} was refused with ${answer.status} and changed ${changed.join()}`,
            from + index,
          );
      }
      if (lost !== undefined && !this.#worlds.anyFaulted && !mayBeLost(request))
        return this.finding("lost", `${request.origin}: ${lost}`, from + index);
    }
    if (printed !== "" && !this.#worlds.anyFaulted)
      return this.finding("bug", printed, from + requests.length - 1);
    if (longestMs >= longestTurnMs)
      return this.finding(
        "stall",
        `the event loop worked ${longestMs.toFixed(0)} ms without a pause`,
        from + requests.length - 1,
      );
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
