import { type GapId, gapIds } from "../../openapi/gaps/register.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { Check, Requirement } from "../check/check.js";
import type { Exchange } from "../client/exchange.js";
import { isSuccess } from "../client/is-success.js";
import { openContract, strictContract } from "../client/contracts.js";
import { ObserverContext, OtherAnswer, Undecided } from "../observe/observer-context.js";
import { withThoseBefore } from "../observe/observation.js";
import type { Observer } from "../observe/observer.js";
import { observers } from "../observe/register.js";
import { Run } from "../run/runner.js";
import type { LoginName, Session } from "../target/actors.js";
import { ControlPlane } from "../target/control-plane.js";
import { Ledger } from "../target/ledger.js";
import { actorNames } from "../target/needs.js";
import { type Bounds, defaultBounds } from "../target/observe-options.js";
import type { Missing, Prepared, Target } from "../target/target.js";
import { AnswerSchemas } from "./answer-schemas.js";
import type { History, Recording, SharedValue } from "./history.js";
import { toHistory } from "./to-history.js";
import { Tracer } from "./tracer.js";

export interface RecordingOptions {
  /** An emulator, where the histories are recorded. */
  readonly target: Target;
  /** Why something is not to be used: one of the targets does not offer it. */
  readonly missing: (need: Requirement) => Missing | undefined;
  readonly run: string;
  readonly seed: number;
  readonly runs: number;
  readonly checks: readonly Check[];
  readonly gaps?: readonly GapId[];
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

/** Runs checks and observers once, and keeps their requests as histories that can be sent to any target. */
export async function recordHistories(options: RecordingOptions): Promise<RecordedHistories> {
  const { target, missing, run: id, seed, runs, checks, gaps = gapIds, onProgress, isStopped } = options;
  const tracer = new Tracer();
  const values = new RecordedValues();
  const hasControl = missing("control-plane") === undefined;
  const run = new Run({
    target: {
      ...target,
      missing: (need) => target.missing(need) ?? missing(need),
      prepare: async (preparing) => {
        const { control, ...prepared } = await target.prepare(preparing);
        const traced = preparing.client.recordingTo(tracer.controlRecorder());
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
    recorder: tracer.recorder((exchange) => values.noteSessionOf(exchange)),
  });
  const { document } = target.isStrict ? strictContract(target.known as Profile) : openContract();
  const schemas = new AnswerSchemas(document);
  const recording: Recording = {
    baseUrl: target.baseUrl,
    run: id,
    shared: values.shared,
    passwordOf: (email) => values.passwords.get(email),
  };
  const histories: History[] = [];
  const leftOut: Reason[] = [];
  const troubles: Reason[] = [];
  await run.prepare();
  await run.check(gettingReady(values, missing));
  const subjects = [...checks.map((check) => ({ ...check, after: [] })), ...(await observing(run, gaps))];
  for (const [index, check] of subjects.entries()) {
    if (isStopped?.() === true) break;
    const { level, reason = level } = await run.check({
      ...check,
      run: (context) => tracer.trace(() => check.run(context)),
    });
    const events = tracer.take();
    if (events.length > 0) histories.push(toHistory(check, events, recording, schemas));
    else if (level !== "passed")
      (level === "not-declared" ? leftOut : troubles).push({ id: check.id, reason });
    onProgress?.(index + 1, subjects.length);
  }
  await run.cleanUp();
  return { histories, leftOut, troubles };
}

/** The observers as checks; an answer that is found out is there for those that ask for it. */
async function observing(run: Run, gaps: readonly GapId[]): Promise<readonly Check[]> {
  if (gaps.length === 0) return [];
  const extras = await run.forObservers();
  const bounds: Bounds = { ...defaultBounds, ...extras.bounds };
  const answers: Partial<Record<GapId, unknown>> = {};
  return withThoseBefore(gaps).map((gap) => {
    const observer: Observer = observers[gap];
    return {
      id: `gaps/${gap}` as Check["id"],
      title: gap,
      clauses: [],
      needs: observer.needs,
      run: async (context) => {
        const profile = answers as Partial<Profile>;
        try {
          answers[gap] = await observer.observe(new ObserverContext(context, bounds, profile, extras));
        } catch (error) {
          // what it has asked is what counts here
          if (!(error instanceof OtherAnswer || error instanceof Undecided)) throw error;
        }
      },
    };
  });
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
  readonly passwords = new Map<string, { readonly text: string; readonly of: LoginName }>();

  add(text: string, value: SharedValue): void {
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
    if (operationId === "login") {
      const { email = "" } = JSON.parse(request.body ?? "{}") as { readonly email?: string };
      const { authResponse } = JSON.parse(answer.body) as { readonly authResponse?: Session | null };
      const of = this.passwords.get(email)?.of;
      if (of !== undefined && authResponse) this.noteSession(authResponse, of);
    } else if (operationId === "switchOrganization") {
      const of = [...this.passwords.values()].find((user) => user.of === caller)?.of;
      if (of !== undefined) this.noteSession(JSON.parse(answer.body) as Session, of);
    }
  }

  /** The target as it was prepared, whose users, keys and extras are noted when they are asked for. */
  noting({ source, forObservers, ...prepared }: Prepared): Prepared {
    return {
      ...prepared,
      source: {
        login: async (of) => {
          const login = await source.login(of);
          this.add(login.email, { from: "login", of, field: "email" });
          if (login.organizationId !== undefined)
            this.add(login.organizationId, { from: "login", of, field: "organizationId" });
          this.passwords.set(login.email, { text: login.password, of });
          return login;
        },
        key: async (of) => {
          const key = await source.key(of);
          this.add(key, { from: "key", of });
          return key;
        },
      },
      ...(forObservers === undefined
        ? {}
        : {
            forObservers: async () => {
              const extras = await forObservers();
              for (const field of ["unavailableDatabaseId", "deadUrl"] as const)
                if (extras[field] !== undefined) this.add(extras[field], { from: "extra", field });
              return extras;
            },
          }),
    };
  }
}
