import type { MiddlewareHandler } from "hono";
import type { FixtureName } from "../../fixtures/register.js";
import type { Seed } from "../../fixtures/seed.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { EmulatorEnv } from "../request/emulator-env.js";
import type { AnsweredRequest } from "../request/answered-request.js";
import type { ClockMode } from "../time/clock.js";

/** Options of an emulator; every field has a default. */
export interface EmulatorOptions {
  /**
   * The starting state: `demo` (default), `empty`, or your own data, as the path of a seed file in YAML or JSON
   * (`"./seed.yaml"`), a file: URL, or an object of the same form.
   */
  readonly fixture?: FixtureName | (string & {}) | URL | Seed | undefined;
  /** Answers to gaps; omitted gaps have the default answer. */
  readonly profile?: Partial<Profile> | undefined;
  /** Rejects fields and query parameters that the contract does not define; answers in `profile` take precedence. */
  readonly strict?: boolean | undefined;
  /** The seed of ids and tokens (default 1, or that of `data`): the same seed gives the same ones. */
  readonly seed?: number | undefined;
  /**
   * `manual` (default) starts at 2030-01-01 and ticks one millisecond per request; `system` is the machine's time. With
   * `data` the default is the saved clock.
   */
  readonly clock?: ClockMode | undefined;
  /**
   * A state file, or its bytes, from `export`, `snapshots.download` or `data-service start --export-on-exit`. The
   * default namespace starts with it instead of the fixture.
   */
  readonly data?: string | URL | Uint8Array | undefined;
  /** The maximum number of namespaces (default 1000). */
  readonly maxNamespaces?: number | undefined;
  /**
   * The maximum memory for the data of all namespaces and snapshots (default: half of the machine's, 2 GB at most). A
   * request that needs more gets 507 and changes nothing.
   */
  readonly maxMemoryBytes?: number | undefined;
  /** How many requests the journal keeps with their responses (default 250); `false` keeps none. */
  readonly journal?: boolean | number | undefined;
  /** Whether to count which situations the requests meet, for `coverage()` (default true). */
  readonly coverage?: boolean | undefined;
  /** Whether to serve the pages at `/_emulator/console`, checkout and portal included (default true). */
  readonly console?: boolean | undefined;
  /** Host names under which clients may use the control plane, beside localhost and IP addresses. */
  readonly allowHosts?: readonly string[] | undefined;
  /** Deletes a namespace after this many seconds of real time without a request (default: never). */
  readonly namespaceIdleSeconds?: number | undefined;
  /**
   * Hono middleware around the service: it can change a request or a response, respond itself, or observe. It runs
   * after the journal, CORS and the fault rules, and does not see the requests that those answer.
   */
  readonly middleware?: readonly MiddlewareHandler<EmulatorEnv>[] | undefined;
  /** Called with every answered request, including those to the control plane. */
  readonly onRequest?: ((request: AnsweredRequest) => void) | undefined;
}

/** Where to listen; by default on any free port (0) of the loopback interface. */
export interface ListenOptions {
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  /** Listens with a newly generated self-signed certificate. */
  readonly https?: boolean | undefined;
}
