import fc from "fast-check";
import { JsonText } from "../../../conformance/client/json-text.js";
import { anyText } from "../../../conformance/generators/sql.js";
import { getTextsOfSize, valuesOfSize } from "../growth/request-scaling-cases.js";

/** Draws values from arbitraries during a run. It must get the same function every time, not one that is created anew. */
export type Draw = fc.GeneratorValue;

/** Generates any text, often of odd characters. */
export const text = () => anyText;
const anyIndex = () => fc.noBias(fc.nat());

/** Draws one of the values. */
export function pick<Value>(draw: Draw, values: readonly Value[]): Value {
  return values[draw(anyIndex) % values.length] as Value;
}

/** Draws whether to do something that is done once in a number of times. */
export function drawOneIn(draw: Draw, times: number): boolean {
  return draw(anyIndex) % times === 0;
}

/** Draws a size; small sizes are much more frequent than large ones. */
export function drawSize(draw: Draw, max: number): number {
  return Math.floor(max ** ((draw(anyIndex) % 1000) / 1000));
}

/** Inserts odd characters into a text, mostly at one of its ends, where decoders or trimming may remove them. */
export function insertOddText(draw: Draw, given: string): string {
  const place = pick(draw, [0, given.length, drawSize(draw, given.length)]);
  const odd = pick(draw, ["\ufeff", "\u200b", "\u202e", "\u001b", draw(text)]);
  return given.slice(0, place) + odd + given.slice(place);
}

/** Draws a value of any size for a field: a text if its values have a grammar, otherwise any JSON. */
export function drawValueOfSize(draw: Draw, field: string): unknown {
  const size = drawOneIn(draw, 4) ? 20_000 : drawSize(draw, 20_000);
  const texts = getTextsOfSize(field);
  return texts === undefined
    ? new JsonText(pick(draw, Object.values(valuesOfSize))(size))
    : pick(draw, Object.values(texts))(size);
}
