import type { components } from "../../openapi/generated/service-types.js";
import type { Scope } from "../../openapi/schemas/roles.js";
import type { ActorName } from "./needs.js";
import type { Situation } from "./situations.js";
import { type ApiResponse, type Caller, type Client, callerWithUnknownCredential } from "../client/client.js";
import { isSuccess } from "../client/is-success.js";
import type { SecretMasker } from "../client/secrets.js";
import { RunError } from "../client/violation.js";

/** A user who can log in. */
export interface Login {
  readonly email: string;
  readonly password: string;
  /** The organization to work in. Defaults to that of a new session. */
  readonly organizationId?: string;
}

/** Names of users who can log in, by role in the run. */
export type LoginName = ActorName | "unverified" | "mfa" | Situation;

/** Source of users and keys: the control plane of an emulator, or a target file. */
export interface ActorSource {
  /** @throws RunError when there is no such user */
  readonly login: (name: LoginName) => Promise<Login>;
  /** @throws RunError when there is no such key */
  readonly key: (scope: Scope | "expired") => Promise<string>;
}

/** The tokens of a user for one organization. */
export type Session = Readonly<components["schemas"]["AuthResponse"]>;

interface Known {
  readonly session: Session;
  readonly caller: Caller;
  readonly until: number;
}

/** A kept session and how to renew it. */
interface Place {
  /** The user and organization of the session. */
  readonly key: string;
  readonly begin: () => Promise<Known>;
}

/** State shared by everything that works with the users of a run. */
interface Shared {
  /** The sessions that are kept, by the keys of their places. */
  readonly known: Map<string, Promise<Known>>;
  /**
   * Places by credential, for sessions that are kept now or were kept before. A session is added only after it has begun,
   * because another session may be waiting for it.
   */
  readonly places: Map<string, Place>;
  usesKeys: boolean;
  /** The status with which the deployment answers a bad credential. */
  badCredential?: Promise<number>;
  /** Number of callers created by {@link Actors.bearing}. */
  callers: number;
}

/** Tokens last an hour; a session is renewed well before that. */
const sessionMs = 45 * 60_000;

/** The users and keys of a run. Users are logged in at first use and again when their session gets old. */
export class Actors {
  constructor(
    private readonly client: Client,
    private readonly source: ActorSource,
    private readonly secrets: SecretMasker,
    private readonly shared: Shared = { known: new Map(), places: new Map(), usesKeys: false, callers: 0 },
  ) {}

  /** Returns the same users, but with logins through another client, which records the logins. */
  calling(client: Client): Actors {
    return new Actors(client, this.source, this.secrets, this.shared);
  }

  /** Returns the email, password and organization of a user. */
  login(name: LoginName): Promise<Login> {
    return this.source.login(name);
  }

