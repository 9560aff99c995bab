import type { Profile } from "../../../openapi/gaps/profile.js";
import type { SqlType } from "../grammar/syntax.js";
import type { Codec } from "./codec.js";
import { getCodec } from "./get-codec.js";
import { withNumbersAsJsonStrings } from "./number-codecs.js";

/** The answers to gaps that decide how values look in parameters and rows. */
export type ValueFormatProfile = Pick<Profile, "sql-number-form">;

/** The codec of a column of this type under a profile: inside collections numbers are numbers, whatever the form. */
export function getColumnCodec(type: SqlType, forms: ValueFormatProfile): Codec {
  const codec = getCodec(type);
  const isLong = type.kind === "scalar" && (type.name === "BIGINT" || type.name === "DECIMAL");
  return isLong && forms["sql-number-form"] === "string" ? withNumbersAsJsonStrings(codec) : codec;
}
