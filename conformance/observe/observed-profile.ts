import { gapIds } from "../../openapi/gaps/register.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { profileOriginField, type ProfileOrigin } from "../../openapi/gaps/profile-origin.js";
import { contractVersion } from "../../openapi/document/version.js";
import type { Observation } from "./observation.js";

/** A profile written by an observation: every answer that was found, and its origin. */
type ObservedProfile = Partial<Profile> & { readonly [profileOriginField]: ProfileOrigin };

/**
 * Builds a profile from observations. The same deployment always gives the same profile: it contains nothing specific to
 * the run, and keeps the date of the previous profile if nothing else has changed.
 *
 * @param deployment base URL; credentials in the URL are omitted
 * @param today the date in the format `2026-11-22`
 * @param before previous content of the file
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
  // Gaps are in the order of the register.
  const answers = Object.fromEntries(
    gapIds.flatMap((gap) => (byGap.has(gap) ? [[gap, byGap.get(gap)]] : [])),
  ) as Partial<Profile>;
  const open = observations.flatMap(({ kind, gap }) => (kind === "answer" ? [] : [gap]));
  const made = (observed: string): ObservedProfile => ({
    [profileOriginField]: {
      deployment: withoutSecrets(deployment),
      observed,
      contract: contractVersion,
      open,
    },
    ...answers,
  });
  const earlier = (
    before as { readonly [profileOriginField]?: { readonly observed?: unknown } } | undefined
  )?.[profileOriginField]?.observed;
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
