import { compareUtf8 } from "../json/utf8-order.js";
import { invalidBody } from "../domain/problem.js";
import { sortKeyOrNull } from "./items.js";

/** The members of an entry that name its item. */
export interface EntryKey {
  readonly pk: string;
  readonly sk?: string | null;
}

/** Text that is the same for the same key alone. */
export function keyText({ pk, sk }: EntryKey): string {
  return JSON.stringify([pk, sortKeyOrNull(sk ?? "")]);
}

/** The first entry of each key, in their order. */
export function firstOfEach<Entry extends EntryKey>(entries: readonly Entry[]): Entry[] {
  const seen = new Set<string>();
  return entries.filter((entry) => {
    const text = keyText(entry);
    return !seen.has(text) && seen.add(text);
  });
}

/** Entries as they came, or by their keys; an item without sort key comes first in its partition. */
export function inOrder<Entry extends EntryKey>(
  entries: readonly Entry[],
  order: "request" | "key",
): Entry[] {
  if (order === "request") return [...entries];
  // no sort key is empty
  return entries.toSorted((a, b) => compareUtf8(a.pk, b.pk) || compareUtf8(a.sk ?? "", b.sk ?? ""));
}

/** @throws a problem `validation-failed` where two entries of a request have one key */
export function refuseRepeatedKeys(entries: readonly EntryKey[], member: string): void {
  const seen = new Map<string, number>();
  entries.forEach((entry, index) => {
    const text = keyText(entry);
    const first = seen.get(text);
    if (first !== undefined) throw invalidBody(`/${member}/${index}`, `names the same key as entry ${first}`);
    seen.set(text, index);
  });
}
