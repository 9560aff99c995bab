import { createInvalidBodyProblem } from "../domain/problem.js";
import { toSortKeyOrNull } from "./items.js";

/** The fields of an entry that identify its item. */
interface EntryKey {
  readonly pk: string;
  readonly sk?: string | null;
}

/** Returns text that is equal only for equal keys. */
export function stringifyKey({ pk, sk }: EntryKey): string {
  return JSON.stringify([pk, toSortKeyOrNull(sk ?? "")]);
}

/** @throws a problem `validation-failed` if two entries of a request have the same key */
export function rejectDuplicateKeys(entries: readonly EntryKey[], field: string): void {
  const indexes = new Map<string, number>();
  entries.forEach((entry, index) => {
    const key = stringifyKey(entry);
    const first = indexes.get(key);
    if (first !== undefined)
      throw createInvalidBodyProblem(`/${field}/${index}`, `has the same key as entry ${first}`);
    indexes.set(key, index);
  });
}
