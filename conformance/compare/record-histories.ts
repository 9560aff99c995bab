import { type GapId, gapIds } from "../../openapi/gaps/register.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { Check, Need } from "../check/check.js";
import type { Exchange } from "../client/exchange.js";
import { isSuccess } from "../client/is-success.js";
import { openContract, strictContract } from "../client/contracts.js";
import { OtherAnswer, Undecided } from "../observe/endings.js";
import { withThoseBefore } from "../observe/observation.js";
import type { Observer } from "../observe/observer.js";
import { ObserverContext } from "../observe/observer-context.js";
import { observers } from "../observe/register.js";
import { Run } from "../run/runner.js";
import type { ActorSource, Login, LoginName, Session } from "../target/actors.js";
import { ControlPlane } from "../target/control-plane.js";
import { Ledger } from "../target/ledger.js";
import { actorNames } from "../target/needs.js";
import { type Bounds, defaultBounds } from "../target/observe-options.js";
import type { Missing, Prepared, Target } from "../target/target.js";
import type { History } from "./command.js";
import { KnownValues } from "./known-values.js";
import { AnswerSchemas } from "./schema-of-answer.js";
import { type Recording, toHistory } from "./to-history.js";
import { ControlRecorder, TraceRecorder, Tracer } from "./trace-recorder.js";

export interface RecordingOptions {
  /** An emulator, where the histories are recorded. */
  readonly target: Target;
  /** What is not to be used, because one of the sides does not offer it. */
  readonly missing: (need: Need) => Missing | undefined;
  readonly run: string;
  readonly seed: number;
  readonly runs: number;
  readonly checks: readonly Check[];
  readonly gaps?: readonly GapId[];
  readonly onProgress?: (recorded: number, total: number) => void;
  readonly isStopped?: () => boolean;
}

/** What came of recording. */
export interface Recorded {
  readonly histories: readonly History[];
  /** What needs something that one of the sides does not offer. */
  readonly leftOut: readonly { readonly id: string; readonly reason: string }[];
  /** What could not be recorded, with the reason. */
  readonly troubles: readonly { readonly id: string; readonly reason: string }[];
  readonly requests: number;
}

/** Runs checks and observers once, and keeps what they did as histories that any deployment can be taken through. */
export async function recordHistories(options: RecordingOptions): Promise<Recorded> {
  const { target, missing, run: id, seed, runs, checks, gaps = gapIds, onProgress, isStopped } = options;
  const tracer = new Tracer();
  const known = new KnownValues();
  const passwords = new Map<string, { text: string; of: LoginName }>();
  const hasControl = missing("control-plane") === undefined;
  const recorder = new TraceRecorder(tracer, (exchange) => noteSessionOf(exchange, known, passwords));
  const ledger = Ledger.begin(id, target.baseUrl);
  const run = new Run({
    target: {
      ...target,
      missing: (need) => target.missing(need) ?? missing(need),
      prepare: async (preparing) => {
        const prepared = await target.prepare(preparing);
        const { control, ...rest } = prepared;
        const tracedControl = new ControlPlane(
          preparing.client.recordingTo(new ControlRecorder(tracer)),
          preparing.forget,
        );
        return {
          ...rest,
          source: noted(prepared.source, known, passwords),
          ...(hasControl && control !== undefined ? { control: tracedControl } : {}),
          ...notedExtras(prepared, known),
        };
      },
    },
    ledger,
    seed,
    runs,
    confirms: false,
    recorder,
  });
  const contract = target.isStrict ? strictContract(target.known as Profile) : openContract();
  const recording: Recording = {
    baseUrl: target.baseUrl,
    schemas: new AnswerSchemas(contract.document),
    run: id,
    known,
    passwordOf: (email) => {
      const found = passwords.get(email);
      return found === undefined
        ? undefined
        : {
            text: found.text,
            template: [{ sources: [{ from: "login", of: found.of, member: "password" }] }],
          };
    },
  };
  const histories: History[] = [];
  const leftOut: { id: string; reason: string }[] = [];
  const troubles: { id: string; reason: string }[] = [];
  await run.prepare();
  const subjects = [...checks.map((check) => ({ ...check, after: [] })), ...(await observing(run, gaps))];
  for (const check of [gettingReady(known, missing), ...subjects]) {
    if (isStopped?.() === true) break;
    const result = await run.check(traced(check, tracer));
    const events = tracer.take();
    if (events.length > 0 && check.id !== readyId) histories.push(toHistory(check, events, recording));
    else if (result.level !== "passed")
      (result.level === "not-declared" ? leftOut : troubles).push({
        id: check.id,
        reason: result.reason ?? result.level,
      });
    onProgress?.(histories.length, subjects.length);
  }
  await run.cleanUp();
  return { histories, leftOut, troubles, requests: recorder.total };
}

