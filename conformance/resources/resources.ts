import { isClientError } from "../client/is-client-error.js";
import { isSuccess } from "../client/is-success.js";
import { quoteResponse } from "../client/quote-response.js";
import { startOnce } from "../client/start-once.js";
import type { operations } from "../../openapi/generated/service-types.js";
import type { OperationDefinition } from "../../openapi/operations/operation.js";
import { type OperationId, serviceApi } from "../../openapi/operations/register.js";
import type { ApiResponse, CallOptions, Caller, Client } from "../client/client.js";
import { createdKinds, getCreatedKind } from "../client/created-kinds.js";
import { type Role, roles } from "../../openapi/schemas/roles.js";
import type { Requirement } from "../target/requirements.js";
import { getCreatedResource } from "./get-created-resource.js";
import { parsePlanList } from "../models/plan-list.js";
import { Locks } from "./locks.js";
import { createNameGenerator } from "./create-name-generator.js";
import type { Actors } from "../target/actors.js";
import { defaultInvitationDomain } from "../target/target-file.js";
import type { ControlPlaneClient } from "../target/control-plane-client.js";
import type { Target } from "../target/target.js";
import { ClauseViolation, RunError } from "../client/violation.js";
import type { LedgerEntry, Ledger, Resource, ResourceKind } from "../target/ledger.js";
import { type ListedMember, listPossibleMemberIds } from "./member-ids.js";
import {
  type LeftoverResource,
  listEntries,
  removeAllResources,
  removeResource,
} from "./remove-resources.js";

/** Fields of a new repository; there are defaults for the names. */
export type NewRepository = Partial<
  operations["createRepository"]["requestBody"]["content"]["application/json"]
>;

interface ResourceOptions extends Pick<
  Target,
  "databaseId" | "invitationDomain" | "knownAnswers" | "databaseReadyMs"
> {
  readonly client: Client;
  readonly actors: Actors;
  readonly ledger: Ledger;
  readonly region: string;
  /** The control plane, if time can be moved. */
  readonly control: ControlPlaneClient | undefined;
}

/** State shared by all checks of a run. */
interface SharedState {
  database?: Promise<string> | undefined;
  repository?: Promise<string> | undefined;
  /** Settles when it is known whether access tokens give access to data. */
  tokenTest?: Promise<void>;
  /** Why the deployment refuses invitations; false once an invitation has succeeded. */
  invitationRefusal?: string | false;
  canRevokeInvitations?: Promise<boolean | undefined>;
  /** Whether a repository did not become Active in time, so that the run no longer waits for that. */
  ignoresRepositoryStatus?: boolean;
  /** Ids of the database and repository that all checks share. */
  readonly sharedIds: Set<string>;
  /** Ids of the owner's databases and organizations from before the run. */
  readonly existingIds: Set<unknown>;
  /** Organizations that the owner has created in this run. */
  readonly organizations: Set<string>;
  /** Credentials with which checkouts were created in this run. */
  readonly buyers: Set<string | undefined>;
  readonly unremovable: LeftoverResource[];
  readonly createName: (suffix?: string) => string;
  readonly locks: Locks;
}

/** Statuses that a new database does not leave by itself; other statuses may occur between Creating and Active. */
const finalStatuses: readonly string[] = ["Inactive", "Deleting", "Error"];

/** What to do about pending members that no id works for. */
export const pendingMemberIdAdvice =
  "if this is intended, remove the capability `invitations` from the target file";

/**
 * Creates resources for checks. Each resource has the run id in its name, is in the ledger before it is created, and is
 * removed at the end.
 */
export class Resources {
  readonly #options: ResourceOptions;
  readonly #shared: SharedState;
  /** Numbers of the ledger entries created through this object. */
  readonly #created = new Set<number>();

  constructor(
    options: ResourceOptions,
    shared: SharedState = {
      sharedIds: new Set(),
      existingIds: new Set([options.databaseId]),
      organizations: new Set(),
      buyers: new Set(),
      unremovable: [],
      createName: createNameGenerator(options.ledger.run),
      locks: new Locks(),
    },
  ) {
    this.#options = options;
    this.#shared = shared;
  }

