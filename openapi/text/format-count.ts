/** Formats a number of things: `1 check`, `2 checks`, `0 entries`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`.replace(/([^aeiou])ys$/, "$1ies")}`;
}
