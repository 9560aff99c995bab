import { isDeepStrictEqual } from "node:util";
import type { Check } from "../check/check.js";
import type { Exchange } from "../client/exchange.js";
import { isSuccess } from "../client/is-success.js";
import { Recorder } from "../client/recorder.js";
import { Run } from "../run/runner.js";
import type { LoginName, Session } from "../target/actors.js";
import { ControlPlaneClient } from "../target/control-plane-client.js";
import { Ledger } from "../target/ledger.js";
import { actorNames, type Requirement } from "../target/requirements.js";
import type { UnmetRequirementReason, PreparedTarget, Target } from "../target/target.js";
import { parameterizeHistory } from "./parameterize-history.js";
import { ResponseSchemas } from "./response-schemas.js";
import type { History, Recording, TracedEvent } from "./history.js";
import { type SharedValue, sharedValues } from "./shared-values.js";

export interface RecordHistoriesOptions {
  /** The emulator on which the histories are recorded. */
  readonly target: Target;
  /** Returns why something cannot be used, if one of the targets does not offer it. */
  readonly missing: (need: Requirement) => UnmetRequirementReason | undefined;
  readonly run: string;
  readonly seed: number;
  readonly runs: number;
  readonly checks: readonly Check[];
  readonly onProgress?: (recorded: number, total: number) => void;
  readonly isStopped?: () => boolean;
}

/** A history or check that was not run, with the reason. */
export interface SkippedRecording {
  readonly id: string;
  readonly reason: string;
}

export interface RecordedHistories {
  readonly histories: readonly History[];
  /** Histories with requirements that one of the targets does not offer; requests of recorded traffic to other services. */
  readonly omitted: readonly SkippedRecording[];
  /** What could not be recorded. */
  readonly errors: readonly SkippedRecording[];
}

/** Runs checks once, and records their requests as histories that can be sent to any target. */
export async function recordHistories(options: RecordHistoriesOptions): Promise<RecordedHistories> {
  const { target, missing, run: id, seed, runs, checks, onProgress, isStopped } = options;
  const values = new RecordedValues();
  let traced: TracedEvent[] | undefined;
  const recorder = new Recorder(0, undefined, (exchange, behavior) => {
    values.addSessionFrom(exchange);
    // The client repeats requests by itself, so only the last repetition is part of the history.
    const isSame = ({ exchange: { caller, request } }: TracedEvent) =>
      caller === exchange.caller && isDeepStrictEqual(request, exchange.request);
    const before = behavior.isRetry === true ? (traced?.findLastIndex(isSame) ?? -1) : -1;
    if (before >= 0) traced?.splice(before, 1);
    traced?.push({ exchange, behavior });
  });
  const hasControl = missing("control-plane") === undefined;
  const run = new Run({
    target: {
      ...target,
      findUnmetReason: (need) => target.findUnmetReason(need) ?? missing(need),
      prepare: async (preparing) => {
        const { control, ...prepared } = await target.prepare(preparing);
        const client = preparing.client.withRecorder(recorder.fork());
        const isTraced = hasControl && control !== undefined;
        return {
          ...values.recordValuesOf(prepared),
          ...(isTraced ? { control: new ControlPlaneClient(client, preparing.forgetSessions) } : {}),
        };
      },
    },
    ledger: Ledger.create(id, target.baseUrl),
    seed,
    runs,
    confirms: false,
    recorder,
  });
  const schemas = ResponseSchemas.forTarget(target);
  const recording: Recording = { baseUrl: target.baseUrl, run: id, shared: values.shared };
  const histories: History[] = [];
  const omitted: SkippedRecording[] = [];
  const errors: SkippedRecording[] = [];
  await run.prepare();
  await run.check(createSharedValuesCheck(missing, values));
  for (const [index, check] of checks.entries()) {
    if (isStopped?.() === true) break;
    const events: TracedEvent[] = [];
    const { level, reason = level } = await run.check({
      ...check,
      after: [],
      run: async (context) => {
        traced = events;
        await check.run(context).finally(() => (traced = undefined));
      },
    });
    if (events.length > 0) histories.push(parameterizeHistory(check, events, recording, schemas));
    else if (level !== "passed") (level === "not-declared" ? omitted : errors).push({ id: check.id, reason });
    onProgress?.(index + 1, checks.length);
  }
  await run.cleanUp();
  return { histories, omitted, errors };
}

/** Creates a check that creates and notes the resources that all histories share: sessions, a database, a repository. */
export function createSharedValuesCheck(
  missing: RecordHistoriesOptions["missing"],
  values = new RecordedValues(),
): Check {
  return {
    id: "preconditions/shared-values",
    title: "The histories' shared resources exist",
    clauses: [],
    needs: [],
    run: async ({ actors, resources }) => {
      values.add(resources.region, sharedValues.region());
      for (const of of actorNames) {
        if (missing(of) !== undefined) continue;
        values.addSession(await actors.getSession(of), of);
        values.add(await actors.getOrganizationId(of), sharedValues.organization(of));
      }
      if (missing("database") !== undefined) return;
      values.add(await resources.getDatabase(), sharedValues.database());
      await resources.getDefaultCaller("queryItems");
      if (missing("repositories") === undefined)
        values.add(await resources.getRepository(), sharedValues.repository());
    },
  };
}

/** The values of the recording emulator that differ between targets. */
class RecordedValues {
  readonly shared = new Map<string, SharedValue>();
  /** Users by email and by name. */
  readonly #users = new Map<string, LoginName>();

  add(text: string | undefined, value: SharedValue): void {
    if (text === undefined) return;
    // A value from the target file remains valid when a new session starts.
    const known = this.shared.get(text);
    if (known === undefined || (known.of !== undefined && value.of === undefined))
      this.shared.set(text, value);
  }

  addSession(session: Session, of: LoginName): void {
    for (const field of ["accessToken", "refreshToken", "userId", "personalOrgId"] as const)
      this.add(session[field], sharedValues.session(of, field));
  }

  /** Notes a session that was created during preparation; requests use it like the first session. */
  addSessionFrom({ operationId, setUp, caller, request, answer }: Exchange): void {
    if (!setUp || answer === undefined || !isSuccess(answer)) return;
    if (operationId !== "login" && operationId !== "switchOrganization") return;
    const { email } = JSON.parse(request.body ?? "{}") as { readonly email?: string };
    const body = JSON.parse(answer.body) as Session & { readonly authResponse?: Session | null };
    const session = operationId === "login" ? body.authResponse : body;
    const of = this.#users.get(email ?? caller);
    if (of !== undefined && session) this.addSession(session, of);
  }

  /** Returns the prepared target, whose users, keys and other values are noted when they are requested. */
  recordValuesOf({ source, ...prepared }: PreparedTarget): PreparedTarget {
    return {
      ...prepared,
      source: {
        getLogin: async (of) => {
          const login = await source.getLogin(of);
          for (const field of ["email", "password"] as const)
            this.add(login[field], sharedValues.login(of, field));
          this.add(login.organizationId, sharedValues.organization(of));
          this.#users.set(login.email, of).set(of, of);
          return login;
        },
        getKey: async (of) => {
          const key = await source.getKey(of);
          this.add(key, sharedValues.key(of));
          return key;
        },
      },
    };
  }
}
