const dayMs = 86_400_000;
let cachedDay = -1;
let cachedDayText = "";
let cachedTime = -1;
let cachedTimeText = "";

/** Formats a time in milliseconds as the contract requires: ISO 8601, UTC, milliseconds. */
export function formatTimestamp(milliseconds: number): string {
  // Responses often contain the same time several times.
  if (milliseconds !== cachedTime) {
    cachedTimeText = formatUncached(milliseconds);
    cachedTime = milliseconds;
  }
  return cachedTimeText;
}

/** Formats the date only once for successive times of a day, which is several times as fast as `toISOString`. */
function formatUncached(milliseconds: number): string {
  const timeOfDay = milliseconds % dayMs;
  const day = milliseconds - timeOfDay;
  if (day !== cachedDay) {
    cachedDayText = new Date(day).toISOString().slice(0, 11);
    cachedDay = day;
  }
  const seconds = Math.floor(timeOfDay / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${cachedDayText}${padTo2(Math.floor(minutes / 60))}:${padTo2(minutes % 60)}:${padTo2(seconds % 60)}.${padTo3(timeOfDay % 1000)}Z`;
}

function padTo2(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}

function padTo3(number: number): string {
  return number < 100 ? `0${padTo2(number)}` : String(number);
}

/** {@link formatTimestamp} for a time that may be missing. */
export function formatTimestampOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatTimestamp(milliseconds);
}

/**
 * The last time of a clock: a year before {@link maxTime}, so that later times (the end of a trial or billing period, the
 * expiry of a session) can be formatted, too.
 */
export const maxClockTime = Date.UTC(9998, 11, 31, 23, 59, 59, 999);

/** The last time that {@link formatTimestamp} can format with a four-digit year. */
export const maxTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
