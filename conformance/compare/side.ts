import { valueAt } from "../../openapi/validation/json-pointer.js";
import { type OperationId } from "../../openapi/operations/register.js";
import type { CheckContext } from "../check/context.js";
import type { Answer, Call } from "../client/client.js";
import { RunTrouble } from "../client/violation.js";
import type { LoginName, Session } from "../target/actors.js";
import { type ActorName, actorNames } from "../target/needs.js";
import { isSituation, type Situation } from "../target/situations.js";
import type { Resource } from "../target/ledger.js";
import type { ObserveOptions } from "../target/observe-options.js";
import type { Command, Reference, Source, Template } from "./command.js";
import { changedValue } from "./known-values.js";

/** The ids that mark what is made: while the history was recorded, and in this execution of it. */
export interface RunIds {
  readonly recorded: string;
  readonly now: string;
}

/** A command with everything found out that this side says in its own way. */
export interface Rendered {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly target: string | undefined;
  readonly at: string | undefined;
  readonly databaseId: string | undefined;
  readonly authorization: string | undefined;
  readonly body: string | undefined;
}

/** One of the two deployments, on its way through one history. */
export class Side {
  readonly context: CheckContext;
  readonly #extras: ObserveOptions;
  readonly #ids: RunIds;
  readonly #bodies = new Map<number, unknown>();
  readonly #sessions = new Map<LoginName, Promise<Session>>();

  constructor(context: CheckContext, extras: ObserveOptions, ids: RunIds) {
    this.context = context;
    this.#extras = extras;
    this.#ids = ids;
  }

  /** Finds out what a command says here; nothing where something of it was not shown here. */
  async render({ does, authorization, body }: Command): Promise<Rendered | undefined> {
    const missing: Template[] = [];
    const text = async (template: Template | undefined, spelled?: (value: string) => string) => {
      if (template === undefined) return undefined;
      const found = await this.text(template, spelled);
      if (found === undefined) missing.push(template);
      return found;
    };
    const texts = async (templates: Readonly<Record<string, Template>>) => {
      const found: Record<string, string> = {};
      for (const [name, template] of Object.entries(templates)) found[name] = (await text(template)) ?? "";
      return found;
    };
    const isCall = does.kind === "call";
    const rendered: Rendered = {
      path: isCall ? await texts(does.path) : {},
      query: isCall ? await texts(does.query) : {},
      target: "target" in does ? await text(does.target, encodeURIComponent) : undefined,
      at: isCall ? await text(does.at) : undefined,
      databaseId: does.kind === "await" ? await text(does.databaseId) : undefined,
      authorization: await text(authorization),
      body: await text(body, (value) => JSON.stringify(value).slice(1, -1)),
    };
    return missing.length === 0 ? rendered : undefined;
  }

  /**
   * The text of a template; nothing where a value was not shown here.
   *
   * @param spelled how a value is spelled in the text
   */
  async text(
    template: Template,
    spelled: (value: string) => string = (value) => value,
  ): Promise<string | undefined> {
    let text = "";
    for (const part of template) {
      if (typeof part === "string") text += part.replaceAll(this.#ids.recorded, this.#ids.now);
      else {
        const value = await this.value(part);
        if (value === undefined) return undefined;
        text += spelled(value);
      }
    }
    return text;
  }

  /** The value that a reference stands for here. */
  async value({ sources, change }: Reference): Promise<string | undefined> {
    for (const source of sources) {
      const value = await this.#valueOf(source);
      if (value !== undefined) return changedValue(value, change);
    }
    return undefined;
  }

  async #valueOf(source: Source): Promise<string | undefined> {
    const { actors, resources } = this.context;
    switch (source.from) {
      case "answer": {
        const value = valueAt(this.#bodies.get(source.command), source.pointer);
        return typeof value === "string" ? value : undefined;
      }
      case "session":
        return String((await this.session(source.of))[source.member]);
      case "login": {
        if (source.member === "organizationId") return actors.organizationOf(source.of);
        return (await actors.login(source.of))[source.member];
      }
      case "key":
        return (await actors.key(source.of)).credential;
      case "extra":
        return this.#extras[source.what];
      case "shared":
        return source.what === "region" ? resources.region : resources[source.what]();
    }
  }

  /** The session of a user, as it was when the history first needed it. */
  session(of: LoginName): Promise<Session> {
    let session = this.#sessions.get(of);
    if (session === undefined) this.#sessions.set(of, (session = this.context.actors.details(of)));
    return session;
  }

  /** Keeps what an answer shows, for the commands after it. */
  keep(command: Command, { body }: Answer): void {
    this.#bodies.set(command.number, body);
  }

  /** Sends the request of a command. What it makes stands in the ledger. */
  async send(command: Command, rendered: Rendered): Promise<Answer> {
    const { does, caller, headers, impatient, unpaced, isValid } = command;
    const { path, query, at, authorization, body } = rendered;
    const { client } = this.context;
    const call: Call = {
      as: { name: caller },
      headers: { ...headers, ...(authorization === undefined ? {} : { Authorization: authorization }) },
      intent: isValid ? "valid" : "invalid",
      unjudged: true,
      asIs: true,
      ...(body === undefined ? {} : { rawBody: body }),
      ...(impatient === undefined ? {} : { impatient }),
      ...(unpaced === undefined ? {} : { unpaced }),
    };
    switch (does.kind) {
      case "call":
        return this.#making(does.operationId, command, rendered, () =>
          client.call(does.operationId, { ...call, path, query, ...(at === undefined ? {} : { at }) }),
        );
      case "send":
        return client.send(does.method, rendered.target ?? "", call);
      case "control": {
        const answer = await client.send(does.method, rendered.target ?? "", call);
        if (answer.status >= 300)
          throw new RunTrouble(
            `the control plane refused ${does.method} ${rendered.target ?? ""}: ${answer.text}`,
          );
        // sessions may have ended
        if (rendered.target?.endsWith("/clock") === true) this.context.actors.forget();
        return answer;
      }
      default:
        throw new Error(`${does.kind} is no request`);
    }
  }

