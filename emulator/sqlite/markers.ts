/**
 * The marker of a value in a SELECT with ORDER BY or LIMIT. For a bare `?`, SQLite would look at the value, and plan the query
 * again whenever a value is bound, which takes longer than the query. The unary plus does not change the value.
 */
export const unpeekedMarker = "+?";

/** LIMIT with a marker; see {@link unpeekedMarker}. */
export const limitClause = "LIMIT ? + 0";

/** The value of {@link limitClause} that selects all rows. */
export const noLimit = -1;
