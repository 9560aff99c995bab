import type { Row } from "./statement-cache.js";
import type { Codec } from "./types/codec.js";

/** A column of a result. */
export interface ResultColumn {
  readonly name: string;
  readonly codec: Codec;
}

/** Compiles a function that writes a row as the JSON text of an object, one member per column. */
export function rowWriter(columns: readonly ResultColumn[]): (row: Row) => string {
  const members = columns.map(({ name, codec }, index) => ({
    lead: `${index === 0 ? "{" : ","}${JSON.stringify(name)}:`,
    codec,
  }));
  return (row) => {
    let text = "";
    for (let index = 0; index < members.length; index += 1) {
      const member = members[index];
      const value = row[index];
      if (member !== undefined)
        text += member.lead + (value === null || value === undefined ? "null" : member.codec.toJson(value));
    }
    return `${text}}`;
  };
}
