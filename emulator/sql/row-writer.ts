import type { Row } from "./statement-cache.js";
import type { Codec } from "./types/codec.js";

/** How values of the types BIGINT and DECIMAL are written (gap `sql-number-form`). */
export type NumberForm = "number" | "string";

/** A column of a result. */
export interface ResultColumn {
  readonly name: string;
  readonly codec: Codec;
}

/** Compiles a function that writes a row as the JSON text of an object, one member per column. */
export function rowWriter(columns: readonly ResultColumn[], form: NumberForm): (row: Row) => string {
  const members = columns.map(({ name, codec }, index) => ({
    lead: `${index === 0 ? "{" : ","}${JSON.stringify(name)}:`,
    write: valueWriter(codec, form),
  }));
  return (row) => {
    let text = "";
    for (let index = 0; index < members.length; index += 1) {
      const member = members[index];
      const value = row[index];
      if (member !== undefined)
        text += member.lead + (value === null || value === undefined ? "null" : member.write(value));
    }
    return `${text}}`;
  };
}

/** Writes a stored value as JSON text. */
export function valueWriter(codec: Codec, form: NumberForm): Codec["toJson"] {
  const quoted = form === "string" && (codec.type === "BIGINT" || codec.type === "DECIMAL");
  return quoted ? (value) => `"${codec.toJson(value)}"` : (value) => codec.toJson(value);
}