  /** Returns a caller with the access token of a user for their organization. */
  async session(name: LoginName): Promise<Caller> {
    return (await this.#current(name)).caller;
  }

  /**
   * Returns a caller with an access token of a user for an organization, because a token for another organization need
   * not give access. If the user cannot switch to the organization, the caller has the user's current token.
   */
  async sessionIn(name: LoginName, organizationId: string): Promise<Caller> {
    const begin = async () => {
      // a switch may end the session that it is made in: it is not made in the one that others use
      const login = { ...(await this.source.login(name)), organizationId };
      return this.begin(login, name).then(
        (session) => this.#known(session, name),
        (error: unknown) => {
          if (error instanceof CannotSwitch) return this.#current(name);
          throw error;
        },
      );
    };
    return (await this.#kept({ key: `${name} ${organizationId}`, begin })).caller;
  }

  /** Returns a caller with the access token of a session; once the session has ended, the user is logged in again. */
  bearing(session: Session, login: Login, name: string): Caller {
    const key = `caller ${++this.shared.callers}`;
    const begin = async () => this.#known(await this.begin(login, name), name);
    const known = this.#known(session, name);
    this.shared.known.set(key, Promise.resolve(known));
    this.shared.places.set(session.accessToken, { key, begin });
    return known.caller;
  }

  /** Whether a login of the owner ends the owner's earlier sessions. */
  async haveOneSession(): Promise<boolean> {
    const { accessToken } = await this.begin(await this.source.login("owner"), "owner");
    this.forget();
    await this.session("owner");
    return !(await this.#isAlive({ name: "owner", credential: accessToken }));
  }

  /** Notes that access tokens give no access to items and entities, so that keys are needed. */
  useKeys(): void {
    this.shared.usesKeys = true;
  }

  /** Whether access tokens give access to items and entities, as far as known. */
  get tokensOpenData(): boolean {
    return !this.shared.usesKeys;
  }

  /** Returns the caller who works on data for the run: the owner, or a key with all rights to this kind of data. */
  async worker(kind: "database" | "repository"): Promise<Caller> {
    if (!this.shared.usesKeys) return this.session("owner");
    return this.key("*").catch(() => this.key(`${kind}:*`));
  }

  /** Returns the session of a user. */
  async details(name: LoginName): Promise<Session> {
    return (await this.#current(name)).session;
  }

  /** Returns the organization of a user's token. */
  async organizationOf(name: LoginName): Promise<string> {
    const { organizationId } = await this.source.login(name);
    return organizationId ?? (await this.#current(name)).session.personalOrgId;
  }

  /** Returns a caller with an API key. */
  async key(scope: Scope | "expired"): Promise<Caller> {
    const credential = this.secrets.add("API key", scope, await this.source.key(scope));
    return { name: `key ${scope}`, credential };
  }

  /** Logs a user in, in addition to the kept sessions. */
  async begin(login: Login, name: string): Promise<Session> {
    const { organizationId } = login;
    let session = await this.#loggedIn(login, name);
    if (organizationId === undefined) return session;
    let switched = await this.#switch({ name, credential: session.accessToken }, organizationId);
    // if the number of sessions is limited, one may end before it is used
    if (!isSuccess(switched) && switched.status === (await this.#badCredentialStatus())) {
      session = await this.#loggedIn(login, name);
      switched = await this.#switch({ name, credential: session.accessToken }, organizationId);
    }
    if (!isSuccess(switched))
      throw new CannotSwitch(
        `${name} cannot switch to organization ${organizationId}: ${describeAnswer(switched)}`,
      );
    return this.keep(switched.body as Session, name);
  }

  /** Logs a user in like {@link begin}, and returns a caller with the access token. */
  async logIn(login: Login, name: string): Promise<Caller> {
    return this.#known(await this.begin(login, name), name).caller;
  }

  async #loggedIn({ email, password }: Login, name: string): Promise<Session> {
    this.secrets.add("password", name, password);
    const answer = await this.client.call("login", { setUp: true, body: { email, password } });
    const { authResponse: session } = (answer.body ?? {}) as { authResponse?: Session | null };
    if (answer.status !== 200 || session === null || session === undefined)
      throw new RunError(`${name} (${email}) cannot log in: ${describeAnswer(answer)}`);
    return this.keep(session, name);
  }

  #switch(as: Caller, organizationId: string): Promise<ApiResponse> {
    return this.client.call("switchOrganization", { setUp: true, as, body: { organizationId } });
  }

  /**
   * Logs a user in again if their session has ended, that is, if the refusal is the same as for a bad credential and the
   * credential is also refused by an operation that every user may call.
   *
   * @returns the caller with a new credential, or `undefined` if the refusal has another reason
   */
  async renew(as: Caller, refusal: ApiResponse): Promise<Caller | undefined> {
    const { known, places } = this.shared;
    const place = places.get(as.credential ?? "");
    if (place === undefined || refusal.status !== (await this.#badCredentialStatus())) return undefined;
    const isLast = async (session: Promise<Known> | undefined) =>
      (await session)?.caller.credential === as.credential;
    // requests side by side find out once
    const last = known.get(place.key);
    if (await isLast(last)) {
      if (await this.#isAlive(as)) return undefined;
      if (known.get(place.key) === last) known.delete(place.key);
    }
    // who is let in no more was refused rightly
    const renewed = await this.#kept(place).catch((error: unknown) => {
      if (error instanceof CannotSwitch) return undefined;
      throw error;
    });
    return renewed?.caller;
  }

  /** Whether a credential is accepted by an operation that every user may call. */
  async #isAlive(as: Caller): Promise<boolean> {
    const look = { setUp: true, as, asIs: true, unjudged: true } as const;
    return (await this.client.call("listOrganizations", look)).status === 200;
  }

  async #badCredentialStatus(): Promise<number> {
    this.shared.badCredential ??= this.client
      .call("listOrganizations", {
        setUp: true,
        as: callerWithUnknownCredential,
        asIs: true,
        unjudged: true,
        intent: "invalid",
      })
      .then(({ status }) => status);
    return this.shared.badCredential;
  }

  /** Forgets the sessions after the clock was moved or a role was changed. */
  forget(): void {
    this.shared.known.clear();
    this.shared.places.clear();
  }

  /** Registers the tokens of a session as secrets. */
  keep(session: Session, name: string): Session {
    // who does not hold answers against the contract learns it here
    if (typeof (session as Partial<Session>).accessToken !== "string")
      throw new RunError(`the login of ${name} returned no access token`);
    this.secrets.add("access token", name, session.accessToken);
    this.secrets.add("refresh token", name, session.refreshToken);
    return session;
  }

  #current(name: LoginName): Promise<Known> {
    const begin = async () => this.#known(await this.begin(await this.source.login(name), name), name);
    return this.#kept({ key: name, begin });
  }

  /** Returns the session kept at a place; begins a new session if there is none or it is too old. */
  async #kept(place: Place): Promise<Known> {
    const { known, places } = this.shared;
    const { key, begin } = place;
    const last = known.get(key);
    if (last !== undefined && (await last).until > this.client.time.now()) return last;
    const fresh = begin().then((begun) => {
      const credential = begun.caller.credential ?? "";
      // the one that a user works with serves for an organization that they cannot switch to
      if (known.get(key) === fresh && !places.has(credential)) places.set(credential, place);
      return begun;
    });
    known.set(key, fresh);
    fresh.catch(() => known.delete(key));
    return fresh;
  }

  #known(session: Session, name: string): Known {
    const until = this.client.time.now() + sessionMs;
    return { session, caller: { name, credential: session.accessToken }, until };
  }
}

/** A user cannot switch to an organization. */
class CannotSwitch extends RunError {}

function describeAnswer({ status, body, text }: ApiResponse): string {
  const given = (body as { status?: unknown } | undefined)?.status;
  return status === 200 ? `status ${String(given)}` : `${status} ${text.slice(0, 200)}`;
}