  /** Returns an object for one check, which removes the resources created through it and shares everything else. */
  forCheck(client: Client, actors: Actors): Resources {
    return new Resources({ ...this.#options, client, actors }, this.#shared);
  }

  /** Reads the ids of the owner's databases and organizations, so that a wrong id in a response cannot lead to their removal. */
  async readExistingIds(): Promise<void> {
    const { client, actors } = this.#options;
    const as = await actors.getCaller("owner");
    for (const kind of ["database", "organization"] as const) {
      const { listed, idField } = createdKinds[kind];
      const entries = await listEntries(client, as, { kind, name: "" }, listed).catch((error: unknown) => {
        // Checks report why there is no list.
        if (error instanceof RunError) return [];
        throw error;
      });
      for (const entry of entries) this.#shared.existingIds.add(entry[idField]);
    }
  }

  /** Does work while no other work with the same requirements runs. */
  withLocks<Result>(needs: readonly Requirement[], work: () => Promise<Result>): Promise<Result> {
    return this.#shared.locks.withLocks(needs, work);
  }

  /** The region in which databases are created. */
  get region(): string {
    return this.#options.region;
  }

  /** The run id, which is part of every name that the run creates; lower-case letters and digits. */
  get run(): string {
    return this.#options.ledger.run;
  }

  /** Created resources that cannot be removed. */
  get unremovable(): readonly LeftoverResource[] {
    return this.#shared.unremovable;
  }

  /** Why the deployment refuses invitations, as far as known. */
  get invitationRefusal(): string | undefined {
    const { invitationRefusal } = this.#shared;
    return invitationRefusal === false ? undefined : invitationRefusal;
  }

  /** Whether a caller has created a checkout in this run; while it is open, a deployment may refuse others. */
  hasCheckout({ credential }: Caller): boolean {
    return this.#shared.buyers.has(credential);
  }

  /** Returns a unique name with the given suffix; without one, the name is valid for every kind of resource. */
  createName(suffix = ""): string {
    return this.#shared.createName(suffix);
  }

  /** Returns a unique name of letters only, because names of tables, repositories and organizations may allow nothing else. */
  createPlainName(): string {
    return this.createName().replaceAll("-", "");
  }

  /** Returns a made-up address to invite. */
  createInviteAddress(): string {
    return `${this.createName()}@${this.#options.invitationDomain ?? defaultInvitationDomain}`;
  }

  /** Returns the database that all checks share, ready for use; each check has its own keys. */
  getDatabase(): Promise<string> {
    return this.#getShared("database", async () => {
      const { databaseId, ledger } = this.#options;
      if (databaseId === undefined) return (await this.createDatabase()).databaseId;
      // A database given by the user may hold other data; only items with the run id belong to the run.
      ledger.recordCreation({ kind: "items", name: this.run, parent: databaseId });
      return databaseId;
    });
  }

  /** Returns a repository without schema in the shared database. */
  getRepository(): Promise<string> {
    return this.#getShared("repository", async () => this.createRepository(await this.getDatabase()));
  }

