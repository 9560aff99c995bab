import type { KeyRange } from "./key-range.js";
import { getPrefixUpperBound } from "./prefix-upper-bound.js";
import type { SortKeyCondition } from "./sort-key-condition.js";

/** Every sort key is greater than the empty text, which represents an item without a sort key. */
const aboveNone = { value: "", inclusive: false } as const;

/** Returns the range of sort keys, by UTF-8 bytes, that a condition selects. It never includes an item without a sort key. */
export function toKeyRange(condition: SortKeyCondition): KeyRange {
  switch (condition.kind) {
    case "eq":
      return between(condition.value, condition.value);
    case "lt":
      return { lower: aboveNone, upper: { value: condition.value, inclusive: false } };
    case "lte":
      return { lower: aboveNone, upper: { value: condition.value, inclusive: true } };
    case "gt":
      return { lower: { value: condition.value, inclusive: false } };
    case "gte":
      return { lower: fromValue(condition.value) };
    case "between":
      return between(condition.low, condition.high);
    case "beginsWith": {
      const upper = getPrefixUpperBound(condition.prefix);
      const lower = fromValue(condition.prefix);
      return upper === undefined ? { lower } : { lower, upper: { value: upper, inclusive: false } };
    }
  }
}

function between(low: string, high: string): KeyRange {
  return { lower: fromValue(low), upper: { value: high, inclusive: true } };
}

function fromValue(value: string) {
  return { value, inclusive: true };
}
