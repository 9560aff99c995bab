import type { Check } from "../check/check.js";
import { RunError } from "../client/violation.js";

/** One part of a run on several machines. */
export interface Shard {
  /** Starts at 1. */
  readonly index: number;
  readonly count: number;
}

/**
 * Parses a shard such as `2/4`.
 *
 * @throws RunError when the text is not a shard
 */
export function parseShard(text: string): Shard {
  const [, index = "", count = ""] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (shard.count < 1 || shard.index < 1 || shard.index > shard.count)
    throw new RunError(`"${text}" is not a shard; write the second of four shards as 2/4`);
  return shard;
}

/**
 * Selects the checks of a shard. Every check is in exactly one shard, except preconditions, which are in all shards. Checks
 * that depend on each other (`after`) are in the same shard. Shards have about the same size. The result depends only on
 * the checks and keeps their order.
 */
export function selectShard(checks: readonly Check[], { index, count }: Shard): readonly Check[] {
  const shards = Array.from({ length: count }, (): Check[] => []);
  for (const group of groupChecks(checks)) {
    const least = Math.min(...shards.map(({ length }) => length));
    shards.find(({ length }) => length === least)?.push(...group);
  }
  return checks.filter(
    (check) => check.isPrecondition === true || shards[index - 1]?.includes(check) === true,
  );
}

/** Groups checks that depend on each other, the largest group first. */
function groupChecks(checks: readonly Check[]): readonly (readonly Check[])[] {
  const parents = new Map<string, string>();
  const getRoot = (id: string): string => {
    const parent = parents.get(id) ?? id;
    return parent === id ? id : getRoot(parent);
  };
  const ids = new Set<string>(checks.map(({ id }) => id));
  for (const { id, after = [] } of checks)
    for (const other of after) if (ids.has(other)) parents.set(getRoot(id), getRoot(other));
  const groups = new Map<string, Check[]>();
  for (const check of checks)
    if (check.isPrecondition !== true) {
      const root = getRoot(check.id);
      groups.set(root, [...(groups.get(root) ?? []), check]);
    }
  return [...groups.values()].sort((a, b) => b.length - a.length);
}