  /** Creates a resource once for all checks; tries again after a failure. */
  #getShared(kind: "database" | "repository", create: () => Promise<string>): Promise<string> {
    return startOnce(this.#shared, kind, async () => {
      const id = await create();
      this.#shared.sharedIds.add(id);
      return id;
    });
  }

  /** Creates a database and waits until it is ready. */
  async createDatabase(
    call: CallOptions = {},
  ): Promise<{ readonly databaseId: string; readonly name: string }> {
    const name = this.createName();
    const response = await this.#prepare("createDatabase", { ...call, body: { name, region: this.region } });
    const databaseId = getCreatedId(response, "a database", "databaseId");
    await this.waitUntilReady(databaseId, call);
    return { databaseId, name };
  }

  /** Waits until a database is ready; until then, it may have any status that is not final. */
  async waitUntilReady(databaseId: string, call: CallOptions = {}): Promise<void> {
    const isDone = (response: ApiResponse) =>
      response.status !== 200 || ["Active", ...finalStatuses].includes(getStatusField(response));
    const response = await this.#pollDatabase(databaseId, call, isDone);
    if (!isDone(response)) throw this.#createStatusTimeout(databaseId, response);
    if (response.status !== 200 || getStatusField(response) !== "Active")
      throw new RunError(`database ${databaseId} did not become ready: ${quoteResponse(response)}`);
  }

  /**
   * Waits until a deleted database is gone: for a while, it may be shown as Deleting and count against the plan's limit.
   *
   * @returns the last response to a request for the database; the database may still be shown as Deleting
   */
  waitUntilGone(databaseId: string, call: CallOptions = {}): Promise<ApiResponse> {
    return this.#pollDatabase(databaseId, call, (response) => !isDeleting(response));
  }

  /**
   * Waits like {@link waitUntilGone}.
   *
   * @throws RunError when the database is still being deleted; the specification does not say how long that may take
   */
  async assertGone(databaseId: string, call: CallOptions = {}): Promise<ApiResponse> {
    const response = await this.waitUntilGone(databaseId, call);
    if (isDeleting(response)) throw this.#createStatusTimeout(databaseId, response);
    return response;
  }

  /** Reads a database until it is in the expected state or the time limit is reached; returns the last response. */
  async #pollDatabase(
    databaseId: string,
    call: CallOptions,
    isDone: (response: ApiResponse) => boolean,
  ): Promise<ApiResponse> {
    const { client, control, databaseReadyMs } = this.#options;
    const until = client.time.now() + databaseReadyMs;
    for (let pause = 20; ; pause = Math.min(pause * 2, 2000)) {
      const response = await this.#prepare("getDatabase", { ...call, path: { databaseId } });
      if (isDone(response) || client.time.now() > until) return response;
      // An emulator's clock has to be moved. Moving it too far would end sessions.
      if (pause > 20 && control !== undefined) await control.advance(pause > 100 ? "PT1M" : "PT5S");
      else await client.time.sleep(pause);
    }
  }

  #createStatusTimeout(databaseId: string, response: ApiResponse): RunError {
    return new RunError(
      `database ${databaseId} is still ${getStatusField(response)} after ${this.#options.databaseReadyMs} ms; ` +
        "raise `timeouts.databaseReadyMs` in the target file",
    );
  }

  /** Creates a repository in a database, with or without a schema. */
  async createRepository(
    databaseId: string,
    fields: NewRepository = {},
    call: CallOptions = {},
  ): Promise<string> {
    const { answer, repositoryId = "" } = await this.tryToCreateRepository(databaseId, fields, call);
    assertCreated(answer, "a repository");
    return repositoryId;
  }

  /** Tries to create a repository, which may be refused, e.g. because of the names of its fields. */
  async tryToCreateRepository(
    databaseId: string,
    { name = this.createPlainName(), ...fields }: NewRepository = {},
    call: CallOptions = {},
  ): Promise<{ readonly answer: ApiResponse; readonly repositoryId?: string }> {
    const body = { name, entityName: `E${name}`, ...fields };
    const response = await this.#prepare("createRepository", { ...call, path: { databaseId }, body });
    if (!isSuccess(response)) return { answer: response };
    const repositoryId = getCreatedId(response, "a repository", "repositoryId");
    await this.waitUntilRepositoryReady({ databaseId, repositoryId }, call);
    return { answer: response, repositoryId };
  }

  /**
   * Waits until a repository is Active and accepts requests, because both may take time. If a repository does not become
   * Active in time, the deployment may not show this status; the repository then counts as ready, and so do all later ones.
   */
  async waitUntilRepositoryReady(
    path: { readonly databaseId: string; readonly repositoryId: string },
    call: CallOptions = {},
  ): Promise<void> {
    const { time } = this.#options.client;
    const until = time.now() + this.#options.databaseReadyMs;
    const poll = { ...call, path, intent: "may-be-refused" } as const;
    for (let pause = 20; !this.#shared.ignoresRepositoryStatus; pause = Math.min(pause * 2, 2000)) {
      const repository = await this.#prepare("getRepository", poll);
      const entities = await this.#prepare("listEntities", poll);
      if (getStatusField(repository) === "Active" && !isClientError(entities)) return;
      if (time.now() > until) this.#shared.ignoresRepositoryStatus = true;
      else await time.sleep(pause);
    }
  }

  /** Creates a table in the shared database. `columns` is the text in the parentheses of CREATE TABLE. */
  async createTable(columns: string): Promise<string> {
    const path = { databaseId: await this.getDatabase() };
    const name = this.createPlainName();
    const body = { sql: `CREATE TABLE ${name} (${columns})` };
    assertCreated(await this.#prepare("executeSql", { path, body }), `table ${name}`);
    return name;
  }

  /** Creates an organization that the owner owns. */
  async createOrganization(fields: { readonly slug?: string } = {}): Promise<string> {
    const body = { name: this.createPlainName(), ...fields };
    const response = await this.#prepare("createOrganization", { body });
    return getCreatedId(response, "an organization", "organizationId");
  }

  /**
   * Calls an operation. The default caller is that of {@link getDefaultCaller}; in an organization that the owner has
   * created in this run, it is the owner with a token for the organization. A resource that the request creates is in the
   * ledger before the request is sent, so that nothing is left behind.
   */
  async call(operationId: OperationId, call: CallOptions = {}): Promise<ApiResponse> {
    const { client, ledger, actors } = this.#options;
    const organizationId = call.path?.organizationId ?? "";
    const as =
      call.as ??
      (this.#shared.organizations.has(organizationId)
        ? await actors.getCallerIn("owner", organizationId)
        : await this.getDefaultCaller(operationId));
    const request = { ...call, as };
    const resource = getCreatedResource(operationId, request, this.run);
    if (resource === undefined) {
      const response = await client.call(operationId, request);
      if (operationId === "createCheckout" && isSuccess(response)) this.#shared.buyers.add(as.credential);
      return response;
    }
    const { kind, by } = resource;
    if (kind === "member") await this.#assertRevocable(resource, request);
    const { number } = ledger.recordCreation(resource);
    this.#created.add(number);
    const response = await client.call(operationId, request);
    const id =
      kind === "member"
        ? listInvitedIds(response)[0]
        : (response.body as JsonObject)?.[getCreatedKind(kind)?.idField ?? ""];
    if (isClientError(response)) ledger.recordRemoval(number);
    else if (typeof id === "string") {
      if (this.#shared.existingIds.has(id))
        throw new ClauseViolation(
          kind === "organization" ? "ORG-01" : "DB-01",
          `the id of a new ${kind}`,
          `${id}, which existed before the run`,
        );
      ledger.recordId(number, id);
      if (kind === "organization" && by === undefined) this.#shared.organizations.add(id);
    }
    if (kind === "member") this.#assertDomainAccepted(response);
    return response;
  }

  /**
   * Finds out whether the deployment invites addresses of a reserved domain, if the target file names no other domain.
   *
   * @throws RunError when it does not
   */
  #assertDomainAccepted(response: ApiResponse): void {
    if (isSuccess(response)) this.#shared.invitationRefusal ??= false;
    const isReserved = this.#options.invitationDomain === undefined && response.exchange.intent === "valid";
    if (isReserved && [400, 422].includes(response.status))
      this.#shared.invitationRefusal ??=
        `an invitation to ${defaultInvitationDomain} was refused (${quoteResponse(response)}); ` +
        "set `invitationDomain` in the target file to a domain whose addresses can be invited, or remove the capability";
    if (this.invitationRefusal !== undefined) throw new RunError(this.invitationRefusal);
  }

  /**
   * Makes sure, once in a run, that an invitation can be revoked. If it cannot, the invitation that was sent to find this out
   * is the only one that remains.
   *
   * @throws RunError when no id works for them
   */
  async #assertRevocable(
    { parent: organizationId = "", name }: Resource,
    { body }: CallOptions,
  ): Promise<void> {
    const { ledger } = this.#options;
    const { role = "member" } = (body ?? {}) as { readonly role?: Role };
    const isValid = name !== "" && roles.includes(role);
    // An organization that the run created is deleted with its members.
    const isCreated = ledger.remaining.some(
      ({ kind, id }) => kind === "organization" && id === organizationId,
    );
    if (!isValid || isCreated) return;
    const trial = startOnce(this.#shared, "canRevokeInvitations", () => this.#tryToRevoke(organizationId));
    const canRevoke = await trial;
    // If the organization has no room for the invitation, the trial is repeated in the next organization.
    if (canRevoke === undefined && this.#shared.canRevokeInvitations === trial)
      delete this.#shared.canRevokeInvitations;
    if (canRevoke !== false) return;
    const reason = "the deployment accepts no id for a pending member, so an invitation could not be revoked";
    throw new RunError(`${reason}; ${pendingMemberIdAdvice}`);
  }

  /** Sends an invitation and revokes it; returns undefined if the invitation is refused. */
  async #tryToRevoke(organizationId: string): Promise<boolean | undefined> {
    const { client, actors, ledger } = this.#options;
    const email = this.createInviteAddress();
    const entry = ledger.recordCreation({ kind: "member", name: email, parent: organizationId });
    const as = await actors.getCaller("owner");
    const path = { organizationId };
    const call = { setUp: true, skipValidation: true, intent: "may-be-refused", as, path } as const;
    const invited = await client.call("inviteMember", { ...call, body: { email, role: "readonly" } });
    if (isClientError(invited)) {
      ledger.recordRemoval(entry.number);
      return undefined;
    }
    // A list need not show pending members, so the ids may be only in this response.
    const ids = listInvitedIds(invited);
    if (ids[0] !== undefined) ledger.recordId(entry.number, ids[0]);
    for (const memberId of ids) {
      const removed = await client.call("removeMember", { ...call, path: { ...path, memberId } });
      if (!isSuccess(removed)) continue;
      ledger.recordRemoval(entry.number);
      return true;
    }
    const members = await client.call("listMembers", call);
    if (isSuccess(members) && !members.text.toLowerCase().includes(email.toLowerCase())) {
      ledger.recordRemoval(entry.number);
      const reason = "the list does not show pending members, and no id works for them";
      this.#shared.unremovable.push({ entry, reason, isFinal: true });
      return false;
    }
    const entries = ledger.remaining.filter(({ number }) => number === entry.number);
    const [left] = await removeAllResources({ client, actors, ledger, entries });
    if (left?.isFinal !== true) return true;
    this.#shared.unremovable.push(left);
    return false;
  }

  /** Removes a resource before the end of the run, by its name or id, for checks that create many. */
  async remove(kind: ResourceKind, nameOrId: string): Promise<void> {
    const { client, actors, ledger } = this.#options;
    const entry = ledger.remaining.find(
      (known) => known.kind === kind && [known.name, known.id].includes(nameOrId),
    );
    if (entry === undefined) return;
    await removeResource(client, entry, actors);
    if (kind === "database" && entry.id !== undefined)
      await this.waitUntilGone(entry.id, { as: await actors.getCaller(entry.by ?? "owner") });
    ledger.recordRemoval(entry.number);
  }

  /** Records the role of one of the target's users, which a check is about to change; it is restored when the check ends. */
  recordRole(organizationId: string, email: string, role: Role): void {
    const resource = { kind: "role", name: email, parent: organizationId, role } as const;
    this.#created.add(this.#options.ledger.recordCreation(resource).number);
  }

  /** Records that a check has removed a resource itself. */
  recordRemoval(kind: ResourceKind, id: string): void {
    const { ledger } = this.#options;
    const entry = ledger.remaining.find((known) => known.kind === kind && known.id === id);
    if (entry !== undefined) ledger.recordRemoval(entry.number);
  }

  /** Records that the contents of a database or organization are removed with it. */
  recordContentsRemoval(parent: string): void {
    const { ledger } = this.#options;
    for (const entry of ledger.remaining) if (entry.parent === parent) ledger.recordRemoval(entry.number);
  }

  /**
   * Removes what was created through this object, so that the limits of the plan leave room for the next check. Resources
   * that cannot be removed now are tried again at the end.
   */
  async removeCreated(): Promise<void> {
    const { ledger, actors } = this.#options;
    const entries = ledger.remaining.filter(
      ({ number, id = "" }) => this.#created.has(number) && !this.#shared.sharedIds.has(id),
    );
    const left = await removeAllResources({ ...this.#options, entries });
    this.#shared.unremovable.push(...left.filter(({ isFinal }) => isFinal === true));
    const remaining = new Set<LedgerEntry>(left.map(({ entry }) => entry));
    for (const entry of entries) {
      const { kind, id, by = "owner" } = entry;
      if (kind !== "database" || id === undefined || remaining.has(entry)) continue;
      try {
        await this.waitUntilGone(id, { as: await actors.getCaller(by), skipValidation: true });
      } catch {
        // If this problem persists, the next check encounters it.
      }
    }
  }

  /**
   * Returns the caller who works on behalf of the run: the owner or, for data operations of a deployment that accepts no
   * access tokens there (gap `data-credential`), an API key of the owner's organization.
   */
  async getDefaultCaller(operationId: OperationId): Promise<Caller> {
    const { actors } = this.#options;
    const kind = getDataKind(operationId);
    if (kind === undefined) return actors.getCaller("owner");
    await startOnce(this.#shared, "tokenTest", () => this.#testTokens());
    return actors.getDataCaller(kind);
  }

  /** Finds out with empty queries, unless it is known, whether access tokens and the key with all scopes give access to data. */
  async #testTokens(): Promise<void> {
    const { actors, client, knownAnswers: known } = this.#options;
    const answer = known["data-credential"];
    const query = async (as: Caller) => {
      const path = { databaseId: await this.getDatabase() };
      return client.call("queryItems", { setUp: true, as, path, body: { partitionKey: this.createName() } });
    };
    const byToken = answer === undefined ? await query(await actors.getCaller("owner")) : undefined;
    if (answer !== "api-key" && (byToken === undefined || !isClientError(byToken))) {
      const allScopes = await actors.getKeyCaller("*").catch(() => undefined);
      const isAccepted =
        allScopes !== undefined && (answer !== undefined || isSuccess(await query(allScopes)));
      if (isAccepted) actors.acceptKeyForData();
      return;
    }
    actors.useKeysForData();
    if (byToken === undefined) return;
    const key = await actors.getDataCaller("database").catch(() => undefined);
    if (key === undefined)
      throw new RunError(
        `the owner's access token does not give access to items (${quoteResponse(byToken)}); ` +
          "add API keys with the scopes database:* and repository:*, or *, to the target file",
      );
  }

  /** Returns a call that succeeds whenever the route is right, for an operation whose route the specification leaves open. */
  async createProbe(operationId: OperationId): Promise<CallOptions> {
    const call = { setUp: true, as: await this.getDefaultCaller(operationId) };
    if (operationId === "putItem") {
      const key = { pk: this.createName(), sk: "0" };
      return { ...call, path: { databaseId: await this.getDatabase(), ...key }, body: { ...key, data: {} } };
    }
    if (operationId === "listSqlTables") return { ...call, path: { databaseId: await this.getDatabase() } };
    if (operationId !== "getPlan") return call;
    const response = await this.#options.client.call("listPlans", call);
    return { ...call, path: { planId: parsePlanList(response.body)?.[0]?.planId ?? "" } };
  }

  #prepare(operationId: OperationId, call: CallOptions): Promise<ApiResponse> {
    return this.call(operationId, { setUp: true, ...call });
  }
}

/** Returns the kind of data that an operation uses and to which API keys give access; undefined for other operations. */
function getDataKind(operationId: OperationId): "database" | "repository" | undefined {
  const { access }: OperationDefinition = serviceApi.operations[operationId];
  if (access.kind === "public" || access.tokenGap === undefined || typeof access.scope !== "string")
    return undefined;
  return access.scope.startsWith("database") ? "database" : "repository";
}

/** Lists the possible ids of an invited user, according to the response to the invitation. */
function listInvitedIds(response: ApiResponse): readonly string[] {
  return isSuccess(response) ? listPossibleMemberIds((response.body ?? {}) as ListedMember) : [];
}

type JsonObject = Readonly<Record<string, unknown>> | undefined;

/** Returns the field `status` of a body. */
function getStatusField({ body }: ApiResponse): string {
  return String((body as JsonObject)?.status);
}

/** Whether a database or repository is shown as being deleted. */
export function isDeleting(response: ApiResponse): boolean {
  return response.status === 200 && getStatusField(response) === "Deleting";
}

/** Asserts that something was created. @throws RunError when the creation was refused */
function assertCreated(response: ApiResponse, what: string): void {
  if (!isSuccess(response)) throw new RunError(`${what} could not be created: ${quoteResponse(response)}`);
}

/** Returns the id in the response to a creation. @throws RunError if there is none */
function getCreatedId(response: ApiResponse, what: string, field: string): string {
  const id = isSuccess(response) ? (response.body as JsonObject | null)?.[field] : undefined;
  if (typeof id === "string") return id;
  throw new RunError(`${what} could not be created: ${quoteResponse(response)}`);
}
