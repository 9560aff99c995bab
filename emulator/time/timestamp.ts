const dayMs = 86_400_000;
let day = -1;
let dayText = "";
let written = -1;
let writtenText = "";

/** The contract's form of a time in milliseconds: ISO 8601, UTC, three digits of a second. */
export function formatTimestamp(milliseconds: number): string {
  // what one request makes, and what was never changed, has one time in several places
  if (milliseconds !== written) {
    writtenText = write(milliseconds);
    written = milliseconds;
  }
  return writtenText;
}

function write(milliseconds: number): string {
  const ofDay = milliseconds % dayMs;
  const wanted = milliseconds - ofDay;
  if (wanted !== day) {
    // the date is worked out once a day, as most times that are written lie close together
    dayText = new Date(wanted).toISOString().slice(0, 11);
    day = wanted;
  }
  const seconds = Math.floor(ofDay / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${dayText}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}.${three(ofDay % 1000)}Z`;
}

function two(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}

function three(number: number): string {
  return number < 100 ? `0${two(number)}` : String(number);
}

/** The same for a time that may be missing. */
export function formatTimestampOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatTimestamp(milliseconds);
}

/**
 * Where the clock of a namespace ends: a year before the last time that can be written, so that what follows from the
 * present (the end of a trial or billing period, the expiry of a session) can be written as well.
 */
export const maxClockTime = Date.UTC(9998, 11, 31, 23, 59, 59, 999);

/** Largest time that {@link formatTimestamp} writes with a four-digit year. */
export const maxTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
