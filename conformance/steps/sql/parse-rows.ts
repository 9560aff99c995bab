import { parse } from "lossless-json";
import type { ApiResponse } from "../../client/client.js";

export type ReturnedRow = Readonly<Record<string, unknown>>;

/** The rows of an answer with all digits of their numbers. */
export function parseRows({ text }: ApiResponse): readonly ReturnedRow[] {
  return (parse(text) as { rows: readonly ReturnedRow[] }).rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [toLowerCaseName(column), value])),
  );
}

/** A name as the checks write it, in small letters: what becomes of letters is open (gap `sql-identifier-case`). */
export function toLowerCaseName(name: string): string {
  return name.toLowerCase();
}
