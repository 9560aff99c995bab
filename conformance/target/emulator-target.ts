import type { Scope } from "../../openapi/schemas/roles.js";
import { completeProfile, type Profile } from "../../openapi/gaps/profile.js";
import type { Client } from "../client/client.js";
import type { SecretMasker } from "../client/secrets.js";
import { readBoundedText } from "../client/send-request.js";
import type { Fetch } from "../client/exchange.js";
import { systemTime, type TimeSource } from "../client/time-source.js";
import { RunError } from "../client/violation.js";
import { Actors, type ActorSource, type Login, type LoginName } from "./actors.js";
import { ControlPlaneClient } from "./control-plane-client.js";
import { createSituation, createPausedDatabase, type SituationContext } from "./emulator-situations.js";
import type { ObservationSettings } from "./observation-settings.js";
import { isSituation } from "./situations.js";
import type { Target } from "./target.js";
import { parseJsonOrUndefined } from "../client/json-text.js";
import { memoize } from "../../openapi/text/memoize.js";

/** Creates the password of a user of the run. The secrets of an emulator protect nothing. */
const createPassword = (name: string) => `certify-password-${name}`;

/** Maximum number of concurrent requests. If a fault rule limits the rate to one request, one gets through per attempt. */
const concurrency = 16;

/** Time limit for the first answer; an emulator answers at once. */
const firstAnswerMs = 10_000;

/** Longer than the pause between any two requests of a run, even on a busy machine. */
const idleSeconds = 600;
/** The control plane is called only once or twice in a run. */
const idleSecondsOfDead = 3600;

export interface EmulatorTargetOptions {
  /** URL of the emulator; a namespace in it is ignored. */
  readonly url: string;
  readonly fetch: Fetch;
  /** The run id, which is also the name of the run's namespace. */
  readonly run: string;
  /** Whether answers must also match the strict document of the profile. Defaults to true; if false, only clauses count. */
  readonly strict?: boolean;
  /** Known answers to gaps, as in a target file, if the emulator is judged by clauses alone. */
  readonly known?: Partial<Profile>;
}

/**
 * Creates a target for an emulator. The run has its own namespace with the profile of the emulator, so that it does not
 * move the clock of other namespaces and leaves nothing behind. The control plane creates users and keys.
 *
 * @throws RunError when no emulator answers at the address
 */
export async function createEmulatorTarget({
  url,
  fetch,
  run,
  strict = true,
  known = {},
}: EmulatorTargetOptions): Promise<Target> {
  const origin = url.replace(/\/(ns\/[^/]*\/?)?$/, "");
  const namespace = `certify-${run}`;
  const profile = await readProfile(origin, fetch);
  const baseUrl = `${origin}/ns/${namespace}`;
  return {
    baseUrl,
    // the namespace is another one in every run
    deployment: origin,
    title: `the emulator at ${origin}`,
    fetch,
    // the emulator answers as fast as it can, and has nobody else to serve; its seconds pass when somebody waits
    politeness: {
      requestsPerSecond: Infinity,
      concurrency,
      retries: profile["rate-limit"] === "none" ? 2 : concurrency,
    },
    // it answers one request at a time: what is gained is that the next is made meanwhile, by another process
    sideBySide: fetch === globalThis.fetch ? 3 : 1,
    timeoutMs: 30_000,
    time: createEmulatorTime({ baseUrl, fetch }),
    databaseReadyMs: 10_000,
    region: getRegion(profile),
    known: strict ? profile : known,
    isStrict: strict,
    // the control plane reaches everything
    missing: () => undefined,
    prepare: async ({ client, ledger, secrets, forget }) => {
      ledger.making({ kind: "namespace", name: namespace, parent: origin });
      const control = new ControlPlaneClient(client, forget);
      // a killed run cannot delete the namespace
      await control.call("setNamespace", { path: { name: namespace }, body: { idleSeconds } });
      await control.call("setProfile", { body: profile });
      // who is made ready a second time makes the same users again
      await control.call("resetEmulator");
      const region = getRegion(profile);
      const source = new EmulatorActors(client, control, secrets, run, region);
      const deadNamespace = `${namespace}-dead`;
      const forObservers = async (): Promise<ObservationSettings> => {
        ledger.making({ kind: "namespace", name: deadNamespace, parent: origin });
        const at = `${origin}/ns/${deadNamespace}`;
        await control.call("setNamespace", {
          path: { name: deadNamespace },
          body: { idleSeconds: idleSecondsOfDead },
        });
        await client.send("PUT", "/_emulator/profile", { at, body: profile, setUp: true });
        await client.send("PUT", "/_emulator/health", { at, body: { live: "Dead" }, setUp: true });
        // more than any rate limit in a profile
        return {
          unavailableDatabaseId: await source.paused(),
          deadUrl: at,
          bounds: { requestsPerSecond: 501 },
        };
      };
      return { source, control, forObservers };
    },
  };
}

