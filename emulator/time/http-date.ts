let cachedSecond = -1;
let cachedDate = "";

/** Formats a time in milliseconds since 1970 for the `Date` header, at most once a second. */
export function formatHttpDate(now: number): string {
  const second = Math.floor(now / 1000);
  if (second !== cachedSecond) {
    cachedSecond = second;
    cachedDate = new Date(now).toUTCString();
  }
  return cachedDate;
}
