import type { components } from "../../openapi/generated/service-types.js";
import type { Scope } from "../../openapi/schemas/roles.js";
import type { ActorName } from "./requirements.js";
import { type ApiResponse, type Caller, type Client, callerWithUnknownCredential } from "../client/client.js";
import { isSuccess } from "../client/is-success.js";
import { quoteResponse } from "../client/quote-response.js";
import type { SecretMasker } from "../client/secrets.js";
import { startOnce } from "../client/start-once.js";
import { RunError } from "../client/violation.js";

/** A user who can log in. */
export interface Login {
  readonly email: string;
  readonly password: string;
  /** The organization to work in. Defaults to that of a new session. */
  readonly organizationId?: string;
}

/** Names of users who can log in, by role in the run. */
export type LoginName = ActorName | "unverified" | "mfa";

/** Source of users and keys: the control plane of an emulator, or a target file. */
export interface ActorSource {
  /** @throws RunError when there is no such user */
  readonly getLogin: (name: LoginName) => Promise<Login>;
  /** @throws RunError when there is no such key */
  readonly getKey: (scope: Scope | "expired") => Promise<string>;
}

/** The tokens of a user for one organization. */
export type Session = Readonly<components["schemas"]["AuthResponse"]>;

interface ActiveSession {
  readonly session: Session;
  readonly caller: Caller;
  /** When the session is replaced with a new one, in milliseconds. */
  readonly renewAt: number;
}

/** A user in an organization, who has one session at a time. */
interface SessionSlot {
  readonly key: string;
  readonly start: () => Promise<ActiveSession>;
}

/** State shared by all objects for the users of a run. */
interface SharedState {
  /** The current sessions by the keys of their slots. */
  readonly sessions: Map<string, Promise<ActiveSession>>;
  /**
   * The slots of current and earlier sessions, by access token. A session is added only after it has started, because
   * another session may be waiting for it.
   */
  readonly slots: Map<string, SessionSlot>;
  usesKeysForData: boolean;
  /** Whether the key with all scopes gives access to data. */
  acceptsKeyForData: boolean;
  /** The status with which the deployment rejects a bad credential. */
  badCredentialStatus?: Promise<number>;
  /** Number of callers created by {@link Actors.createCaller}. */
  callers: number;
}

/** Tokens last an hour; a session is renewed well before that. */
const sessionMs = 45 * 60_000;

/** Number of sessions that concurrent checks have at the same time for the same user. */
const sessionsOfConcurrentChecks = 8;

/** The users and keys of a run. Users are logged in at first use and again when their session gets old. */
export class Actors {
  constructor(
    private readonly client: Client,
    private readonly source: ActorSource,
    private readonly secrets: SecretMasker,
    private readonly shared: SharedState = {
      sessions: new Map(),
      slots: new Map(),
      usesKeysForData: false,
      acceptsKeyForData: false,
      callers: 0,
    },
    private readonly prefersKey = false,
  ) {}

  /**
   * Returns the same users, but with logins through another client, which records the logins.
   *
   * @param prefersKey whether to work on data with the key with all scopes, if it gives access to data
   */
  withClient(client: Client, prefersKey: boolean): Actors {
    return new Actors(client, this.source, this.secrets, this.shared, prefersKey);
  }

  /** Returns the email, password and organization of a user. */
  getLogin(name: LoginName): Promise<Login> {
    return this.source.getLogin(name);
  }

