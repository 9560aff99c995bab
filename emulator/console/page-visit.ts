import type { OperationObject } from "openapi3-ts/oas31";
import type {
  components as Control,
  operations as ControlOperations,
} from "../../openapi/generated/control-plane-types.js";
import type {
  components as Service,
  operations as ServiceOperations,
} from "../../openapi/generated/service-types.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { memoize } from "../../openapi/text/memoize.js";
import type { Scope } from "../../openapi/schemas/roles.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";
import { fillPath } from "../../openapi/text/path-template.js";
import { hasScope } from "../access/authorize.js";
import type { Namespaces } from "../namespaces/namespaces.js";
import { defaultNamespace } from "../request/name.js";
import type { RequestTarget } from "../service/service-env.js";
import { type ApiOperationId, selectRoute, type FieldValues } from "./contract.js";
import {
  toRejectedRequestError,
  RejectedRequestError,
  type ConsoleResponse,
} from "./rejected-request-error.js";
import { tryTo } from "../../openapi/text/try-to.js";

/** The user agent of the console's requests. */
export const consoleUserAgent = "data-service-console";

/** Path of the console, below the path of a namespace. */
export const consolePath = "/_emulator/console";

/** The schemas of the control plane and the service. */
export type Schemas = Control["schemas"] & Omit<Service["schemas"], keyof Control["schemas"]>;

type Operations = ControlOperations & ServiceOperations;
/** The response body of an operation. */
type AnswerBody<Id extends ApiOperationId> = Operations[Id]["responses"] extends
  | { 200: { content: { "application/json": infer Body } } }
  | { 201: { content: { "application/json": infer Body } } }
  ? Body
  : undefined;

/** The context of a request to a page. */
export interface ConsoleBindings {
  readonly namespaces: Namespaces;
  readonly target: RequestTarget;
  /**
   * Sends a request to the service or the control plane, in-process.
   *
   * @param isView whether the request only reads what a page shows, and therefore leaves no trace
   */
  readonly fetch: (request: Request, isView: boolean) => Response | Promise<Response>;
  /** Whether the emulator is listening; live pages stop when it is not. */
  readonly isListening: () => boolean;
}

/** A call of an operation. */
interface ConsoleCallOptions {
  readonly params?: FieldValues;
  readonly query?: ConsoleQuery;
  /** A value to serialize as JSON, or a JSON text. */
  readonly body?: object | string | undefined;
  /** Whether a user triggered the request, so that it counts and appears in the journal. Other requests are page views. */
  readonly isAction?: boolean;
  /** The organization with whose credential the request is sent. */
  readonly as?: string | undefined;
}

export type ConsoleQuery = Readonly<Record<string, string | number | undefined>>;

export type ConsoleOrganization = Schemas["OrganizationEntry"];

/** A request, without its access token. */
interface SentRequest {
  readonly method: string;
  /** Path after the namespace's base URL, with the query. */
  readonly path: string;
  readonly body: string | undefined;
  readonly contentType: string | undefined;
  /** The caller, if the request has a credential: a user, an API key, or unknown. */
  readonly caller: TokenUser | { readonly key: string } | "unknown" | undefined;
}

/** A user with the organization of their access token. */
interface TokenUser {
  readonly userId: string;
  readonly organizationId: string;
}

/** A request to a page, with the requests that the page makes to the emulator. */
export class PageVisit {
  readonly namespace: string;
  readonly profile: Profile;
  /** The path prefix of the application in which the emulator is mounted. */
  readonly mount: string;
  /** Path prefix of this namespace. */
  readonly prefix: string;
  readonly origin: string;
  /** The address of the page itself. */
  readonly self: string;
  /** The query parameters, except `done`. */
  readonly query: Readonly<Record<string, string>>;
  /** The requests that the page sent, with the status of each response. */
  readonly sentRequests: (SentRequest & { readonly status: number })[] = [];
  readonly #fetch: ConsoleBindings["fetch"];
  #organizations: Promise<readonly ConsoleOrganization[]> | undefined;

