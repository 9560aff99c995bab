import type { Profile } from "../../openapi/gaps/profile.js";
import { createEmulator, type Emulator, type EmulatorOptions } from "../api/emulator.js";
import { buildControlPlaneDocument } from "../../openapi/control-plane/document.js";
import { type Contract, getContract } from "../request/get-contract.js";
import { ContractWatcher } from "./contract-watcher.js";

/** A response with its text and its parsed body. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The body as received. */
  readonly text: string;
  /** The parsed body; `undefined` when it is empty. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into bodies of every shape
  readonly body: any;
}

export interface TestRequest {
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly rawBody?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

type Send = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Sends requests as one caller, and validates each response against the strict contract. The `Authorization` header
 * contains `credential`; without a credential, there is no such header.
 */
export class TestClient {
  readonly #send: Send;
  readonly #watcher: () => ContractWatcher;
  readonly #credential: string | undefined;

  constructor(send: Send, watcher: () => ContractWatcher, credential?: string) {
    this.#send = send;
    this.#watcher = watcher;
    this.#credential = credential;
  }

  /** Returns a client with another credential. */
  as(credential: string | undefined): TestClient {
    return new TestClient(this.#send, this.#watcher, credential);
  }

  async request(
    method: string,
    target: string,
    { body, rawBody, headers = {} }: TestRequest = {},
  ): Promise<TestResponse> {
    const content = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await this.#send(target, {
      method,
      headers: {
        ...(content === undefined ? {} : { "Content-Type": "application/json" }),
        ...(this.#credential === undefined ? {} : { Authorization: `Bearer ${this.#credential}` }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
    });
    const text = await response.text();
    const isJson = (response.headers.get("content-type") ?? "").includes("json");
    const answer: TestResponse = {
      status: response.status,
      headers: response.headers,
      text,
      body: text === "" ? undefined : isJson ? (JSON.parse(text) as unknown) : text,
    };
    const path = (target.split("?")[0] ?? "").replace(/^\/ns\/[^/]+(?=\/)/, "");
    if (!["OPTIONS", "HEAD"].includes(method))
      this.#watcher().check(method, path, {
        status: answer.status,
        header: (name) => answer.headers.get(name) ?? undefined,
        body: answer.body as unknown,
      });
    return answer;
  }

  get = (target: string) => this.request("GET", target);
  post = (target: string, body?: unknown) => this.request("POST", target, { body });
  put = (target: string, body?: unknown) => this.request("PUT", target, { body });
  patch = (target: string, body?: unknown) => this.request("PATCH", target, { body });
  delete = (target: string) => this.request("DELETE", target);
}

/** An emulator for a test, with clients for the service and the control plane. */
export interface TestEmulator {
  readonly emulator: Emulator;
  /** A client without a credential. */
  readonly client: TestClient;
  /** A client of the control plane. */
  readonly control: TestClient;
  /** Logs in a user of the demo fixture; returns a client with an access token for one of the user's organizations. */
  readonly login: (email: string, organizationId?: string) => Promise<TestClient>;
  /** Returns the access token and refresh token of a user. */
  readonly tokens: (email: string, organizationId?: string) => Promise<Tokens>;
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** One watcher per contract. */
const watchers = new WeakMap<Shown, ContractWatcher>();
type Shown = Pick<Contract, "document">;

const controlContract: Shown = { document: buildControlPlaneDocument() };

function getWatcher(contract: Shown): ContractWatcher {
  const known = watchers.get(contract) ?? new ContractWatcher(contract);
  watchers.set(contract, known);
  return known;
}

/** The base URL of in-process requests; no server listens there. */
const nowhere = "http://localhost";

/**
 * Starts an emulator for tests: in-process, or listening on a port with `over: "socket"`. Close it with
 * `emulator.close()`.
 */
export async function createTestEmulator(
  options: EmulatorOptions & { readonly over?: "process" | "socket" } = {},
): Promise<TestEmulator> {
  const { over = "process", ...rest } = options;
  const emulator = await createEmulator(rest);
  const base = over === "socket" ? await emulator.listen() : nowhere;
  const send: Send = (target, init) =>
    over === "socket" ? fetch(base + target, init) : emulator.fetch(base + target, init);
  const watcher = () => getWatcher(getContract(emulator.profile.get() as Profile));
  const client = new TestClient(send, watcher);
  const tokens = async (email: string, organizationId?: string): Promise<Tokens> => {
    const login = await client.post("/auth/password", { email, password: "demo-password" });
    const session = (login.body as { authResponse: Tokens }).authResponse;
    if (organizationId === undefined) return session;
    const switched = await client
      .as(session.accessToken)
      .post("/auth/switch-organization", { organizationId });
    return switched.body as Tokens;
  };
  return {
    emulator,
    client,
    control: new TestClient(send, () => getWatcher(controlContract)),
    tokens,
    login: async (email, organizationId) => client.as((await tokens(email, organizationId)).accessToken),
  };
}
