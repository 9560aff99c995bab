import type { components } from "../../openapi/generated/service-types.js";
import type { Scope } from "../../openapi/schemas/roles.js";
import type { ActorName } from "./needs.js";
import type { Situation } from "./situations.js";
import { type Answer, type Caller, type Client, impostor } from "../client/client.js";
import { isSuccess } from "../client/is-success.js";
import type { Secrets } from "../client/secrets.js";
import { RunTrouble } from "../client/violation.js";

/** A user who can log in. */
export interface Login {
  readonly email: string;
  readonly password: string;
  /** The organization to work in; that of a fresh session when it is left out. */
  readonly organizationId?: string;
}

/** Users who can log in, by what they are in a run. */
export type LoginName = ActorName | "unverified" | "mfa" | Situation;

/** Where users and keys come from: made by the control plane, or named in a target file. */
export interface ActorSource {
  /** @throws RunTrouble when there is no such user */
  readonly login: (name: LoginName) => Promise<Login>;
  /** @throws RunTrouble when there is no such key */
  readonly key: (scope: Scope | "expired") => Promise<string>;
}

/** The tokens of a user for one organization. */
export type Session = Readonly<components["schemas"]["AuthResponse"]>;

interface Known {
  readonly session: Session;
  readonly caller: Caller;
  readonly until: number;
}

/** Whose session it is, and for which organization where it is not the one that the user works in. */
interface Place {
  readonly name: LoginName;
  readonly organizationId?: string;
}

/** What all who work with the users of a run have in common. */
interface Shared {
  readonly known: Map<LoginName, Promise<Known>>;
  /** Sessions for other organizations, by user and organization. */
  readonly elsewhere: Map<string, Promise<Known>>;
  /**
   * Credentials of the sessions that are kept. Only of those that have begun: who looks for theirs may be part of what
   * another waits for.
   */
  readonly places: Map<string, Place>;
  /** Credentials of sessions that have ended before their time. */
  readonly former: Map<string, Place>;
  usesKeys: boolean;
  /** The status that a bad credential is answered with. */
  badCredential?: Promise<number>;
}

/** Tokens last an hour; a session is begun anew well before that. */
const sessionMs = 45 * 60_000;

/** The users and keys of a run. Users are logged in at first use, and again when their session grows old. */
export class Actors {
  readonly #client: Client;
  readonly #source: ActorSource;
  readonly #secrets: Secrets;
  readonly #shared: Shared;

