/** A text in three parts, of which the one in the middle is what differs. */
export interface Marked {
  readonly before: string;
  readonly differs: string;
  readonly after: string;
}

/** How much of what two texts have in common is shown beside what differs. */
const context = 32;
/** More of what differs than this is cut. */
const maxShown = 200;

/** What two texts do not have in common, with a little of what stands around it. */
export function markDifference(
  expected: string,
  seen: string,
): { readonly expected: Marked; readonly seen: Marked } {
  // by characters, so that none is cut in half
  const [left, right] = [Array.from(expected), Array.from(seen)];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  const most = Math.min(left.length, right.length) - start;
  while (end < most && left.at(-1 - end) === right.at(-1 - end)) end++;
  const mark = (text: readonly string[]): Marked => {
    const [before, differs, after] = [
      text.slice(0, start),
      text.slice(start, text.length - end),
      text.slice(text.length - end),
    ];
    return {
      before: before.length > context ? `…${before.slice(-context).join("")}` : before.join(""),
      differs: differs.length > maxShown ? `${differs.slice(0, maxShown).join("")}…` : differs.join(""),
      after: after.length > context ? `${after.slice(0, context).join("")}…` : after.join(""),
    };
  };
  return { expected: mark(left), seen: mark(right) };
}
