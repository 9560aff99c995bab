import type { MiddlewareHandler } from "hono";
import type { EmulatorEnv } from "./request/emulator-env.js";

/** Settings of the commands, as in a file `data-service.config.*`. */
export interface DataServiceConfig {
  /** Options of `start`, and of `exec` except for `port`, `json`, `watch` and `persist`. */
  readonly start?: StartConfig;
}

/** Options of `data-service start`; `data-service start --help` describes them. */
export interface StartConfig {
  readonly port?: number;
  readonly host?: string;
  readonly allowHost?: string | readonly string[];
  readonly https?: boolean;
  /** A built-in fixture (`demo` or `empty`) or the path of a seed file. */
  readonly fixture?: string;
  /** Path of a profile. */
  readonly profile?: string;
  readonly strict?: boolean;
  readonly seed?: number;
  readonly clock?: "manual" | "system";
  /** Path of a state file. */
  readonly data?: string;
  /** Path of a state file, or whether to write to that of `data`. */
  readonly exportOnExit?: boolean | string;
  /** Number of requests that the journal keeps, or `false` for no journal. */
  readonly journal?: number | false;
  readonly coverage?: boolean;
  readonly console?: boolean;
  /** A duration such as `10m`, or seconds. */
  readonly namespaceTtl?: string | number;
  /** A size such as `512MB`. */
  readonly maxMemory?: string;
  readonly log?: "requests" | "problems" | "none";
  readonly exitWithParent?: boolean;
  /** Path of a folder. */
  readonly persist?: string;
  readonly watch?: boolean;
  readonly json?: boolean;
  /** Hono middleware around the service. */
  readonly middleware?: readonly MiddlewareHandler<EmulatorEnv>[];
}

/** Returns the settings as they are; gives them their types in `export default defineConfig({ … })`. */
export function defineConfig(config: DataServiceConfig): DataServiceConfig {
  return config;
}
