import { isClientError } from "../client/is-client-error.js";
import { isSuccess } from "../client/is-success.js";
import type { operations } from "../../openapi/generated/service-types.js";
import type { OperationDefinition } from "../../openapi/operations/operation.js";
import { type OperationId, serviceApi } from "../../openapi/operations/register.js";
import type { ApiResponse, CallOptions, Caller, Client } from "../client/client.js";
import { type Role, roles } from "../../openapi/schemas/roles.js";
import type { Requirement } from "../target/needs.js";
import { getCreatedResource, idFields } from "./get-created-resource.js";
import { parsePlanList } from "../models/plan-list.js";
import { Locks } from "./locks.js";
import { createNameGenerator } from "./create-name-generator.js";
import type { Actors } from "../target/actors.js";
import { isSituation } from "../target/situations.js";
import { defaultInvitationDomain } from "../target/target-file.js";
import type { ControlPlaneClient } from "../target/control-plane-client.js";
import type { Target } from "../target/target.js";
import { NotOfferedError, RunError } from "../client/violation.js";
import type { LedgerEntry, Ledger, Resource, ResourceKind } from "../target/ledger.js";
import { type ListedMember, listPossibleMemberIds } from "./member-ids.js";
import { removeResource } from "./remove.js";
import { type LeftBehind, removeAllResources } from "./remove-all.js";

/** Fields of a new repository. */
export type NewRepository = Omit<
  operations["createRepository"]["requestBody"]["content"]["application/json"],
  "name" | "entityName"
>;

export interface ResourceOptions extends Pick<
  Target,
  "databaseId" | "invitationDomain" | "known" | "databaseReadyMs"
> {
  readonly client: Client;
  readonly actors: Actors;
  readonly ledger: Ledger;
  readonly region: string;
  /** The control plane, if time can be moved. */
  readonly control: ControlPlaneClient | undefined;
}

/** State shared by everything in a run. */
interface Shared {
  database?: Promise<string> | undefined;
  repository?: Promise<string> | undefined;
  tokensTried?: Promise<void>;
  /** Why invitations are impossible; false once an invitation has succeeded. */
  uninvited?: string | false;
  /** Whether invitations can be revoked. */
  wayBack?: Promise<boolean | undefined>;
  /** Whether a repository did not become Active in time. */
  lacksActive?: boolean;
  /** Ids of the resources that all checks share. */
  readonly lasting: Set<string>;
  /** Organizations that the owner has created in this run. */
  readonly organizations: Set<string>;
  /** Created resources that cannot be removed. */
  readonly forGood: LeftBehind[];
  readonly createName: (ending?: string) => string;
  readonly locks: Locks;
}

/** Statuses that a new database does not leave by itself; other statuses may occur between Creating and Active. */
const endings: readonly string[] = ["Inactive", "Deleting", "Error"];

/** What to do about pending members that no id works for. */
export const howToDeclareNoId =
  "if none does by design, set `pending-member-id` to `none` in the profile of the target file";

/**
 * Creates resources for checks. Each has the run id in its name, is in the ledger before it is created, and is removed at
 * the end.
 */
export class Resources {
  readonly #options: ResourceOptions;
  readonly #shared: Shared;
  /** Numbers of the ledger entries created through this object. */
  readonly #own = new Set<number>();

  constructor(
    options: ResourceOptions,
    shared: Shared = {
      lasting: new Set(),
      organizations: new Set(),
      forGood: [],
      createName: createNameGenerator(options.ledger.run),
      locks: new Locks(),
    },
  ) {
    this.#options = options;
    this.#shared = shared;
  }

  /** Returns an object with the same shared resources for another user of this class, which removes its own resources. */
  for(client: Client, actors: Actors): Resources {
    return new Resources({ ...this.#options, client, actors }, this.#shared);
  }

  /** Does work while no other work with the same needs runs. */
  holding<Result>(needs: readonly Requirement[], work: () => Promise<Result>): Promise<Result> {
    return this.#shared.locks.holding(needs, work);
  }

  /** The region in which databases are created. */
  get region(): string {
    return this.#options.region;
  }

  /** The run id, which is part of every name that the run creates; lower-case letters and digits. */
  get run(): string {
    return this.#options.ledger.run;
  }

  /** Returns a unique name with the given ending; without one, the name is valid for every kind of resource. */
  name(ending = ""): string {
    return this.#shared.createName(ending);
  }

  /** Returns a made-up address to invite. */
  inviteAddress(): string {
    return `${this.name()}@${this.#options.invitationDomain ?? defaultInvitationDomain}`;
  }

  /** Returns a unique name of letters only, for unquoted tables, repositories and organizations; other characters may be refused. */
  letters(): string {
    return this.name().replaceAll("-", "");
  }

  /** Returns the database that all checks share, ready for use; each check has its own keys. */
  database(): Promise<string> {
    return this.#lasting("database", async () => {
      const { databaseId, ledger } = this.#options;
      if (databaseId === undefined) return (await this.newDatabase()).databaseId;
      // in a database that is not ours only what carries the run id is ours
      ledger.making({ kind: "items", name: this.run, parent: databaseId });
      return databaseId;
    });
  }

