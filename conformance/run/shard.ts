import type { Check } from "../check/check.js";
import { RunTrouble } from "../client/violation.js";
import { costOf } from "./check-cost.js";

/** One part of a run that goes on on several machines. */
export interface Shard {
  /** From 1 on. */
  readonly index: number;
  readonly count: number;
}

/**
 * Reads `2/4`.
 *
 * @throws RunTrouble when it is no shard
 */
export function readShard(text: string): Shard {
  const [, index = "", count = ""] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (shard.count < 1 || shard.index < 1 || shard.index > shard.count)
    throw new RunTrouble(`"${text}" is no shard; write the second of four as 2/4`);
  return shard;
}

/**
 * The checks of a shard: all shards together have every check once, preconditions aside, which every shard looks at. Checks
 * that hang together by `after` stay together, and each shard gets about as much to do. The same checks always go the same
 * way, in their order.
 */
export function checksOfShard(checks: readonly Check[], { index, count }: Shard): readonly Check[] {
  const loads = new Array<number>(count).fill(0);
  const mine = new Set<Check>();
  for (const group of groupsOf(checks)) {
    const least = loads.indexOf(Math.min(...loads));
    loads[least] = (loads[least] ?? 0) + group.cost;
    if (least === index - 1) for (const check of group.checks) mine.add(check);
  }
  return checks.filter((check) => check.isPrecondition === true || mine.has(check));
}

interface Group {
  readonly checks: readonly Check[];
  readonly cost: number;
}

/** Checks that build on each other, the costliest group first. */
function groupsOf(checks: readonly Check[]): readonly Group[] {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    const parent = parents.get(id) ?? id;
    return parent === id ? id : rootOf(parent);
  };
  const ids = new Set<string>(checks.map(({ id }) => id));
  for (const { id, after = [] } of checks)
    for (const other of after) if (ids.has(other)) parents.set(rootOf(id), rootOf(other));
  const groups = new Map<string, Check[]>();
  for (const check of checks)
    if (check.isPrecondition !== true) {
      const root = rootOf(check.id);
      groups.set(root, [...(groups.get(root) ?? []), check]);
    }
  return [...groups]
    .map(([root, members]) => ({
      root,
      checks: members,
      cost: members.reduce((sum, check) => sum + costOf(check), 0),
    }))
    .sort((a, b) => b.cost - a.cost || (a.root < b.root ? -1 : 1));
}