  /** Does what is no request: waits. */
  async wait({ does, caller }: Command, { databaseId, authorization }: Rendered): Promise<void> {
    const { client, resources } = this.context;
    if (does.kind === "pause") await client.time.sleep(does.milliseconds);
    if (does.kind !== "await" || databaseId === undefined) return;
    const credential = authorization?.replace(/^Bearer /, "");
    const call: Call = { as: { name: caller, ...(credential === undefined ? {} : { credential }) } };
    if (does.until === "ready") await resources.untilReady(databaseId, call);
    else await resources.untilGone(databaseId, call);
  }

  async #making(
    operationId: OperationId,
    { caller }: Command,
    { path, body }: Rendered,
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    const { resources } = this.context;
    const made = madeBy(operationId, path, body, caller);
    const answer =
      made === undefined ? await send() : await resources.make(made.resource, made.idMember, send);
    const gone = answer.status < 300 ? removedBy[operationId] : undefined;
    if (gone !== undefined) resources.removed(gone.kind, path[gone.parameter] ?? "");
    // one that is still shown lets nobody remove its members
    if (operationId === "deleteOrganization" && answer.status < 300)
      resources.goesWith(path.organizationId ?? "");
    return answer;
  }
}

const removedBy: Readonly<Partial<Record<OperationId, { kind: Resource["kind"]; parameter: string }>>> = {
  deleteRepository: { kind: "repository", parameter: "repositoryId" },
};

/** What a request makes, for the ledger; nothing where it makes nothing that has to be removed by itself. */
function madeBy(
  operationId: OperationId,
  path: Readonly<Record<string, string>>,
  body: string | undefined,
  caller: string,
): { readonly resource: Resource; readonly idMember: string | undefined } | undefined {
  if (!makers.includes(operationId)) return undefined;
  const given = parsed(body);
  const text = (name: string) => (typeof given[name] === "string" ? given[name] : undefined);
  const maker = isUser(caller) ? { by: caller } : {};
  // what is in the owner's organization the owner can remove
  const by = membersOfOwner.includes(caller) ? {} : maker;
  switch (operationId) {
    case "createDatabase":
      return made({ kind: "database", name: text("name"), ...by }, "databaseId");
    case "createOrganization":
      return made({ kind: "organization", name: text("name"), ...maker }, "organizationId");
    case "createRepository":
      return made({ kind: "repository", name: text("name"), parent: path.databaseId, ...by }, "repositoryId");
    case "inviteMember":
      return made({ kind: "member", name: text("email"), parent: path.organizationId, ...by }, undefined);
    case "executeSql": {
      const name = /^\s*create\s+table\s+(?:if\s+not\s+exists\s+)?([\w-]+)/i.exec(text("sql") ?? "")?.[1];
      return made({ kind: "table", name, parent: path.databaseId }, undefined);
    }
    default:
      return undefined;
  }
}

/** Operations that make what has to be removed by itself. */
const makers: readonly OperationId[] = [
  "createDatabase",
  "createOrganization",
  "createRepository",
  "inviteMember",
  "executeSql",
];

const membersOfOwner: readonly string[] = ["admin", "member", "readonly"];

function isUser(caller: string): caller is ActorName | Situation {
  return (actorNames as readonly string[]).includes(caller) || isSituation(caller);
}

function made(
  {
    kind,
    name,
    parent,
    by,
  }: { kind: Resource["kind"]; name: string | undefined; parent?: string | undefined; by?: LoginName },
  idMember: string | undefined,
): ReturnType<typeof madeBy> {
  if (name === undefined) return undefined;
  const resource: Resource = {
    kind,
    name,
    ...(parent === undefined ? {} : { parent }),
    ...(by === undefined ? {} : { by }),
  };
  return { resource, idMember };
}

function parsed(body: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body ?? "");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