  constructor({ fetch, target, namespaces }: ConsoleBindings) {
    const { basePath, baseUrl, mount, namespace, path, query } = target;
    this.namespace = namespace === "" ? defaultNamespace : namespace;
    this.profile = (namespaces.getExisting(namespace) ?? namespaces.options).profile;
    this.mount = mount;
    this.prefix = basePath;
    this.origin = baseUrl().slice(0, -basePath.length || undefined);
    this.self = `${basePath}${path}${query === "" ? "" : `?${query}`}`;
    this.query = Object.fromEntries([...new URLSearchParams(query)].filter(([name]) => name !== "done"));
    this.#fetch = fetch;
  }

  /** Calls an operation. @throws {RejectedRequestError} unless it succeeds */
  async call(id: ApiOperationId, options: ConsoleCallOptions = {}): Promise<ConsoleResponse> {
    const { params = {}, query = {}, as, body, isAction = false } = options;
    const { method, path: template, operation } = selectRoute(id, this.profile, params);
    const credential = as === undefined ? undefined : await this.#findCredential(as, operation);
    const filled = tryTo(() => fillPath(template, params));
    if (filled === undefined)
      throw new RejectedRequestError(400, [
        "URLs cannot contain the path segments . and .., so this request cannot be sent.",
      ]);
    const path = `${filled}${formatQuery(query)}`;
    const content = typeof body === "object" ? JSON.stringify(body) : body;
    const headers: Record<string, string> = { "User-Agent": consoleUserAgent };
    const contentType = content === undefined ? undefined : "application/json";
    if (contentType !== undefined) headers["Content-Type"] = contentType;
    if (credential !== undefined) headers.Authorization = `Bearer ${credential.token}`;
    const init = { method, headers, ...(content === undefined ? {} : { body: content }) };
    const request = new Request(`${this.origin}${this.prefix}${path}`, init);
    const { status, text } = await receive(this.#fetch(request, !isAction));
    this.sentRequests.push({ method, path, body: content, contentType, caller: credential?.caller, status });
    const reply = { status, text, body: tryTo(() => JSON.parse(text) as unknown) };
    if (status >= 300) throw toRejectedRequestError(reply);
    return reply;
  }

  /** Calls an operation and returns the response body. @throws {RejectedRequestError} unless it succeeds */
  async read<Id extends ApiOperationId>(id: Id, call: ConsoleCallOptions = {}): Promise<AnswerBody<Id>> {
    return (await this.call(id, call)).body as AnswerBody<Id>;
  }

  /** Reads the clock, which every page shows. This is not listed as a request of the page. */
  async clock(): Promise<Schemas["Clock"]> {
    const response = await this.#fetch(new Request(`${this.origin}${this.prefix}/_emulator/clock`), true);
    return (await response.json()) as Schemas["Clock"];
  }

  /** All organizations of the namespace. */
  async organizations(): Promise<readonly ConsoleOrganization[]> {
    this.#organizations ??= this.read("listOrganizations").then(({ organizations }) => organizations);
    return this.#organizations;
  }

  async findOrganization(organizationId: string): Promise<ConsoleOrganization | undefined> {
    return (await this.organizations()).find((one) => one.organizationId === organizationId);
  }

  /** Finds the requested organization. By default, prefers shared organizations, especially those with databases. */
  async organization(requested: string | undefined): Promise<ConsoleOrganization | undefined> {
    const all = await this.organizations();
    const shared = all.filter(({ isPersonal }) => !isPersonal);
    return (
      all.find(({ organizationId }) => organizationId === requested) ??
      shared.find(({ databases }) => databases > 0) ??
      shared[0] ??
      all[0]
    );
  }

  /** Finds an API key for an operation that accepts only API keys (gap `data-credential`); otherwise logs in the owner. */
  async #findCredential(organizationId: string, { security = [] }: OperationObject) {
    const { accessToken, apiKey: [scope] = [] } = Object.assign({}, ...security) as Record<string, Scope[]>;
    if (accessToken === undefined && scope !== undefined) {
      const keys = await this.#listKeys(organizationId);
      const key = keys.find(({ scopes }) => hasScope(scopes, scope, this.profile))?.key;
      if (key !== undefined) return { caller: { key }, token: key };
    }
    return this.#logInOwner(organizationId);
  }