/** The check, with what it does being traced, and not what is done before and after. */
function traced(check: Check, tracer: Tracer): Check {
  return {
    ...check,
    run: async (context) => {
      tracer.begin();
      try {
        await check.run(context);
      } finally {
        tracer.end();
      }
    },
  };
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

const readyId = "presumptions/what-all-share" as const;

/** Makes and notes what all histories share: sessions, a database, a repository. */
function gettingReady(known: KnownValues, missing: RecordingOptions["missing"]): Check {
  return {
    id: readyId,
    title: "What all histories share is there",
    clauses: [],
    needs: [],
    run: async ({ actors, resources }) => {
      known.add(resources.region, { from: "shared", what: "region" });
      for (const name of actorNames) {
        if (missing(name) !== undefined) continue;
        noteSession(await actors.details(name), name, known);
        known.add(await actors.organizationOf(name), { from: "login", of: name, member: "organizationId" });
      }
      if (missing("database") !== undefined) return;
      known.add(await resources.database(), { from: "shared", what: "database" });
      await resources.workerFor("queryItems");
      if (missing("repositories") === undefined)
        known.add(await resources.repository(), { from: "shared", what: "repository" });
    },
  };
}

const sessionMembers = ["accessToken", "refreshToken", "userId", "personalOrgId"] as const;

function noteSession(session: Session, of: LoginName, known: KnownValues): void {
  for (const member of sessionMembers) known.add(session[member], { from: "session", of, member });
}

type Passwords = Map<string, { text: string; of: LoginName }>;

/** A session of a user that was begun on the way: who uses it later finds it where all sessions are. */
function noteSessionOf(exchange: Exchange, known: KnownValues, passwords: Passwords): void {
  const { operationId, setUp, caller, request, answer } = exchange;
  if (!setUp || answer === undefined || !isSuccess(answer)) return;
  if (operationId === "login") {
    const { email = "" } = JSON.parse(request.body ?? "{}") as { readonly email?: string };
    const of = passwords.get(email)?.of;
    const { authResponse } = JSON.parse(answer.body) as { readonly authResponse?: Session | null };
    if (of !== undefined && authResponse) noteSession(authResponse, of, known);
  } else if (operationId === "switchOrganization") {
    const of = [...passwords.values()].find((user) => user.of === caller)?.of;
    if (of !== undefined) noteSession(JSON.parse(answer.body) as Session, of, known);
  }
}

/** The users and keys of a target, each noted when it is asked for. */
function noted(source: ActorSource, known: KnownValues, passwords: Passwords): ActorSource {
  return {
    login: async (name) => {
      const login: Login = await source.login(name);
      const { email, password, organizationId } = login;
      known.add(email, { from: "login", of: name, member: "email" });
      if (organizationId !== undefined)
        known.add(organizationId, { from: "login", of: name, member: "organizationId" });
      passwords.set(email, { text: password, of: name });
      return login;
    },
    key: async (scope) => {
      const key = await source.key(scope);
      known.add(key, { from: "key", of: scope });
      return key;
    },
  };
}

/** What a target names for observers, noted when it is asked for. */
function notedExtras(
  { forObservers }: Prepared,
  known: KnownValues,
): Pick<Prepared, "forObservers"> | object {
  if (forObservers === undefined) return {};
  return {
    forObservers: async () => {
      const extras = await forObservers();
      for (const what of ["unavailableDatabaseId", "deadUrl"] as const)
        if (extras[what] !== undefined) known.add(extras[what], { from: "extra", what });
      return extras;
    },
  };
}
