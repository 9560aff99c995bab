import type { SqlType } from "../grammar/syntax.js";
import type { Codec } from "./codec.js";
import { codecOf } from "./codec-of.js";
import { formOf, withForm } from "./form.js";
import { asStrings, integerBits, takingStrings, withOverflow } from "./number-codecs.js";
import type { ValueForms } from "./value-forms.js";

/** The codec of a column of this type under a profile: inside collections numbers are numbers, whatever the form. */
export function columnCodecOf(type: SqlType, forms: ValueForms): Codec {
  const codec = withForm(codecOf(type), formOf(type, forms));
  if (type.kind !== "scalar") return codec;
  const bits = integerBits(type.name);
  const held =
    bits === undefined || forms["sql-integer-overflow"] === "refuse"
      ? codec
      : withOverflow(codec, bits, forms["sql-integer-overflow"]);
  const isLong = type.name === "BIGINT" || type.name === "DECIMAL";
  if (!isLong) return held;
  if (forms["sql-number-form"] === "string") return asStrings(held);
  return forms["sql-parameter-numbers"] === "double" ? takingStrings(held) : held;
}
