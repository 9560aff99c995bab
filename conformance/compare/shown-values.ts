import { pointerTo } from "../../openapi/validation/json-pointer.js";
import { type Place, typeOf } from "./schema-of-answer.js";

/** A text in an answer that is another one on each deployment. */
interface ShownValue {
  readonly pointer: string;
  readonly value: string;
}

/** The ids, tokens, cursors and times in an answer, by what the contract says of it. */
export function shownValues(body: unknown, place: Place): readonly ShownValue[] {
  const found: ShownValue[] = [];
  const visit = (value: unknown, at: Place, pointer: string): void => {
    const { kind, members, items } = at(value);
    if (typeof value === "string") {
      if (kind === "opaque" || kind === "time") found.push({ pointer, value });
    } else if (Array.isArray(value))
      for (const [index, entry] of value.entries()) visit(entry, items ?? unknown, pointerTo(pointer, index));
    else if (typeOf(value) === "object" && kind !== "data")
      for (const [name, member] of Object.entries(value as object))
        visit(member, members?.get(name) ?? unknown, pointerTo(pointer, name));
  };
  visit(body, place, "");
  return found;
}

const unknown: Place = () => ({ kind: undefined, members: undefined, items: undefined });

/** Every text in a value: of what the control plane answers nothing is said. */
export function allTexts(body: unknown, pointer = ""): readonly ShownValue[] {
  if (typeof body === "string") return [{ pointer, value: body }];
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([name, member]) => allTexts(member, pointerTo(pointer, name)));
}
