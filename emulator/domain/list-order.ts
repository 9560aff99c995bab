import type { Profile } from "../../openapi/gaps/profile.js";
import type { Position, PositionShape } from "./cursor.js";

/** The order of the lists of databases and repositories (gap `list-order`). */
export type ListOrder = Profile["list-order"];

/** What places an entry in a list: its name, and the number that it has in the order of creation. */
export interface Listed {
  readonly ref: number;
  readonly name: string;
}

/** A place in a list: the keys of an entry in the order of the list. */
export interface ListPlace {
  readonly order: ListOrder;
  readonly after: Position;
}

/** The place before all entries of a list. */
export function beginningOf(order: ListOrder): ListPlace {
  const after = { "oldest-first": [0], "newest-first": [Number.MAX_SAFE_INTEGER], "by-name": ["", 0] };
  return { order, after: after[order] };
}

/** The keys of an entry: what a cursor remembers of it. */
export function positionOf({ ref, name }: Listed, order: ListOrder): Position {
  return order === "by-name" ? [name, ref] : [ref];
}

/** The shape of the keys that an order goes by. */
export function shapeOf(order: ListOrder): PositionShape {
  return order === "by-name" ? ["string", "number"] : ["number"];
}