  constructor(client: Client, source: ActorSource, secrets: Secrets, shared?: Shared) {
    this.#client = client;
    this.#source = source;
    this.#secrets = secrets;
    this.#shared = shared ?? {
      known: new Map(),
      elsewhere: new Map(),
      places: new Map(),
      former: new Map(),
      usesKeys: false,
    };
  }

  /** The same users, whose logins are kept with the exchanges of another client. */
  calling(client: Client): Actors {
    return new Actors(client, this.#source, this.#secrets, this.#shared);
  }

  /** Email, password and organization of a user. */
  login(name: LoginName): Promise<Login> {
    return this.#source.login(name);
  }

  /** The caller who bears a user's access token for their organization. */
  async session(name: LoginName): Promise<Caller> {
    return (await this.#current(name)).caller;
  }

  /**
   * The caller who bears a user's access token for an organization: one for another organization need not open it. Where
   * it cannot be switched to, the token that the user has.
   */
  async sessionIn(name: LoginName, organizationId: string): Promise<Caller> {
    const { elsewhere } = this.#shared;
    const begin = () => this.#switched(name, organizationId);
    const place = { name, organizationId };
    return (await this.#kept(elsewhere, `${name} ${organizationId}`, place, begin)).caller;
  }

  async #switched(name: LoginName, organizationId: string): Promise<Known> {
    const current = await this.#current(name);
    const answer = await this.#switch(current.caller, organizationId);
    if (!isSuccess(answer)) return current;
    return this.#known(this.keep(answer.body as Session, name), name);
  }

  /** Says that access tokens do not open items and entities here, so that keys have to. */
  useKeys(): void {
    this.#shared.usesKeys = true;
  }

  /** Whether access tokens open items and entities, as far as it is known by now. */
  get tokensOpenData(): boolean {
    return !this.#shared.usesKeys;
  }

  /** Who works on data on behalf of the run: the owner, or a key that grants everything of the kind. */
  async worker(kind: "database" | "repository"): Promise<Caller> {
    if (!this.#shared.usesKeys) return this.session("owner");
    return this.key("*").catch(() => this.key(`${kind}:*`));
  }

  /** The whole session of a user. */
  async details(name: LoginName): Promise<Session> {
    return (await this.#current(name)).session;
  }

  /** The organization that a user's token is for. */
  async organizationOf(name: LoginName): Promise<string> {
    const { organizationId } = await this.#source.login(name);
    return organizationId ?? (await this.#current(name)).session.personalOrgId;
  }

  /** The caller who bears an API key. */
  async key(scope: Scope | "expired"): Promise<Caller> {
    const credential = this.#secrets.add(`KEY ${scope.replace("*", "ALL")}`, await this.#source.key(scope));
    return { name: `key ${scope}`, credential };
  }

  /** Logs somebody in, beside the sessions kept here. */
  async begin(login: Login, name: string): Promise<Session> {
    const { organizationId } = login;
    let session = await this.#loggedIn(login, name);
    if (organizationId === undefined) return session;
    let switched = await this.#switch({ name, credential: session.accessToken }, organizationId);
    // where a user has few sessions, one may end before it is used
    if (!isSuccess(switched) && switched.status === (await this.#badCredentialStatus())) {
      session = await this.#loggedIn(login, name);
      switched = await this.#switch({ name, credential: session.accessToken }, organizationId);
    }
    if (!isSuccess(switched))
      throw new RunTrouble(`${name} cannot switch to organization ${organizationId}: ${seen(switched)}`);
    return this.keep(switched.body as Session, name);
  }

  async #loggedIn({ email, password }: Login, name: string): Promise<Session> {
    this.#secrets.add(`${name} PASSWORD`, password);
    const answer = await this.#client.call("login", { setUp: true, body: { email, password } });
    const { authResponse: session } = (answer.body ?? {}) as { authResponse?: Session | null };
    if (answer.status !== 200 || session === null || session === undefined)
      throw new RunTrouble(`${name} (${email}) cannot log in: ${seen(answer)}`);
    return this.keep(session, name);
  }

  #switch(as: Caller, organizationId: string): Promise<Answer> {
    return this.#client.call("switchOrganization", { setUp: true, as, body: { organizationId } });
  }

  /**
   * Logs a user in again whose session has ended: the refusal is what a bad credential gets, and the credential is
   * refused where any user is let in.
   *
   * @returns the caller with a new credential; nothing where the refusal is about something else
   */
  async renew(as: Caller, refusal: Answer): Promise<Caller | undefined> {
    const { known, elsewhere, places, former } = this.#shared;
    const again = former.get(as.credential ?? "");
    if (again !== undefined) return this.#sessionAt(again);
    const place = places.get(as.credential ?? "");
    if (place === undefined || refusal.status !== (await this.#badCredentialStatus())) return undefined;
    const look = await this.#client.call("listOrganizations", {
      setUp: true,
      as,
      asIs: true,
      unjudged: true,
    });
    if (look.status === 200) return undefined;
    // requests side by side find out once
    if (!former.has(as.credential ?? "")) {
      if (place.organizationId === undefined) known.delete(place.name);
      else elsewhere.delete(`${place.name} ${place.organizationId}`);
    }
    places.delete(as.credential ?? "");
    former.set(as.credential ?? "", place);
    return this.#sessionAt(place);
  }

  #sessionAt({ name, organizationId }: Place): Promise<Caller> {
    return organizationId === undefined ? this.session(name) : this.sessionIn(name, organizationId);
  }

  async #badCredentialStatus(): Promise<number> {
    this.#shared.badCredential ??= this.#client
      .call("listOrganizations", { setUp: true, as: impostor, asIs: true, unjudged: true, intent: "invalid" })
      .then(({ status }) => status);
    return this.#shared.badCredential;
  }

  /** Forgets the sessions, after the clock has moved or a role has changed. */
  forget(): void {
    this.#shared.known.clear();
    this.#shared.elsewhere.clear();
    this.#shared.places.clear();
  }

  /** Registers the tokens of a session as secrets. */
  keep(session: Session, name: string): Session {
    // who does not hold answers against the contract learns it here
    if (typeof (session as Partial<Session>).accessToken !== "string")
      throw new RunTrouble(`${name} was given no access token`);
    this.#secrets.add(`${name} TOKEN`, session.accessToken);
    this.#secrets.add(`${name} REFRESH TOKEN`, session.refreshToken);
    return session;
  }

  #current(name: LoginName): Promise<Known> {
    return this.#kept(this.#shared.known, name, { name }, async () =>
      this.#known(await this.begin(await this.#source.login(name), name), name),
    );
  }

  /** The session kept under a key, or one begun now where there is none or its time is over. */
  async #kept<Key>(
    sessions: Map<Key, Promise<Known>>,
    key: Key,
    place: Place,
    begin: () => Promise<Known>,
  ): Promise<Known> {
    const { places } = this.#shared;
    const known = sessions.get(key);
    if (known !== undefined && (await known).until > this.#client.time.now()) return known;
    const fresh = begin().then((begun) => {
      const credential = begun.caller.credential ?? "";
      // the one that a user works with serves for an organization that they cannot switch to
      if (sessions.get(key) === fresh && !places.has(credential)) places.set(credential, place);
      return begun;
    });
    sessions.set(key, fresh);
    fresh.catch(() => sessions.delete(key));
    return fresh;
  }

  #known(session: Session, name: LoginName): Known {
    const until = this.#client.time.now() + sessionMs;
    return { session, caller: { name, credential: session.accessToken }, until };
  }
}

function seen({ status, body, text }: Answer): string {
  const given = (body as { status?: unknown } | undefined)?.status;
  return status === 200 ? `status ${String(given)}` : `${status} ${text.slice(0, 200)}`;
}