  /** Returns a repository without schema in the shared database. */
  repository(): Promise<string> {
    return this.#lasting("repository", async () => this.newRepository(await this.database()));
  }

  /** Creates a resource once for all checks; tries again after a failure. */
  #lasting(kind: "database" | "repository", make: () => Promise<string>): Promise<string> {
    const shared = this.#shared;
    shared[kind] ??= make().then(
      (id) => {
        shared.lasting.add(id);
        return id;
      },
      (error: unknown) => {
        shared[kind] = undefined;
        throw error;
      },
    );
    return shared[kind];
  }

  /** Creates a database and waits until it is ready. */
  async newDatabase(call: CallOptions = {}): Promise<{ readonly databaseId: string; readonly name: string }> {
    const name = this.name();
    const answer = await this.#prepare("createDatabase", { ...call, body: { name, region: this.region } });
    const { databaseId } = created(answer, "a database") as { databaseId: string };
    await this.untilReady(databaseId, call);
    return { databaseId, name };
  }

  /** Waits until a database is ready; until then, it may have any status that is not final. */
  async untilReady(databaseId: string, call: CallOptions = {}): Promise<void> {
    const isOver = (answer: ApiResponse) =>
      answer.status !== 200 || ["Active", ...endings].includes(statusOf(answer));
    const answer = await this.#awaitDatabase(databaseId, call, isOver);
    if (!isOver(answer)) throw this.#isStill(databaseId, answer);
    if (answer.status !== 200 || statusOf(answer) !== "Active")
      throw new RunError(`database ${databaseId} did not become ready: ${formatAnswer(answer)}`);
  }

  /**
   * Waits until a deleted database is gone: for a while it may be shown as Deleting, and hold a place under the ceiling.
   *
   * @returns what getting it was answered with last
   */
  untilGone(databaseId: string, call: CallOptions = {}): Promise<ApiResponse> {
    return this.#awaitDatabase(databaseId, call, (answer) => !isDeleting(answer));
  }

  /**
   * {@link untilGone} for who has to know what comes after.
   *
   * @throws RunError when it is on its way out still: for how long it may be is not said
   */
  async afterDeletion(databaseId: string, call: CallOptions = {}): Promise<ApiResponse> {
    const answer = await this.untilGone(databaseId, call);
    if (isDeleting(answer)) throw this.#isStill(databaseId, answer);
    return answer;
  }

  /** Reads a database until it is in the expected state or the time limit is reached; returns the last answer. */
  async #awaitDatabase(
    databaseId: string,
    call: CallOptions,
    isOver: (answer: ApiResponse) => boolean,
  ): Promise<ApiResponse> {
    const { client, control, databaseReadyMs } = this.#options;
    const until = client.time.now() + databaseReadyMs;
    for (let pause = 20; ; pause = Math.min(pause * 2, 2000)) {
      const answer = await this.#prepare("getDatabase", { ...call, path: { databaseId } });
      if (isOver(answer) || client.time.now() > until) return answer;
      // the clock of an emulator does not move by waiting; one that is set forth too far ends sessions
      if (pause > 20 && control !== undefined) await control.advance(pause > 100 ? "PT1M" : "PT5S");
      else await client.time.sleep(pause);
    }
  }

  #isStill(databaseId: string, answer: ApiResponse): RunError {
    return new RunError(
      `database ${databaseId} is still ${statusOf(answer)} after ${this.#options.databaseReadyMs} ms; ` +
        "raise `timeouts.databaseReadyMs` in the target file",
    );
  }

  /** Creates a repository in a database, with or without a schema. */
  async newRepository(databaseId: string, rest: NewRepository = {}, call: CallOptions = {}): Promise<string> {
    const { answer, repositoryId } = await this.tryRepository(databaseId, rest, call);
    created(answer, "a repository");
    return repositoryId ?? "";
  }

  /** Tries to create a repository, which may be refused, e.g. because of the names of its fields. */
  async tryRepository(
    databaseId: string,
    { name = this.letters(), ...rest }: NewRepository & { name?: string; entityName?: string } = {},
    call: CallOptions = {},
  ): Promise<{ readonly answer: ApiResponse; readonly repositoryId?: string }> {
    const body = { name, entityName: `E${name}`, ...rest };
    const answer = await this.#prepare("createRepository", { ...call, path: { databaseId }, body });
    if (!isSuccess(answer)) return { answer };
    const { repositoryId } = answer.body as { repositoryId: string };
    await this.untilRepositoryReady({ databaseId, repositoryId }, call);
    return { answer, repositoryId };
  }

  /**
   * Waits until a repository is Active and accepts requests, because both may take time. Other statuses are not shown, so
   * one that stays is taken for ready, and so are those after it.
   */
  async untilRepositoryReady(
    path: { readonly databaseId: string; readonly repositoryId: string },
    call: CallOptions = {},
  ): Promise<void> {
    const { time } = this.#options.client;
    const until = time.now() + this.#options.databaseReadyMs;
    for (let pause = 20; !this.#shared.lacksActive; pause = Math.min(pause * 2, 2000)) {
      const how = { ...call, path, intent: "invalid" } as const;
      const got = await this.#prepare("getRepository", how);
      const list = await this.#prepare("listEntities", how);
      const { status } = (got.body ?? {}) as { status?: unknown };
      if (status === "Active" && !isClientError(list)) return;
      if (time.now() > until) this.#shared.lacksActive = true;
      else await time.sleep(pause);
    }
  }

  /** Creates a table in the shared database. `columns` is the text in the parentheses of CREATE TABLE. */
  async newTable(columns: string): Promise<string> {
    const path = { databaseId: await this.database() };
    const name = this.letters();
    const body = { sql: `CREATE TABLE ${name} (${columns})` };
    const answer = await this.#prepare("executeSql", { path, body });
    created(answer, `table ${name}`);
    return name;
  }

  /** Creates an organization that the owner owns. */
  async newOrganization(): Promise<string> {
    const answer = await this.#prepare("createOrganization", { body: { name: this.letters() } });
    return (created(answer, "an organization") as { organizationId: string }).organizationId;
  }

  /**
   * Calls an operation: as the owner, or the owner's API key where data take keys alone, unless the call says who. What
   * the request creates stands in the ledger beforehand, so that nothing is left behind whatever comes of it.
   */
  async call(operationId: OperationId, call: CallOptions = {}): Promise<ApiResponse> {
    const { client, ledger } = this.#options;
    const given = { ...call, as: call.as ?? (await this.callerFor(operationId, call)) };
    const resource = getCreatedResource(operationId, given, this.run);
    if (resource === undefined) return client.call(operationId, given);
    const { kind, by } = resource;
    if (kind === "member") await this.#assertWayBack(resource, given);
    const entry = ledger.making(resource);
    this.#own.add(entry.number);
    const answer = await client.call(operationId, given);
    const id = kind === "member" ? idOfInvited(answer) : (answer.body as JsonObject)?.[idFields[kind] ?? ""];
    if (isClientError(answer)) ledger.removed(entry.number);
    else if (typeof id === "string") {
      ledger.made(entry.number, id);
      if (kind === "organization" && by === undefined) this.#shared.organizations.add(id);
    }
    if (kind === "member") this.#noteInvitation(answer);
    return answer;
  }

  /**
   * Finds out whether the deployment invites addresses of a reserved domain, if the target file names no other domain.
   *
   * @throws RunError when it does not
   */
  #noteInvitation(answer: ApiResponse): void {
    if (isSuccess(answer)) this.#shared.uninvited ??= false;
    const isOfDomain = this.#options.invitationDomain === undefined && answer.exchange.intent === "valid";
    if (isOfDomain && [400, 422].includes(answer.status))
      this.#shared.uninvited ??=
        `an invitation to ${defaultInvitationDomain} was refused (${formatAnswer(answer)}); ` +
        "set `invitationDomain` in the target file to a domain whose addresses can be invited, or remove the capability";
    if (this.uninvited !== undefined) throw new RunError(this.uninvited);
  }

  /** Why invitations are impossible, as far as known. */
  get uninvited(): string | undefined {
    return this.#shared.uninvited === false ? undefined : this.#shared.uninvited;
  }

  /** Whether an organization existed before the run; those of the run are deleted with their contents. */
  #stays(organizationId: string | undefined): boolean {
    return !this.#options.ledger.remaining.some(
      ({ kind, id }) => kind === "organization" && id === organizationId,
    );
  }

  /**
   * Makes sure, once, that an invitation can be revoked; if it cannot, the one invitation remains.
   *
   * Otherwise, further invitations would remain permanently.
   *
   * @throws NotOfferedError when the target declares that no id works for pending members
   * @throws RunError when no id works for them
   */
  async #assertWayBack(
    { parent: organizationId = "", name, by }: Resource,
    { body }: CallOptions,
  ): Promise<void> {
    const { role = "member" } = (body ?? {}) as { readonly role?: Role };
    const isValid = name !== "" && roles.includes(role);
    // an organization of a situation may be filled
    if (!isValid || isSituation(by ?? "") || !this.#stays(organizationId)) return;
    const trial = (this.#shared.wayBack ??= this.#tryWayBack(organizationId));
    const hasWayBack = await trial;
    // where there is no room for the invitation, the next organization has to show it
    if (hasWayBack === undefined && this.#shared.wayBack === trial) delete this.#shared.wayBack;
    if (hasWayBack !== false) return;
    const reason = "no id works for pending members, so an invitation could not be revoked";
    if (this.#options.known["pending-member-id"] === "none") throw new NotOfferedError(reason);
    throw new RunError(`${reason}; ${howToDeclareNoId}`);
  }

  /** Returns undefined if the invitation to revoke is refused. */
  async #tryWayBack(organizationId: string): Promise<boolean | undefined> {
    const { client, actors, ledger, known } = this.#options;
    if (known["pending-member-id"] === "none") return false;
    const email = this.inviteAddress();
    const entry = ledger.making({ kind: "member", name: email, parent: organizationId });
    const as = await actors.session("owner");
    const path = { organizationId };
    const call = { setUp: true, unjudged: true, intent: "invalid", as, path } as const;
    const invited = await client.call("inviteMember", { ...call, body: { email, role: "readonly" } });
    if (isClientError(invited)) {
      ledger.removed(entry.number);
      return undefined;
    }
    // a list need not show who has not accepted: then this answer alone tells
    const ids = isSuccess(invited) ? listPossibleMemberIds(invited.body as ListedMember) : [];
    if (ids[0] !== undefined) ledger.made(entry.number, ids[0]);
    for (const memberId of ids) {
      const removed = await client.call("removeMember", { ...call, path: { ...path, memberId } });
      if (!isSuccess(removed)) continue;
      ledger.removed(entry.number);
      return true;
    }
    const members = await client.call("listMembers", call);
    if (isSuccess(members) && !members.text.toLowerCase().includes(email.toLowerCase())) {
      ledger.removed(entry.number);
      const reason = "the list does not show pending members, and no id works for them";
      this.#shared.forGood.push({ entry, reason, isFinal: true });
      return false;
    }
    const entries = ledger.remaining.filter(({ number }) => number === entry.number);
    const [left] = await removeAllResources({ client, actors, ledger, entries });
    if (left?.isFinal === true) this.#shared.forGood.push(left);
    return left?.isFinal !== true;
  }

  /** Removes a resource before the end of the run, by its name or id, for checks that create many. */
  async remove(kind: ResourceKind, nameOrId: string): Promise<void> {
    const { client, actors, ledger } = this.#options;
    const entry = ledger.remaining.find(
      (known) => known.kind === kind && [known.name, known.id].includes(nameOrId),
    );
    if (entry === undefined) return;
    const as = await actors.session(entry.by ?? "owner");
    const isOwners = kind === "database" && entry.by === undefined;
    await removeResource(client, as, entry, isOwners ? await actors.worker("database") : as);
    if (kind === "database" && entry.id !== undefined) await this.untilGone(entry.id, { as });
    ledger.removed(entry.number);
  }

  /** Notes that a check has removed a resource itself. */
  removed(kind: ResourceKind, id: string): void {
    const { ledger } = this.#options;
    const entry = ledger.remaining.find((known) => known.kind === kind && known.id === id);
    if (entry !== undefined) ledger.removed(entry.number);
  }

  /**
   * Says that what is in something goes with it, and cannot be removed by itself any more. Whether it is gone is seen at
   * the end, when it is looked for itself.
   */
  goesWith(parent: string): void {
    const { ledger } = this.#options;
    for (const entry of ledger.remaining) if (entry.parent === parent) ledger.removed(entry.number);
  }

  /**
   * Removes what a check has made for itself, so that the next one finds room under the ceilings of the plan. What
   * cannot be removed now is tried again at the end.
   */
  async removeOwn(): Promise<void> {
    const { ledger, actors } = this.#options;
    const isOwn = ({ number, id = "" }: LedgerEntry) =>
      this.#own.has(number) && !this.#shared.lasting.has(id);
    const entries = ledger.remaining.filter(isOwn);
    const behind = await removeAllResources({ ...this.#options, entries });
    this.#shared.forGood.push(...behind.filter(({ isFinal }) => isFinal === true));
    const left = new Set(behind.map(({ entry }) => entry));
    for (const entry of entries) {
      const { kind, id, by = "owner" } = entry;
      if (kind !== "database" || id === undefined || left.has(entry)) continue;
      try {
        await this.untilGone(id, { as: await actors.session(by), unjudged: true });
      } catch {
        // no check waits for it; the next one meets the same trouble
      }
    }
  }

  /** Created resources that cannot be removed. */
  get leftForGood(): readonly LeftBehind[] {
    return this.#shared.forGood;
  }

  /**
   * Who works on behalf of the run: the owner, or a key of the owner's organization for data operations of a
   * deployment that takes no access tokens there (gap `data-credential`).
   */
  async workerFor(operationId: OperationId): Promise<Caller> {
    const { actors } = this.#options;
    const kind = dataKind(operationId);
    if (kind === undefined) return actors.session("owner");
    await (this.#shared.tokensTried ??= this.#tryTokens());
    return actors.worker(kind);
  }

  /**
   * Who sends a request for which nobody is named: {@link workerFor}, with a token for the organization that the path
   * names where the owner has made that in this run.
   */
  async callerFor(operationId: OperationId, { path = {} }: Pick<CallOptions, "path">): Promise<Caller> {
    const { organizationId } = path;
    return organizationId !== undefined && this.#shared.organizations.has(organizationId)
      ? this.#options.actors.sessionIn("owner", organizationId)
      : this.workerFor(operationId);
  }

  /** Finds out, unless it is known, whether access tokens give access to data, with an empty query. */
  async #tryTokens(): Promise<void> {
    const { actors, client, known } = this.#options;
    const answer = known["data-credential"];
    if (answer === "api-key") actors.useKeys();
    if (answer !== undefined) return;
    const look: CallOptions = {
      setUp: true,
      path: { databaseId: await this.database() },
      body: { partitionKey: this.name() },
    };
    const byToken = await client.call("queryItems", { ...look, as: await actors.session("owner") });
    if (byToken.status < 400 || byToken.status >= 500) return;
    actors.useKeys();
    const key = await actors.worker("database").catch(() => undefined);
    if (key === undefined)
      throw new RunError(
        `the owner's access token does not give access to items (${formatAnswer(byToken)}); ` +
          "add API keys with the scopes database:* and repository:*, or *, to the target file",
      );
  }

  /** Returns a call of an operation with an open route that succeeds whenever the route is right. */
  async sureCall(operationId: OperationId): Promise<CallOptions> {
    const call = { setUp: true, as: await this.workerFor(operationId) };
    if (operationId === "putItem") {
      const key = { pk: this.name(), sk: "0" };
      return { ...call, path: { databaseId: await this.database(), ...key }, body: { ...key, data: {} } };
    }
    if (operationId === "listSqlTables") return { ...call, path: { databaseId: await this.database() } };
    if (operationId !== "getPlan") return call;
    const answer = await this.#options.client.call("listPlans", call);
    return { ...call, path: { planId: parsePlanList(answer.body)?.[0]?.planId ?? "" } };
  }

  #prepare(operationId: OperationId, call: CallOptions): Promise<ApiResponse> {
    return this.call(operationId, { setUp: true, ...call });
  }
}

/** Returns the kind of data to which API keys give access that an operation uses; undefined for other operations. */
function dataKind(operationId: OperationId): "database" | "repository" | undefined {
  const { access }: OperationDefinition = serviceApi.operations[operationId];
  if (access.kind === "public" || access.tokenGap === undefined || typeof access.scope !== "string")
    return undefined;
  return access.scope.startsWith("database") ? "database" : "repository";
}

/** Lists the possible ids of an invited user who is not in the list. */
function idOfInvited(answer: ApiResponse): string | undefined {
  return isSuccess(answer) ? listPossibleMemberIds(answer.body as ListedMember)[0] : undefined;
}

function statusOf({ body }: ApiResponse): string {
  return String((body as JsonObject)?.status);
}

function isDeleting(answer: ApiResponse): boolean {
  return answer.status === 200 && statusOf(answer) === "Deleting";
}

type JsonObject = Readonly<Record<string, unknown>> | undefined;

/** Returns the body of an answer to a successful creation. */
function created(answer: ApiResponse, what: string): unknown {
  if (!isSuccess(answer)) throw new RunError(`${what} could not be created: ${formatAnswer(answer)}`);
  return answer.body;
}

function formatAnswer({ status, text }: ApiResponse): string {
  return `${status} ${text.slice(0, 300)}`;
}
