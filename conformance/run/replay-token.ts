import type { Check } from "../check/check.js";
import type { ReplayedCase } from "../check/context.js";
import { parseJsonOrUndefined } from "../client/json-text.js";
import { RunError } from "../client/violation.js";
import type { Failure } from "./result.js";

/** A case to reproduce. */
export interface ReplayRequest {
  readonly check: Check["id"];
  /** Seed of the whole run. */
  readonly seed: number;
  /** Number of inputs tried per property in the run: a failure may depend on earlier inputs. */
  readonly runs: number;
  /** The failing input; without it, the whole check runs again. */
  readonly replay?: ReplayedCase;
}

/** Content of a token: the check, seed and runs; for a property also its index, its seed and the path. */
type Contents = readonly [string, number, number] | readonly [string, number, number, number, number, string];

/** Encodes the token with which `certify --replay` reproduces a failure. */
export function encodeReplayToken(
  check: Check["id"],
  { seed, runs }: Pick<ReplayRequest, "seed" | "runs">,
  { property }: Partial<Failure>,
): string {
  const contents: Contents =
    property === undefined
      ? [check, seed, runs]
      : [check, seed, runs, property.index, property.seed, property.path];
  return Buffer.from(JSON.stringify(contents)).toString("base64url");
}

/**
 * Decodes a token from {@link encodeReplayToken}.
 *
 * @throws RunError when the token is invalid or its check is unknown
 */
export function decodeReplayToken(token: string, checks: readonly Check[]): ReplayRequest {
  const contents = parseContents(token);
  if (contents === undefined)
    throw new RunError("invalid replay token; copy the whole token from the failure report");
  const [id, seed, runs, index, propertySeed, path] = contents;
  const check = checks.find((known) => known.id === id);
  if (check === undefined)
    throw new RunError(
      `this version of the suite does not have the check ${id}; use the version that wrote the token`,
    );
  return {
    check: check.id,
    seed,
    runs,
    ...(index === undefined || propertySeed === undefined || path === undefined
      ? {}
      : { replay: { index, seed: propertySeed, path } }),
  };
}

function parseContents(token: string): Contents | undefined {
  const contents = parseJsonOrUndefined(Buffer.from(token, "base64url").toString());
  if (!Array.isArray(contents)) return undefined;
  const types = contents.map((part) => typeof part).join();
  const isValid = types === "string,number,number" || types === "string,number,number,number,number,string";
  return isValid && /^$|^\d+(:\d+)*$/.test(String(contents[5] ?? ""))
    ? (contents as unknown as Contents)
    : undefined;
}