  readonly #listKeys = memoize(async (organizationId: string) => {
    const { now } = await this.clock();
    const { apiKeys } = await this.read("listApiKeys");
    return apiKeys.filter(
      (key) => key.organizationId === organizationId && (key.expiresAt === null || key.expiresAt > now),
    );
  });

  /** Logs in the owner of an organization, if there is such an organization. */
  readonly #logInOwner = memoize(async (organizationId: string) => {
    const found = await this.findOrganization(organizationId);
    if (found === undefined) return undefined;
    const user: TokenUser = { userId: found.ownerUserId, organizationId };
    return { caller: user, token: (await this.read("createSession", { body: user })).accessToken };
  });

  /** Formats a request as a shell command, after a command that gets the access token, if one is needed. */
  curl({ method, path, body, contentType, caller }: SentRequest): string {
    const isUser = typeof caller === "object" && "userId" in caller;
    const credential = typeof caller === "object" && "key" in caller ? caller.key : "$TOKEN";
    const command = [
      "curl",
      // The certificate is self-signed.
      ...(this.origin.startsWith("https:") ? ["--insecure"] : []),
      // Without it, curl sends a request for each choice in such brackets.
      ...(/[[\]{}]/.test(path) ? ["--globoff"] : []),
      // With -X HEAD, curl would wait for a body.
      ...(method === "GET" ? [] : method === "HEAD" ? ["--head"] : ["-X", method]),
      quote(`${this.origin}${this.prefix}${path}`),
      // In double quotes, so that the shell expands the variable.
      ...(caller === undefined ? [] : ["-H", `"Authorization: Bearer ${credential}"`]),
      // An empty header keeps curl from adding its own content type.
      ...(contentType === undefined && body === undefined
        ? []
        : ["-H", quote(`Content-Type: ${contentType ?? ""}`.trim())]),
      ...(body === undefined ? [] : ["--data-raw", quote(body)]),
    ].join(" ");
    if (caller === "unknown")
      return `TOKEN= # add the credential, which the journal does not keep\n${command}`;
    if (!isUser) return command;
    const token = this.curl({
      method: "POST",
      path: "/_emulator/sessions",
      body: JSON.stringify(caller),
      contentType: "application/json",
      caller: undefined,
    }).replace("curl", "curl -s");
    return String.raw`TOKEN=$(${token} | sed 's/.*"accessToken":"\([^"]*\)".*/\1/')` + `\n${command}`;
  }

  /** Returns a page size, reduced to the largest one under the profile. */
  getPageSize(preferred: number): number {
    return Math.min(preferred, this.profile["page-limit-max"]);
  }

  /** Returns the address of a page. */
  link(path: string, query: ConsoleQuery = {}): string {
    return `${this.prefix}${consolePath}${path}${formatQuery(query)}`;
  }
}

/** Awaits a whole response. @throws {RejectedRequestError} if a fault rule broke the connection */
async function receive(sent: Response | Promise<Response>) {
  try {
    const response = await sent;
    return { status: response.status, text: await response.text() };
  } catch (error) {
    throw new RejectedRequestError(502, [
      `There was no whole response (${toErrorMessage(error)}), probably because of a fault rule. The request may have had its effect.`,
    ]);
  }
}

function formatQuery(query: ConsoleQuery): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  if (given.length === 0) return "";
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
}

/** Quotes a text for a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
