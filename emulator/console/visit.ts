import { randomBytes } from "node:crypto";
import type { components as Control } from "../../openapi/generated/control-plane-types.js";
import type { components as Service } from "../../openapi/generated/service-types.js";
import { consoleAgent } from "../request/console-agent.js";
import type { NamespaceLookup } from "../namespaces/namespaces.js";
import { defaultNamespace } from "../request/name.js";
import type { RequestTarget } from "../service/service-env.js";

/** Where the console is, below a namespace. */
export const consolePath = "/_emulator/console";

/** What the control plane and the service answer. */
export type Schemas = Control["schemas"] & Omit<Service["schemas"], keyof Control["schemas"]>;

/** What comes with a request to a page. */
export interface ConsoleBindings {
  readonly namespaces: NamespaceLookup;
  readonly target: RequestTarget;
  /** Answers a request of the same process: to the service or the control plane. */
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Whether pages that keep listening may go on. */
  readonly isListening: () => boolean;
}

/** A request that a page made, and what came of it. */
export interface Asked {
  readonly method: string;
  /** Below the namespace, with the query. */
  readonly path: string;
  readonly body: string | undefined;
  /** Whether it carried an access token. */
  readonly hasToken: boolean;
  readonly status: number;
}

/** An answer to a page. */
export interface Reply {
  readonly isOk: boolean;
  readonly status: number;
  readonly text: string;
  /** The text read as JSON; undefined where it is none. */
  readonly body: unknown;
}

/** What goes along with a question. */
interface Question {
  /** A value that becomes JSON, or a text that is JSON already, or a file. */
  readonly body?: object | string | Uint8Array<ArrayBuffer>;
  readonly token?: string | undefined;
  readonly type?: string;
  readonly accept?: string;
  /** The name to send it under; the console's without one. */
  readonly agent?: string;
}

/** Stands in every form: a page of another origin cannot know it. */
export const formToken = randomBytes(18).toString("base64url");

export type Organization = Schemas["OrganizationEntry"];

/** One request to a page, and everything that the page asks the emulator for on its way. */
export class Visit {
  readonly namespace: string;
  /** What addresses of this namespace begin with. */
  readonly prefix: string;
  /** What addresses of pages begin with. */
  readonly base: string;
  readonly origin: string;
  readonly asked: Asked[] = [];
  readonly #fetch: ConsoleBindings["fetch"];
  readonly #sessions = new Map<string, string>();
  #organizations: readonly Organization[] | undefined;

  constructor({ fetch, target }: ConsoleBindings) {
    const { basePath, baseUrl } = target;
    this.namespace = target.namespace === "" ? defaultNamespace : target.namespace;
    this.prefix = basePath;
    this.base = `${this.prefix}${consolePath}`;
    this.origin = baseUrl().slice(0, -basePath.length || undefined);
    this.#fetch = fetch;
  }

  /** Sends a request to the service or the control plane of the namespace, as any client would. */
  async ask(method: string, path: string, question: Question = {}): Promise<Reply> {
    const answer = await this.fetch(method, path, question);
    const text = await answer.text();
    return { isOk: answer.ok, status: answer.status, text, body: parsed(text) };
  }

  /** The same for an answer that is a file. */
  async fetch(method: string, path: string, question: Question = {}): Promise<Response> {
    const { body, token, type, accept, agent = consoleAgent } = question;
    const content = typeof body === "object" && !(body instanceof Uint8Array) ? JSON.stringify(body) : body;
    const headers: Record<string, string> = { "User-Agent": agent };
    if (content !== undefined) headers["Content-Type"] = type ?? "application/json";
    if (token !== undefined) headers.Authorization = `Bearer ${token}`;
    if (accept !== undefined) headers.Accept = accept;
    const init = { method, headers, ...(content === undefined ? {} : { body: content }) };
    const answer = await this.#fetch(new Request(`${this.origin}${this.prefix}${path}`, init));
    this.asked.push({
      method,
      path,
      body: typeof content === "string" ? content : undefined,
      hasToken: token !== undefined,
      status: answer.status,
    });
    return answer;
  }

  /** The clock, which every page shows; it is no request of the page. */
  async clock(): Promise<Schemas["Clock"]> {
    const answer = await this.#fetch(new Request(`${this.origin}${this.prefix}/_emulator/clock`));
    return (await answer.json()) as Schemas["Clock"];
  }

  /** All organizations of the namespace. */
  async organizations(): Promise<readonly Organization[]> {
    if (this.#organizations === undefined) {
      const { body } = await this.ask("GET", "/_emulator/organizations");
      this.#organizations = (body as Schemas["OrganizationList"]).organizations;
    }
    return this.#organizations;
  }

  /** The organization that a page is about: the one asked for, else one that people share, with databases if there is. */
  async organization(asked: string | undefined): Promise<Organization | undefined> {
    const all = await this.organizations();
    const shared = all.filter(({ isPersonal }) => !isPersonal);
    return (
      all.find(({ organizationId }) => organizationId === asked) ??
      shared.find(({ databases }) => databases > 0) ??
      shared[0] ??
      all[0]
    );
  }

  /** Sends a request to the service in the name of the organization's owner. */
  async askAs(organizationId: string, method: string, path: string, body?: Question["body"]): Promise<Reply> {
    const token = await this.session(organizationId);
    return this.ask(method, path, { token, ...(body === undefined ? {} : { body }) });
  }

  /** An access token of the organization's owner; nothing where there is no such organization. */
  async session(organizationId: string): Promise<string | undefined> {
    const known = this.#sessions.get(organizationId);
    if (known !== undefined) return known;
    const owner = (await this.organizations()).find((one) => one.organizationId === organizationId);
    if (owner === undefined) return undefined;
    const token = await this.logIn(owner.ownerUserId, organizationId);
    if (token !== undefined) this.#sessions.set(organizationId, token);
    return token;
  }

  /** An access token of a user. */
  async logIn(userId: string, organizationId: string): Promise<string | undefined> {
    const { isOk, body } = await this.ask("POST", "/_emulator/sessions", {
      body: { userId, organizationId },
    });
    return isOk ? (body as Schemas["SessionCreated"]).accessToken : undefined;
  }

  /** The address of a page. */
  link(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): string {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      if (value !== undefined && value !== "") search.set(name, String(value));
    return `${this.base}${path}${search.size === 0 ? "" : `?${search.toString()}`}`;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
