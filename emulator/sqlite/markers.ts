/**
 * Markers of values for a SELECT with an order or a limit.
 *
 * SQLite looks at the value of a bare `?` after LIMIT, or compared for equality beside ORDER BY, while it plans, and
 * plans again whenever one is bound, which costs more than the query itself. These mean the same (an unary plus does
 * nothing, not even to a text) and are taken as they are.
 */
export const unaryPlusMarker = "+?";

/** LIMIT with a marker; -1 means no limit. */
export const limitClause = "LIMIT ? + 0";

/** The value of {@link limitClause} for all rows. */
export const noLimit = -1;
