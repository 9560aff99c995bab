import type { Check, Requirement } from "../check/check.js";
import type { Exchange } from "../client/exchange.js";
import { isSuccess } from "../client/is-success.js";
import { Run } from "../run/runner.js";
import type { Subjects } from "../subjects/subjects.js";
import type { LoginName, Session } from "../target/actors.js";
import { ControlPlane } from "../target/control-plane.js";
import { Ledger } from "../target/ledger.js";
import { actorNames } from "../target/needs.js";
import type { MissingRequirement, PreparedTarget, Target } from "../target/target.js";
import { AnswerSchemas } from "./answer-schemas.js";
import type { History, Recording, SharedValue } from "./history.js";
import { type TracedEvent, toHistory } from "./to-history.js";
import { Tracer } from "./tracer.js";

export interface RecordingOptions {
  /** An emulator, where the histories are recorded. */
  readonly target: Target;
  /** Why something is not to be used: one of the targets does not offer it. */
  readonly missing: (need: Requirement) => MissingRequirement | undefined;
  readonly run: string;
  readonly seed: number;
  readonly runs: number;
  readonly subjects: Subjects;
  readonly onProgress?: (recorded: number, total: number) => void;
  readonly isStopped?: () => boolean;
}

/** A history or a check that was not run, and why. */
export interface Reason {
  readonly id: string;
  readonly reason: string;
}

export interface RecordedHistories {
  readonly histories: readonly History[];
  /** What needs something that one of the targets does not offer. */
  readonly leftOut: readonly Reason[];
  /** What could not be recorded. */
  readonly troubles: readonly Reason[];
}

/** Runs checks once, and keeps their requests as histories that can be sent to any target. */
export async function recordHistories(options: RecordingOptions): Promise<RecordedHistories> {
  const { target, missing, run: id, seed, runs, subjects, onProgress, isStopped } = options;
  const values = new RecordedValues();
  const tracer = new Tracer((exchange) => values.noteSessionOf(exchange));
  const hasControl = missing("control-plane") === undefined;
  const run = new Run({
    target: {
      ...target,
      missing: (need) => target.missing(need) ?? missing(need),
      prepare: async (preparing) => {
        const { control, ...prepared } = await target.prepare(preparing);
        const traced = preparing.client.recordingTo(tracer.forControl());
        return {
          ...values.noting(prepared),
          ...(hasControl && control !== undefined
            ? { control: new ControlPlane(traced, preparing.forget) }
            : {}),
        };
      },
    },
    ledger: Ledger.begin(id, target.baseUrl),
    seed,
    runs,
    confirms: false,
    recorder: tracer,
  });
  const schemas = AnswerSchemas.of(target);
  const recording: Recording = { baseUrl: target.baseUrl, run: id, shared: values.shared };
  const histories: History[] = [];
  const leftOut: Reason[] = [];
  const troubles: Reason[] = [];
  await run.prepare();
  await run.check(gettingReady(values, missing));
  const checks = subjects(() => run.forObservers());
  for (const [index, check] of checks.entries()) {
    if (isStopped?.() === true) break;
    const events: TracedEvent[] = [];
    const { level, reason = level } = await run.check({
      ...check,
      after: [],
      run: (context) => tracer.trace(() => check.run(context), events),
    });
    if (events.length > 0) histories.push(toHistory(check, events, recording, schemas));
    else if (level !== "passed")
      (level === "not-declared" ? leftOut : troubles).push({ id: check.id, reason });
    onProgress?.(index + 1, checks.length);
  }
  await run.cleanUp();
  return { histories, leftOut, troubles };
}

/** Makes and notes what all histories share: sessions, a database, a repository. */
function gettingReady(values: RecordedValues, missing: RecordingOptions["missing"]): Check {
  return {
    id: "preconditions/what-all-share",
    title: "What all histories share is there",
    clauses: [],
    needs: [],
    run: async ({ actors, resources }) => {
      values.add(resources.region, { from: "resource", field: "region" });
      for (const of of actorNames) {
        if (missing(of) !== undefined) continue;
        values.noteSession(await actors.details(of), of);
        values.add(await actors.organizationOf(of), { from: "login", of, field: "organizationId" });
      }
      if (missing("database") !== undefined) return;
      values.add(await resources.database(), { from: "resource", field: "databaseId" });
      await resources.workerFor("queryItems");
      if (missing("repositories") === undefined)
        values.add(await resources.repository(), { from: "resource", field: "repositoryId" });
    },
  };
}

/** The values of the recording emulator that every target has in its own form. */
class RecordedValues {
  readonly shared = new Map<string, SharedValue>();
  readonly #users = new Map<string, LoginName>();

  add(text: string | undefined, value: SharedValue): void {
    if (text === undefined) return;
    // what a target names stays right when sessions are begun anew
    const known = this.shared.get(text);
    if (known === undefined || (known.from === "session" && value.from !== "session"))
      this.shared.set(text, value);
  }

  noteSession(session: Session, of: LoginName): void {
    for (const field of ["accessToken", "refreshToken", "userId", "personalOrgId"] as const)
      this.add(session[field], { from: "session", of, field });
  }

  /** Notes a session that was begun to prepare something: requests use it like the first one. */
  noteSessionOf({ operationId, setUp, caller, request, answer }: Exchange): void {
    if (!setUp || answer === undefined || !isSuccess(answer)) return;
    if (operationId !== "login" && operationId !== "switchOrganization") return;
    const { email = "" } = JSON.parse(request.body ?? "{}") as { readonly email?: string };
    const body = JSON.parse(answer.body) as Session & { readonly authResponse?: Session | null };
    const session = operationId === "login" ? body.authResponse : body;
    const of =
      this.#users.get(email) ?? [...this.#users.values()].find((user) => email === "" && user === caller);
    if (of !== undefined && session) this.noteSession(session, of);
  }

  /** The target as it was prepared, whose users, keys and extras are noted when they are asked for. */
  noting({ source, forObservers, ...prepared }: PreparedTarget): PreparedTarget {
    return {
      ...prepared,
      source: {
        login: async (of) => {
          const login = await source.login(of);
          for (const field of ["email", "password", "organizationId"] as const)
            this.add(login[field], { from: "login", of, field });
          this.#users.set(login.email, of);
          return login;
        },
        key: async (of) => {
          const key = await source.key(of);
          this.add(key, { from: "key", of });
          return key;
        },
      },
      forObservers: async () => {
        const extras = (await forObservers?.()) ?? {};
        for (const field of ["unavailableDatabaseId", "deadUrl"] as const)
          this.add(extras[field], { from: "extra", field });
        return extras;
      },
    };
  }
}
