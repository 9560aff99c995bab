let writtenSecond = -1;
let writtenDate = "";

/** The `Date` header of a time in milliseconds since 1970; written once a second. */
export function formatHttpDate(now: number): string {
  const second = Math.floor(now / 1000);
  if (second !== writtenSecond) {
    writtenSecond = second;
    writtenDate = new Date(now).toUTCString();
  }
  return writtenDate;
}
