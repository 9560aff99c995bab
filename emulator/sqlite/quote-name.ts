/** A name as SQL writes it, SQLite's and that of the SQL interface alike: in quotes, and its own quotes doubled. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
