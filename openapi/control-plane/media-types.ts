/** The media type of a state file. */
export const sqliteMediaType = "application/vnd.sqlite3";
/** The media type of an HTTP Archive. */
export const harMediaType = "application/har+json";
