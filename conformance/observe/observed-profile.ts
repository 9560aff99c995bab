import { gapIds } from "../../openapi/gaps/register.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { originField, type ProfileOrigin } from "../../openapi/gaps/profile-origin.js";
import { contractVersion } from "../../openapi/document/version.js";
import type { Observation } from "./observation.js";

/** A profile as observation writes it: every answer that was found, and where they come from. */
export type ObservedProfile = Partial<Profile> & { readonly [originField]: ProfileOrigin };

/**
 * Makes a profile of what was observed. The same deployment gives the same one: nothing in it is of the run, and the day
 * stays that of a profile from before where nothing else has changed.
 *
 * @param deployment base URL; credentials in it are left out
 * @param today as `2026-11-22`
 * @param before what stands in the file that is about to be written
 */
export function buildObservedProfile(
  observations: readonly Observation[],
  deployment: string,
  today: string,
  before?: unknown,
): ObservedProfile {
  const byGap = new Map(
    observations.flatMap((seen) => (seen.kind === "answer" ? [[seen.gap, seen.answer] as const] : [])),
  );
  // gaps of one area stand together, in the order of the register
  const answers = Object.fromEntries(
    gapIds.flatMap((gap) => (byGap.has(gap) ? [[gap, byGap.get(gap)]] : [])),
  ) as Partial<Profile>;
  const open = observations.flatMap(({ kind, gap }) => (kind === "answer" ? [] : [gap]));
  const made = (observed: string): ObservedProfile => ({
    [originField]: { deployment: withoutSecrets(deployment), observed, contract: contractVersion, open },
    ...answers,
  });
  const earlier = (before as { readonly [originField]?: { readonly observed?: unknown } } | undefined)?.[
    originField
  ]?.observed;
  if (typeof earlier === "string" && JSON.stringify(made(earlier)) === JSON.stringify(before))
    return made(earlier);
  return made(today);
}

function withoutSecrets(url: string): string {
  const parsed = new URL(url);
  parsed.username = "";
  parsed.password = "";
  parsed.search = "";
  return parsed.href.replace(/\/$/, "");
}
