import type { OperationDefinition, Route } from "../operations/operation.js";
import { completeProfile, type Profile, type ProfileMistake } from "../gaps/profile.js";
import { serviceApi } from "../operations/register.js";

/**
 * Reads a profile that somebody has written: like {@link completeProfile}, and no route that it names may be that of
 * another operation.
 *
 * @param given a flat object, gap id → answer
 * @returns the whole profile, or every mistake in the given one
 */
export function parseProfile(
  given: unknown,
): { readonly profile: Profile } | { readonly mistakes: readonly ProfileMistake[] } {
  const completed = completeProfile(given);
  if ("mistakes" in completed) return completed;
  const mistakes = findRouteCollisions(completed.profile);
  return mistakes.length > 0 ? { mistakes } : completed;
}

function findRouteCollisions(profile: Profile): readonly ProfileMistake[] {
  const mistakes: ProfileMistake[] = [];
  const taken: { readonly id: string; readonly route: Route }[] = [];
  const operations = Object.entries<OperationDefinition>(serviceApi.operations);
  for (const [id, { routes }] of operations) if (!("gap" in routes)) taken.push({ id, route: routes });
  for (const [id, { routes }] of operations) {
    if (!("gap" in routes)) continue;
    const own = routes.alternatives(profile).flat();
    const met = taken.find((other) => own.some((route) => overlap(route, other.route)));
    if (met !== undefined)
      mistakes.push({
        gap: routes.gap,
        detail: `${JSON.stringify(profile[routes.gap])} would also match requests for ${met.id}, ${met.route.method.toUpperCase()} ${met.route.path}`,
      });
    taken.push(...own.map((route) => ({ id, route })));
  }
  return mistakes;
}

/** Whether one request can be meant for both. */
function overlap(one: Route, other: Route): boolean {
  const [own, theirs] = [one.path.split("/"), other.path.split("/")];
  return (
    one.method === other.method &&
    own.length === theirs.length &&
    own.every((segment, index) => {
      const opposite = theirs[index] ?? "";
      return segment === opposite || segment.startsWith("{") || opposite.startsWith("{");
    })
  );
}
