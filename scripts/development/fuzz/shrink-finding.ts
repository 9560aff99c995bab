import type { FuzzRequest } from "./fuzz-request.js";
import type { Finding, FindingKind } from "./fuzz-round.js";

/** Sends requests one by one to a new emulator. */
export type Replay = (requests: readonly FuzzRequest[]) => Promise<Finding | undefined>;

/** How many replays a smaller file is worth. */
const maxReplays = 40;

export interface Shrunk {
  readonly requests: readonly FuzzRequest[];
  readonly finding: Finding;
}

/**
 * Looks for fewer requests that lead to a finding of the same kind.
 *
 * @param requests those of a round up to the finding
 * @returns nothing where they do not lead to it again
 */
export async function shrinkFinding(
  requests: readonly FuzzRequest[],
  kind: FindingKind,
  replay: Replay,
): Promise<Shrunk | undefined> {
  let left = maxReplays;
  const attempt = async (fewer: readonly FuzzRequest[]): Promise<Shrunk | undefined> => {
    left -= 1;
    const finding = await replay(fewer);
    return finding?.kind === kind ? { requests: fewer.slice(0, finding.at + 1), finding } : undefined;
  };
  for (const length of [1, 8, 64]) {
    if (length >= requests.length) break;
    const shrunk = await attempt(requests.slice(-length));
    if (shrunk !== undefined) return leaveOut(shrunk);
  }
  const whole = await attempt(requests);
  return whole === undefined ? undefined : leaveOut(whole);

  /** Leaves out runs of requests before the last one, shorter and shorter ones. */
  async function leaveOut(found: Shrunk): Promise<Shrunk> {
    let shrunk = found;
    for (
      let run = Math.ceil(shrunk.requests.length / 2);
      run >= 1 && left > 0;
      run = run === 1 ? 0 : Math.ceil(run / 2)
    )
      for (let from = 0; from < shrunk.requests.length - 1 && left > 0;) {
        const end = Math.min(from + run, shrunk.requests.length - 1);
        const fewer = await attempt([...shrunk.requests.slice(0, from), ...shrunk.requests.slice(end)]);
        if (fewer === undefined) from += run;
        else shrunk = fewer;
      }
    return shrunk;
  }
}
