import { isHighSurrogate, isLowSurrogate } from "./character-codes.js";

/** The characters of a text as Unicode counts them: a surrogate pair is one. */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at += 1)
    if (isLowSurrogate(text.charCodeAt(at)) && isHighSurrogate(text.charCodeAt(at - 1))) count -= 1;
  return count;
}

/** Whether a text has more characters than that; short ones are not looked at. */
export function isLongerThan(text: string, max: number): boolean {
  return text.length > max && countCodePoints(text) > max;
}
