import type { AnswerOf } from "../../openapi/gaps/register.js";
import { compareUtf8 } from "../json/utf8-order.js";

/** Orders two sort keys: negative when the first comes first (gap `sort-key-order`). */
export type CompareSortKeys = (a: string, b: string) => number;

const comparisons: Readonly<Record<AnswerOf<"sort-key-order">, CompareSortKeys>> = {
  "utf-8": compareUtf8,
  // the operators of JavaScript compare UTF-16 units
  "utf-16": (a, b) => (a < b ? -1 : a > b ? 1 : 0),
};

/** The comparison of an order of sort keys. */
export function sortKeyComparison(order: AnswerOf<"sort-key-order">): CompareSortKeys {
  return comparisons[order];
}
