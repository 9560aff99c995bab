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
import type { Target } from "./target.js";
import { parseJsonOrUndefined } from "../client/json-text.js";
import { memoize } from "../../openapi/text/memoize.js";

/** Maximum number of concurrent requests, and of retries: if only one request succeeds per attempt, all succeed in the end. */
const concurrency = 16;

/** Time limit for the first response; an emulator responds at once. */
const firstResponseMs = 10_000;

/** Longer than the pause between any two requests of a run, even on a busy machine. */
const idleSeconds = 600;

export interface EmulatorTargetOptions {
  /** URL of the emulator; a namespace in it is ignored. */
  readonly url: string;
  readonly fetch: Fetch;
  /** The run id, which is also the name of the run's namespace. */
  readonly run: string;
  /** Whether responses must also match the strict document of the profile. Defaults to true; if false, only clauses count. */
  readonly strict?: boolean;
  /** Known answers to gaps, as in a target file, if `strict` is false. */
  readonly knownAnswers?: Partial<Profile>;
}

/**
 * Creates a target for an emulator. The run has its own namespace with the profile of the emulator, so that it does not
 * move the clock of other namespaces and leaves nothing behind. The control plane creates users and keys.
 *
 * @throws RunError when no emulator responds at the URL
 */
export async function createEmulatorTarget({
  url,
  fetch,
  run,
  strict = true,
  knownAnswers: known = {},
}: EmulatorTargetOptions): Promise<Target> {
  const origin = url.replace(/\/(ns\/[^/]*\/?)?$/, "");
  const namespace = `certify-${run}`;
  const profile = await readProfile(origin, fetch);
  const baseUrl = `${origin}/ns/${namespace}`;
  return {
    baseUrl,
    // The namespace is different in every run.
    deployment: origin,
    title: `the emulator at ${origin}`,
    fetch,
    // The emulator has no other clients, and its clock advances only when the suite waits.
    politeness: {
      requestsPerSecond: Infinity,
      concurrency,
      retries: profile["rate-limit"] === "none" ? 2 : concurrency,
    },
    // The emulator handles one request at a time. Concurrency only helps if it runs in another process.
    maxConcurrentChecks: fetch === globalThis.fetch ? 3 : 1,
    timeoutMs: 30_000,
    time: createEmulatorTime({ baseUrl, fetch }),
    databaseReadyMs: 10_000,
    region,
    knownAnswers: strict ? profile : known,
    isStrict: strict,
    // The number of requests exceeds every rate limit in a profile.
    observationBounds: { requestsPerSecond: 501 },
    // The control plane can create everything.
    findUnmetReason: () => undefined,
    prepare: async ({ client, ledger, secrets, forgetSessions }) => {
      ledger.recordCreation({ kind: "namespace", name: namespace, parent: origin });
      const control = new ControlPlaneClient(client, forgetSessions);
      // A killed run cannot delete the namespace, so the emulator deletes it when it is idle.
      await control.call("setNamespace", { path: { name: namespace }, body: { idleSeconds } });
      await control.call("setProfile", { body: profile });
      // If the target is prepared a second time, the same users are created again.
      await control.call("resetEmulator");
      return { source: new EmulatorActors(client, control, secrets, run), control };
    },
  };
}

async function readProfile(origin: string, fetch: Fetch): Promise<Profile> {
  const url = `${origin}/_emulator/profile`;
  let text: string;
  let status: number;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(firstResponseMs) });
    status = response.status;
    text = await readBoundedText(response.body ?? []);
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new RunError(`no emulator responds at ${origin}: ${cause}; start one with \`data-service start\``);
  }
  const completed = status === 200 ? completeProfile(parseJsonOrUndefined(text)) : undefined;
  if (completed === undefined || "mistakes" in completed)
    throw new RunError(
      `${origin} is not an emulator of this version: GET ${url} returned status ${status}; ` +
        "leave out --emulator and describe the deployment in a target file",
    );
  return completed.profile;
}

/** Creates the time of an emulator, whose clock advances only when it is moved: waiting moves it. */
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
      // If the emulator does not respond, the suite waits as for any other deployment.
      else await systemTime.sleep(milliseconds);
    },
  };
}

const region = "eu-central-1";

/** The users, organizations and keys of a run; each is created when it is first used. */
class EmulatorActors implements ActorSource {
  readonly #actors: Actors;

  constructor(
    private readonly client: Client,
    private readonly control: ControlPlaneClient,
    secrets: SecretMasker,
    private readonly run: string,
  ) {
    this.#actors = new Actors(client, this, secrets);
  }

  readonly getLogin = memoize((name: LoginName) => this.#createUser(name));
  readonly getKey = memoize((scope: Scope | "expired") => this.#createKey(scope));

  async #createUser(name: LoginName): Promise<Login> {
    // Deployments treat upper-case letters differently.
    const email = `${this.run}-${name.toLowerCase()}@certify.test`;
    const user = { email, password: `certify-password-${name}` };
    await this.control.call("createUser", {
      body: {
        ...user,
        name: `Certify ${name}`,
        emailVerified: name !== "unverified",
        mfaRequired: name === "mfa",
      },
    });
    if (name === "unverified" || name === "mfa") return user;
    if (name === "owner" || name === "outsider") {
      const organizationId = await this.#createOrganization(name, user);
      // This plan has no limits.
      await this.control.call("changeOrganization", {
        path: { organizationId },
        body: { plan: "enterprise" },
      });
      return { ...user, organizationId };
    }
    const owner = await this.getLogin("owner");
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

  async #createOrganization(name: string, user: Login): Promise<string> {
    const as = await this.#actors.logIn(user, name);
    // `compare` replaces this address, but no login, by the billing address on the compared target.
    const billingEmail = `${this.run}-${name}-billing@certify.test`;
    const body = { name: this.run + name.replace(/[^A-Za-z]/g, ""), billingEmail };
    const created = await this.client.call("createOrganization", { setUp: true, as, body });
    return (created.body as { organizationId: string }).organizationId;
  }

  async #createKey(scope: Scope | "expired"): Promise<string> {
    const { organizationId = "" } = await this.getLogin("owner");
    const isExpired = scope === "expired";
    const { now } = await this.control.call("getClock");
    const { key } = await this.control.call("createApiKey", {
      body: {
        organizationId,
        name: `${this.run} ${scope}`,
        scopes: [isExpired ? "*" : scope],
        ...(isExpired ? { expiresAt: new Date(Date.parse(now) + 1000).toISOString() } : {}),
      },
    });
    if (isExpired) await this.control.advance("PT2S");
    return key;
  }
}
