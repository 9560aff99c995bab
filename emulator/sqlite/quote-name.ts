/** Quotes a name for SQL, both of SQLite and of the SQL interface. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
