import { serviceApi } from "../../openapi/operations/register.js";
import type { OperationDefinition } from "../../openapi/operations/operation.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { getEditDistance, getWeightedEditDistance } from "../../openapi/text/find-nearest.js";
import { memoize } from "../../openapi/text/memoize.js";

const maxSegments = 12;
const maxSegmentLength = 64;
/** The maximum distance of a path: two missing or additional segments and a misspelled one. */
const maxCost = 2.5;
/** The prefix of some, but not all, paths of the contract. */
const prefix = ["api", "v1"];
const prefixCost = 0.5;

/** Finds the path of the contract that an unknown path most likely means. */
export function findNearestPath(path: string, profile: Profile): string | undefined {
  const given = path.split("/").slice(1);
  if (given.length > maxSegments) return undefined;
  const hasPrefix = prefix.every((segment, index) => given[index] === segment);
  const flipped = hasPrefix ? given.slice(prefix.length) : [...prefix, ...given];
  let best: { readonly template: readonly string[]; readonly cost: number } | undefined;
  for (const template of getTemplates(profile)) {
    const otherwise = getPathDistance(flipped, template);
    // Without the prefix, only one segment may be misspelled.
    const cost = Math.min(
      getPathDistance(given, template),
      otherwise < 1 ? prefixCost + otherwise : Infinity,
    );
    // At least one segment must match.
    if (cost <= maxCost && cost < given.length && (best === undefined || cost < best.cost))
      best = { template, cost };
  }
  return best === undefined ? undefined : `/${best.template.join("/")}`;
}

const getTemplates = memoize((profile: Profile) => {
  const paths = Object.values<OperationDefinition>(serviceApi.operations).flatMap(({ routes }) =>
    "gap" in routes ? routes.alternatives(profile).flatMap((way) => way) : [routes],
  );
  return [...new Set(paths.map((route) => route.path))].map((path) => path.split("/").slice(1));
}, new WeakMap());

/** Counts the segments that are added, omitted or misspelled between a path and a template. */
function getPathDistance(given: readonly string[], template: readonly string[]): number {
  if (Math.abs(given.length - template.length) > 2) return Infinity;
  return getWeightedEditDistance(given, template, getSegmentDistance);
}

function getSegmentDistance(given: string, wanted: string): number {
  // An equal word of the contract is better than a parameter.
  if (wanted.startsWith("{")) return given === "" ? 1 : 0.01;
  if (given === wanted) return 0;
  if (given.length > maxSegmentLength) return Infinity;
  const distance = getEditDistance(given.toLowerCase(), wanted);
  // A different word costs as much as omitting one and adding one.
  return distance <= Math.max(1, Math.floor(wanted.length / 3)) ? 0.5 : 2;
}