async function readProfile(origin: string, fetch: Fetch): Promise<Profile> {
  const url = `${origin}/_emulator/profile`;
  let text: string;
  let status: number;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(firstAnswerMs) });
    status = response.status;
    text = await readBoundedText(response);
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new RunError(`no emulator responds at ${origin} (${cause}); start one with \`data-service start\``);
  }
  const completed = status === 200 ? completeProfile(parseJsonOrUndefined(text)) : undefined;
  if (completed === undefined || "mistakes" in completed)
    throw new RunError(
      `${origin} is not an emulator of this version: GET ${url} returned status ${status}; ` +
        "leave out --emulator and describe the deployment in a target file",
    );
  return completed.profile;
}

/** The time of an emulator: waiting moves its clock, which otherwise does not advance. */
function createEmulatorTime({ baseUrl, fetch }: Pick<Target, "baseUrl" | "fetch">): TimeSource {
  let skipped = 0;
  return {
    now: () => Date.now() + skipped,
    sleep: async (milliseconds) => {
      const whole = Math.max(1, Math.ceil(milliseconds));
      const isMoved = await fetch(`${baseUrl}/_emulator/clock`, {
        method: "PATCH",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ advance: `PT${whole / 1000}S` }),
      }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isMoved) skipped += whole;
      // what does not answer for a while is waited for like any other deployment
      else await systemTime.sleep(milliseconds);
    },
  };
}

/** Returns a region in which databases may be created. */
function getRegion(profile: Profile): string {
  const regions = profile["region-list"];
  return typeof regions === "string" ? "eu-central-1" : (regions[0] ?? "eu-central-1");
}

/** The users, organizations and keys of a run, each created when it is first used. */
class EmulatorActors implements ActorSource {
  readonly #actors: Actors;

  constructor(
    private readonly client: Client,
    private readonly control: ControlPlaneClient,
    secrets: SecretMasker,
    private readonly run: string,
    private readonly region: string,
  ) {
    this.#actors = new Actors(client, this, secrets);
  }

  readonly login = memoize((name: LoginName) => this.#make(name));
  readonly key = memoize((scope: Scope | "expired") => this.#makeKey(scope));

  async #make(name: LoginName): Promise<Login> {
    // in small letters, which are the same whatever becomes of capital ones
    const email = `${this.run}-${name.toLowerCase()}@certify.test`;
    const user = { email, password: createPassword(name) };
    await this.control.call("createUser", {
      body: {
        ...user,
        name: `Certify ${name}`,
        emailVerified: name !== "unverified",
        mfaRequired: name === "mfa",
      },
    });
    if (name === "unverified" || name === "mfa") return user;
    if (isSituation(name) || name === "owner" || name === "outsider") {
      const login = { ...user, organizationId: await this.#createOrganization(name, user) };
      const path = { organizationId: login.organizationId };
      if (isSituation(name)) await createSituation(name, await this.#situationOf(login, name));
      // on a plan without limits
      else await this.control.call("changeOrganization", { path, body: { plan: "enterprise" } });
      return login;
    }
    const owner = await this.login("owner");
    const { organizationId = "" } = owner;
    await this.client.call("inviteMember", {
      setUp: true,
      as: await this.#actors.logIn(owner, "owner"),
      path: { organizationId },
      body: { email, role: name },
    });
    await this.control.call("acceptInvitation", { body: { organizationId, email } });
    return { ...user, organizationId };
  }

  /** A paused database of the owner's organization. */
  async paused(): Promise<string> {
    return createPausedDatabase(await this.#situationOf(await this.login("owner"), "owner"));
  }

  async #situationOf(login: Login, name: string): Promise<SituationContext> {
    const owner = { organizationId: login.organizationId ?? "", as: await this.#actors.logIn(login, name) };
    const { client, control, run, region } = this;
    return { client, control, owner, run, region };
  }

  async #createOrganization(name: string, user: Login): Promise<string> {
    const as = await this.#actors.logIn(user, name);
    const body = { name: this.run + name.replace(/[^A-Za-z]/g, "") };
    const created = await this.client.call("createOrganization", { setUp: true, as, body });
    return (created.body as { organizationId: string }).organizationId;
  }

  async #makeKey(scope: Scope | "expired"): Promise<string> {
    const { organizationId = "" } = await this.login("owner");
    const expires = scope === "expired";
    const { now } = await this.control.call("getClock");
    const { key } = await this.control.call("createApiKey", {
      body: {
        organizationId,
        name: `${this.run} ${scope}`,
        scopes: [expires ? "*" : scope],
        ...(expires ? { expiresAt: new Date(Date.parse(now) + 1000).toISOString() } : {}),
      },
    });
    if (expires) await this.control.advance("PT2S");
    return key;
  }
}
