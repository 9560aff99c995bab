import type { SqlType } from "../grammar/syntax.js";
import type { Codec, Stored } from "./codec.js";
import { codecOf } from "./codec-of.js";
import { formOf, withForm } from "./form-of.js";
import { asStrings, integerBits, takingStrings, withOverflow } from "./number-codecs.js";
import type { ValueForms } from "./value-forms.js";

/** Whether a stored collection has no elements. */
function isEmptyCollection(stored: Stored): boolean {
  return stored === "[]" || stored === "{}";
}

/** The codec of a column of this type under a profile: inside collections numbers are numbers, whatever the form. */
export function columnCodecOf(type: SqlType, forms: ValueForms): Codec {
  const codec = withForm(codecOf(type), formOf(type, forms));
  if (type.kind !== "scalar")
    return forms["sql-empty-collection"] === "kept" ? codec : { ...codec, isNull: isEmptyCollection };
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
