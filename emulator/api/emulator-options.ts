import type { MiddlewareHandler } from "hono";
import type { FixtureName } from "../../fixtures/register.js";
import type { Seed } from "../../fixtures/seed.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { EmulatorEnv } from "../request/emulator-env.js";
import type { AnsweredRequest } from "../request/answered-request.js";
import type { ClockMode } from "../time/clock.js";

/** How an emulator begins; every member has a default. */
export interface EmulatorOptions {
  /**
   * The starting state: `demo` (default), `empty`, or data of your own, as the path of a seed file in YAML or JSON
   * (`"./seed.yaml"`), a file: URL, or an object of the same form.
   */
  readonly fixture?: FixtureName | (string & {}) | URL | Seed | undefined;
  /** Answers to gaps; those left out are the default ones. */
  readonly profile?: Partial<Profile> | undefined;
  /** Refuses members and query parameters that the contract does not know; answers in `profile` win. */
  readonly strict?: boolean | undefined;
  /** What ids and tokens follow from (default 1, or that of `data`): the same seed gives the same ones. */
  readonly seed?: number | undefined;
  /**
   * `manual` (default) starts at 2030-01-01 and ticks a millisecond a request; `system` is the machine's time. With
   * `data` the default is to go on as they were written.
   */
  readonly clock?: ClockMode | undefined;
  /**
   * A file, or its bytes, that `export`, `snapshots.download` or `data-service start --export-on-exit` gave: what the
   * default namespace begins with, in place of the fixture.
   */
  readonly data?: string | URL | Uint8Array | undefined;
  /** How many namespaces there may be (default 1000). */
  readonly maxNamespaces?: number | undefined;
  /** How many requests are remembered with their answers (default 250); none with `false`. */
  readonly journal?: boolean | number | undefined;
  /** Whether there are pages at `/_emulator/console` (default true); checkout and portal are among them. */
  readonly console?: boolean | undefined;
  /** Host names under which clients may use the control plane, beside localhost and IP addresses. */
  readonly allowHosts?: readonly string[] | undefined;
  /** After how many seconds without a request a namespace goes, by the machine's time (default: never). */
  readonly namespaceIdleSeconds?: number | undefined;
  /**
   * Hono middleware around the service: it can change a request or a response, answer by itself, or observe. It stands
   * inside the journal, CORS and the fault rules: what those answer by themselves it does not see.
   */
  readonly middleware?: readonly MiddlewareHandler<EmulatorEnv>[] | undefined;
  /** Is told of every request when it is answered, also of those of the control plane. */
  readonly onRequest?: ((request: AnsweredRequest) => void) | undefined;
}

/** Where to listen; the defaults are port 0, any free one, on the loopback interface. */
export interface ListenOptions {
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  /** Listens with a self-signed certificate, made for this occasion. */
  readonly https?: boolean | undefined;
}