  /** Returns the session of a user. */
  async getSession(name: LoginName): Promise<Session> {
    return (await this.#getUserSession(name)).session;
  }

  /** Returns a caller with the access token of a user for their organization. */
  async getCaller(name: LoginName): Promise<Caller> {
    return (await this.#getUserSession(name)).caller;
  }

  /**
   * Returns a caller with an access token of a user for an organization, because a token for another organization need
   * not give access. If the user cannot switch to the organization, the caller has the user's current token.
   */
  async getCallerIn(name: LoginName, organizationId: string): Promise<Caller> {
    const start = async () => {
      // A switch may end the session in which it is made, so it is made in a session that nobody else uses.
      const login = { ...(await this.source.getLogin(name)), organizationId };
      return this.#start(login, name).catch((error: unknown) => {
        if (error instanceof CannotSwitchError) return this.#getUserSession(name);
        throw error;
      });
    };
    return (await this.#getFrom({ key: `${name} ${organizationId}`, start })).caller;
  }

  /** Returns a caller with the access token of a session; once the session has ended, the user is logged in again. */
  createCaller(session: Session, login: Login, name: string): Caller {
    const key = `caller ${++this.shared.callers}`;
    const active = this.#toActive(session, name);
    this.shared.sessions.set(key, Promise.resolve(active));
    this.shared.slots.set(session.accessToken, { key, start: () => this.#start(login, name) });
    return active.caller;
  }

  /** Returns a caller with an API key. */
  async getKeyCaller(scope: Scope | "expired"): Promise<Caller> {
    const credential = this.secrets.add("API key", scope, await this.source.getKey(scope));
    return { name: `key ${scope}`, credential };
  }

  /** Returns the caller who works on data for the run: the owner, or a key with all rights to this kind of data. */
  async getDataCaller(kind: "database" | "repository"): Promise<Caller> {
    if (this.prefersKey && this.shared.acceptsKeyForData) return this.getKeyCaller("*");
    if (!this.shared.usesKeysForData) return this.getCaller("owner");
    return this.getDataKeyCaller(kind);
  }

  /** Returns a caller with a key that has all rights to a kind of data. */
  getDataKeyCaller(kind: "database" | "repository"): Promise<Caller> {
    return this.getKeyCaller("*").catch(() => this.getKeyCaller(`${kind}:*`));
  }

  /** Notes that access tokens give no access to items and entities, so that keys are needed. */
  useKeysForData(): void {
    this.shared.usesKeysForData = true;
  }

  /** Notes that the key with all scopes gives access to data. */
  acceptKeyForData(): void {
    this.shared.acceptsKeyForData = true;
  }

  /** Whether access tokens give access to items and entities, as far as known. */
  get canUseTokensForData(): boolean {
    return !this.shared.usesKeysForData;
  }

  /** Returns the organization of a user's token. */
  async getOrganizationId(name: LoginName): Promise<string> {
    const { organizationId } = await this.source.getLogin(name);
    return organizationId ?? (await this.getSession(name)).personalOrgId;
  }

  /** Whether the logins of concurrent checks would end the owner's earlier sessions, because their number is limited. */
  async isLimitedToFewSessions(): Promise<boolean> {
    const login = await this.source.getLogin("owner");
    const { accessToken } = await this.startSession(login, "owner");
    for (let sessions = 2; sessions < sessionsOfConcurrentChecks; sessions++)
      await this.startSession(login, "owner");
    this.forgetSessions();
    await this.getCaller("owner");
    return !(await this.#isAlive({ name: "owner", credential: accessToken }));
  }

  /** Logs a user in, in addition to the current sessions. */
  async startSession(login: Login, name: string): Promise<Session> {
    const { organizationId } = login;
    let session = await this.#sendLogin(login, name);
    if (organizationId === undefined) return session;
    const switchSession = () => {
      const as = { name, credential: session.accessToken };
      return this.client.call("switchOrganization", { setUp: true, as, body: { organizationId } });
    };
    let switched = await switchSession();
    // If the number of sessions is limited, a session may end before it is used.
    if (!isSuccess(switched) && switched.status === (await this.#getBadCredentialStatus())) {
      session = await this.#sendLogin(login, name);
      switched = await switchSession();
    }
    // A deployment may refuse to switch to the organization that the token is already for.
    if (!isSuccess(switched) && organizationId === session.personalOrgId) return session;
    if (!isSuccess(switched))
      throw new CannotSwitchError(
        `${name} cannot switch to organization ${organizationId}: ${describeResponse(switched)}`,
      );
    return this.registerTokens(switched.body as Session, name);
  }

  /** Logs a user in like {@link startSession}, and returns a caller with the access token. */
  async logIn(login: Login, name: string): Promise<Caller> {
    return (await this.#start(login, name)).caller;
  }

  /** Registers the tokens of a session as secrets. @throws RunError when the session has no access token */
  registerTokens(session: Session, name: string): Session {
    // The response may not have been validated.
    if (typeof (session as Partial<Session>).accessToken !== "string")
      throw new RunError(`logging in as ${name} returned no access token`);
    this.secrets.add("access token", name, session.accessToken);
    this.secrets.add("refresh token", name, session.refreshToken);
    return session;
  }

  /** Forgets the sessions after the clock was moved or a role was changed. */
  forgetSessions(): void {
    this.shared.sessions.clear();
    this.shared.slots.clear();
  }

  /**
   * Logs a user in again if their session has ended, that is, if the refusal is the same as for a bad credential and the
   * credential is also refused by an operation that every user may call.
   *
   * @returns the caller with a new credential, or `undefined` if the refusal has another reason
   */
  async renew(as: Caller, refusal: ApiResponse): Promise<Caller | undefined> {
    const { sessions, slots } = this.shared;
    const slot = slots.get(as.credential ?? "");
    if (slot === undefined || refusal.status !== (await this.#getBadCredentialStatus())) return undefined;
    // A concurrent request may have renewed the session already.
    const current = sessions.get(slot.key);
    if ((await current)?.caller.credential === as.credential) {
      if (await this.#isAlive(as)) return undefined;
      if (sessions.get(slot.key) === current) sessions.delete(slot.key);
    }
    // If the user no longer belongs to the organization, the refusal was right.
    const renewed = await this.#getFrom(slot).catch((error: unknown) => {
      if (error instanceof CannotSwitchError) return undefined;
      throw error;
    });
    return renewed?.caller;
  }

  async #sendLogin({ email, password }: Login, name: string): Promise<Session> {
    this.secrets.add("password", name, password);
    const response = await this.client.call("login", { setUp: true, body: { email, password } });
    const { authResponse: session } = (response.body ?? {}) as { authResponse?: Session | null };
    if (response.status !== 200 || session === null || session === undefined)
      throw new RunError(`${name} (${email}) cannot log in: ${describeResponse(response)}`);
    return this.registerTokens(session, name);
  }

  /** Whether a credential is accepted by an operation that every user may call. */
  async #isAlive(as: Caller): Promise<boolean> {
    const call = { setUp: true, as, skipRenewal: true, skipValidation: true } as const;
    return (await this.client.call("listOrganizations", call)).status === 200;
  }

  #getBadCredentialStatus(): Promise<number> {
    return startOnce(this.shared, "badCredentialStatus", async () => {
      const response = await this.client.call("listOrganizations", {
        setUp: true,
        as: callerWithUnknownCredential,
        skipRenewal: true,
        skipValidation: true,
        intent: "invalid",
      });
      return response.status;
    });
  }

  #getUserSession(name: LoginName): Promise<ActiveSession> {
    return this.#getFrom({
      key: name,
      start: async () => this.#start(await this.source.getLogin(name), name),
    });
  }

  /** Returns the current session of a slot; starts a new session if there is none or it is too old. */
  async #getFrom(slot: SessionSlot): Promise<ActiveSession> {
    const { sessions, slots } = this.shared;
    const { key, start } = slot;
    const current = sessions.get(key);
    if (current !== undefined && (await current).renewAt > this.client.time.now()) return current;
    const fresh = start().then((started) => {
      const credential = started.caller.credential ?? "";
      // A user who cannot switch to an organization uses the session of another slot, which keeps the session.
      if (sessions.get(key) === fresh && !slots.has(credential)) slots.set(credential, slot);
      return started;
    });
    sessions.set(key, fresh);
    fresh.catch(() => sessions.delete(key));
    return fresh;
  }

  async #start(login: Login, name: string): Promise<ActiveSession> {
    return this.#toActive(await this.startSession(login, name), name);
  }

  #toActive(session: Session, name: string): ActiveSession {
    const renewAt = this.client.time.now() + sessionMs;
    return { session, caller: { name, credential: session.accessToken }, renewAt };
  }
}

/** A user cannot switch to an organization. */
class CannotSwitchError extends RunError {}

function describeResponse(response: ApiResponse): string {
  const reported = (response.body as { status?: unknown } | undefined)?.status;
  return response.status === 200 ? `status ${String(reported)}` : quoteResponse(response);
}
