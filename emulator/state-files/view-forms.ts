import type { SqlType } from "../sql/grammar/syntax.js";

/** A time of the emulator's own tables as text. */
export function timeView(column: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`;
}

/** A field of JSON data; its name has letters, digits and _ alone. */
export function fieldView(field: string): string {
  return `json_extract(data, '$.${field}')`;
}

const asStored = (column: string) => column;

/** Columns of the SQL interface that are stored in a form of their own, as people write their values. */
const forms: Readonly<Record<string, (column: string) => string>> = {
  BOOLEAN: (column) => `CASE ${column} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`,
  TIMESTAMP: (column) => `${column} || 'Z'`,
  TIMEUUID: (column) =>
    `substr(${column}, 10, 8) || '-' || substr(${column}, 5, 4) || '-1' || substr(${column}, 1, 3) || ` +
    `'-' || substr(${column}, 19)`,
  // a sign, an exponent and digits, of negative numbers their complements: as good as a double shows it
  DECIMAL: (column) =>
    `CASE substr(${column}, 1, 1) WHEN 'o' THEN 0 ` +
    `WHEN 'p' THEN CAST('0.' || substr(${column}, 6) || 'e' || (substr(${column}, 2, 4) - 5000) AS REAL) ` +
    `WHEN 'n' THEN CAST(printf('%.15g', (CAST('0.' || rtrim(substr(${column}, 6), '~') AS REAL) + ` +
    `CAST('1e-' || (length(${column}) - 6) AS REAL) - 1.0) * ` +
    `CAST('1e' || (4999 - substr(${column}, 2, 4)) AS REAL)) AS REAL) END`,
};

/** A value of a column of the SQL interface, as people write it. */
export function valueView(type: SqlType, column: string): string {
  return ((type.kind === "scalar" ? forms[type.name] : undefined) ?? asStored)(column);
}

const place = "@";

/** A view as the emulator writes it: in this form nothing is evaluated but what it shows of one table. */
export const viewForm = new RegExp(
  `^CREATE VIEW (?:${nameForm()}) AS SELECT (?:${columnForm()})(?:, (?:${columnForm()}))* FROM ` +
    `(?:sql_table_\\d+|items WHERE database_ref = \\d+|entities WHERE repository_ref = \\d+)$`,
);

function nameForm(): string {
  return `"(?:[^"]|"")+"`;
}

function columnForm(): string {
  const shown = [
    ...[asStored, ...Object.values(forms)].map((form) => patternOf(form(place), "c\\d+")),
    ...["pk", "data", "entity_id", "version", "nullif(sk, '')"].map((text) => patternOf(text, "")),
    ...["created_at", "updated_at"].map((column) => patternOf(timeView(column), "")),
    patternOf(fieldView(place), "\\w{1,64}"),
  ];
  return `(?:${shown.join("|")}) AS ${nameForm()}`;
}

/** A regular expression for a text in which a place may hold what another one describes. */
function patternOf(text: string, held: string): string {
  return text
    .replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
    .split(place)
    .join(held);
}
