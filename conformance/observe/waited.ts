import type { ObserverContext } from "./observer-context.js";

/** How long a wait may be before the next look, as a part of what was waited already. */
const share = 20;

/**
 * Waits until something is over, and says how long it took, rounded to one digit: that is as well as it can be known,
 * and the same run after run.
 *
 * @param began when it began, by the clock of the context
 * @returns milliseconds
 */
export async function waited(
  context: ObserverContext,
  began: number,
  isOver: () => Promise<boolean>,
): Promise<number> {
  for (let before = began; ;) {
    if (await isOver()) return roundest(before - began, context.now() - began);
    before = context.now();
    const soFar = before - began;
    if (soFar > context.bounds.waitMs)
      context.undecided(
        `it takes longer than the ${context.bounds.waitMs} ms that the bounds of the target allow`,
      );
    await context.pause(Math.max(10, soFar / share));
  }
}

/** The number with the fewest digits that is above one number and at most another; one digit of the second, if there is none. */
export function roundest(above: number, atMost: number): number {
  for (let unit = 10 ** Math.ceil(Math.log10(Math.max(1, atMost))); unit >= 1; unit /= 10) {
    const multiple = Math.floor(atMost / unit) * unit;
    if (multiple > above && multiple > 0) return multiple;
  }
  return Math.max(1, Math.round(atMost));
}
