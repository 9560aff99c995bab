import { getRoutes, type OperationDefinition, type Route } from "../operations/operation.js";
import { completeProfile, type Profile, type ProfileMistake } from "../gaps/profile.js";
import { serviceApi } from "../operations/register.js";

/**
 * Parses a user's profile. Completes it like {@link completeProfile}, and rejects routes that another operation uses.
 *
 * @param given a flat object, gap id → answer
 * @returns the complete profile, or every mistake in the given one
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
  const operations = Object.entries<OperationDefinition>(serviceApi.operations)
    // fixed routes first, because only the routes of a profile can be mistakes
    .sort(([, one], [, other]) => Number("gap" in one.routes) - Number("gap" in other.routes));
  for (const [id, definition] of operations) {
    const { routes } = definition;
    const own = getRoutes(definition, profile);
    if ("gap" in routes) {
      const other = taken.find(({ route }) => own.some((one) => canOverlap(one, route)));
      if (other !== undefined)
        mistakes.push({
          gap: routes.gap,
          detail: `${JSON.stringify(profile[routes.gap])} would also match requests for ${other.id}, ${other.route.method.toUpperCase()} ${other.route.path}`,
        });
    }
    taken.push(...own.map((route) => ({ id, route })));
  }
  return mistakes;
}

/** Whether a request can match both routes. */
function canOverlap(one: Route, other: Route): boolean {
  const segments = one.path.split("/");
  const otherSegments = other.path.split("/");
  return (
    one.method === other.method &&
    segments.length === otherSegments.length &&
    segments.every((segment, index) => {
      const opposite = otherSegments[index] ?? "";
      return segment === opposite || segment.startsWith("{") || opposite.startsWith("{");
    })
  );
}
