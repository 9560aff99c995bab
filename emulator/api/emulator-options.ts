import type { MiddlewareHandler } from "hono";
import type { FixtureName } from "../../fixtures/register.js";
import type { Seed } from "../../fixtures/seed.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { EmulatorEnv } from "../request/emulator-env.js";
import type { CompletedRequest } from "../request/completed-request.js";
import type { ClockMode } from "../time/clock.js";

/** Options of an emulator. Every option has a default. */
export interface EmulatorOptions {
  /**
   * The starting state: `demo` (default), `empty` or your own data. Give your own data as a path (`"./seed.yaml"`,
   * relative to the working directory) or file: URL of a seed file in YAML or JSON, or as an object of the same form.
   */
  readonly fixture?: FixtureName | (string & {}) | URL | Seed | undefined;
  /** Answers to gaps. Gaps that are not listed have their default answers. */
  readonly profile?: Partial<Profile> | undefined;
  /** Whether to reject fields and query parameters that the contract does not define. `profile` takes precedence. */
  readonly strict?: boolean | undefined;
  /** Seed for ids and tokens (default: the seed in the starting data, or 1). The same seed gives the same ids and tokens. */
  readonly seed?: number | undefined;
  /**
   * `manual` starts at 2030-01-01 and advances by one millisecond per request; `system` follows the machine's clock. The
   * default is the clock in the starting data, or `manual`.
   */
  readonly clock?: ClockMode | undefined;
  /**
   * A state file, or its bytes, created by `export`, `snapshots.download` or `data-service start --export-on-exit`. The
   * default namespace starts with this state instead of the fixture.
   */
  readonly data?: string | URL | Uint8Array | undefined;
  /** Maximum number of namespaces (default 1000). */
  readonly maxNamespaces?: number | undefined;
  /**
   * Maximum memory for the data of all namespaces and snapshots (default: half of the machine's memory, but at most
   * 2 GB). A request that needs more memory gets a 507 response and changes nothing.
   */
  readonly maxMemoryBytes?: number | undefined;
  /** Number of requests that the journal keeps with their responses (default 250). `false` keeps none. */
  readonly journal?: boolean | number | undefined;
  /** Whether to record which situations the requests cover, for `coverage()` (default true). */
  readonly coverage?: boolean | undefined;
  /** Whether to serve the pages at `/_emulator/console`, including checkout and portal (default true). */
  readonly console?: boolean | undefined;
  /** Host names that clients may use for the control plane, in addition to localhost and IP addresses. */
  readonly allowHosts?: readonly string[] | undefined;
  /** Deletes a namespace after this many seconds of real time without a request (default: never). */
  readonly namespaceIdleSeconds?: number | undefined;
  /**
   * Hono middleware around the service. It can observe or change requests and responses, including the errors of fault
   * rules, or respond itself. It does not see requests to which CORS responds or that a fault rule drops.
   */
  readonly middleware?: readonly MiddlewareHandler<EmulatorEnv>[] | undefined;
  /**
   * Called after each response, including those of the control plane, and when a namespace that was not used
   * is deleted.
   */
  readonly onRequest?: ((request: CompletedRequest) => void) | undefined;
}

/** Where to listen. */
export interface ListenOptions {
  /** Port (default 0: any free port). */
  readonly port?: number | undefined;
  /** Host name or address (default: the loopback interface). */
  readonly host?: string | undefined;
  /** Whether to use HTTPS, with a newly generated self-signed certificate (default false). */
  readonly https?: boolean | undefined;
}
