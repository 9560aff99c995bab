import { JsonNumber } from "../../json/json-value.js";
import type { SqlType } from "../grammar/syntax.js";
import type { Codec, Given } from "./codec.js";
import { ValueRefusal } from "./codec.js";
import { collectionForm } from "./collection-form.js";
import { parseDecimal } from "./decimal.js";
import { describeGiven } from "./describe-given.js";
import { fromDigits } from "./number-codecs.js";
import type { Form, ValueForms } from "./value-forms.js";

/** The form of a type under a profile, or nothing where the codec's own is meant. */
export function formOf(type: SqlType, forms: ValueForms): Form | undefined {
  if (type.kind !== "scalar") return collectionForm(type, forms, formOf);
  switch (type.name) {
    case "BLOB":
      return forms["sql-blob-form"] === "base64" ? undefined : hexForm(forms["sql-blob-form"]);
    case "UUID":
    case "TIMEUUID":
      return forms["sql-uuid-case"] === "lower" ? undefined : upperForm;
    case "DATE":
      return forms["sql-date-time-form"] === "text" ? undefined : dayForm;
    case "TIME":
      return timeForm(forms);
    case "TIMESTAMP":
      return timestampForm(forms);
    case "DECIMAL":
      return decimalForm(forms);
    case "BIGINT":
      return forms["sql-parameter-numbers"] === "exact" ? undefined : digitsForm;
    default:
      return undefined;
  }
}

/** A codec whose values look as a form has them. */
export function withForm(codec: Codec, form: Form | undefined): Codec {
  if (form === undefined) return codec;
  return {
    ...codec,
    encode: (given) => codec.encode(form.read(given)),
    toJson: (stored) => form.write(codec.toJson(stored)),
  };
}

function hexForm(kind: "hex" | "0x"): Form {
  const lead = kind === "0x" ? "0x" : "";
  return {
    read(given) {
      // a literal of bytes, or what is no text: the codec knows
      if (typeof given !== "string") return given;
      const digits = given.startsWith(lead) ? given.slice(lead.length) : "";
      if (!/^(?:[0-9a-f]{2})*$/i.test(digits) || !given.startsWith(lead))
        throw new ValueRefusal(`is no BLOB: ${lead}hexadecimal digits in pairs are wanted`);
      return Buffer.from(digits, "hex");
    },
    write: (json) => `"${lead}${Buffer.from(json.slice(1, -1), "base64").toString("hex")}"`,
  };
}

const upperForm: Form = { read: (given) => given, write: (json) => json.toUpperCase() };

const dayMs = 86_400_000;

/** Days since 1970-01-01. */
const dayForm: Form = {
  read(given) {
    const date = new Date(wholeNumber(given, "DATE") * dayMs);
    const text = Number.isNaN(date.getTime()) ? "" : date.toISOString();
    if (!/^\d{4}-/.test(text)) throw new ValueRefusal("is outside the years 0001 to 9999");
    return text.slice(0, 10);
  },
  write: (json) => String(Date.parse(`${json.slice(1, -1)}T00:00:00Z`) / dayMs),
};

function timeForm({ "sql-time-digits": digits, "sql-date-time-form": form }: ValueForms): Form | undefined {
  if (form === "text")
    return digits === 9 ? undefined : { read: (given) => cut(given, digits), write: (json) => json };
  return {
    read(given) {
      const number = wholeNumber(given, "TIME");
      if (number < 0 || number >= dayMs) throw new ValueRefusal("is no time of the day");
      return cut(new Date(number).toISOString().slice(11, 23), digits);
    },
    write: (json) => String(Math.trunc(Date.parse(`1970-01-01T${json.slice(1, -1)}Z`))),
  };
}

function timestampForm({
  "sql-time-digits": digits,
  "sql-timestamp-form": form,
}: ValueForms): Form | undefined {
  if (digits === 9 && form === "three") return undefined;
  return {
    read: (given) => (digits === 9 ? given : cut(given, digits)),
    write: (json) => (form === "three" ? json : json.replace(/\.?0*Z/, "Z")),
  };
}

/** A time or instant without the digits of a second's fraction that are not kept. */
function cut(given: Given, digits: number): Given {
  if (typeof given !== "string") return given;
  return given.replace(/\.(\d+)/, (_, fraction: string) =>
    digits === 0 ? "" : `.${fraction.slice(0, digits)}`,
  );
}

/** Strings of digits beside numbers. */
const digitsForm: Form = { read: fromDigits, write: (json) => json };

function decimalForm({
  "sql-decimal-digits": most,
  "sql-parameter-numbers": numbers,
}: ValueForms): Form | undefined {
  const form = numbers === "exact" ? undefined : digitsForm;
  return most === "all" ? form : ofDigits(most, form);
}

/** A DECIMAL of so many digits, after what another form does. */
function ofDigits(most: number, form: Form | undefined): Form {
  return {
    read(value) {
      const given = form === undefined ? value : form.read(value);
      if (typeof given !== "number" && !(given instanceof JsonNumber)) return given;
      const { digits, exponent } = parseDecimal(typeof given === "number" ? String(given) : given.text);
      // those before the point, and those after it
      const count = Math.max(exponent, 0) + Math.max(digits.length - exponent, 0);
      if (count > most) throw new ValueRefusal(`has ${count} digits; a DECIMAL has ${most} at most`);
      return given;
    },
    write: (json) => json,
  };
}

function wholeNumber(given: Given, type: string): number {
  const number = given instanceof JsonNumber ? given.value : given;
  if (typeof number === "number" && Number.isSafeInteger(number)) return number;
  throw new ValueRefusal(`is no ${type}: a whole number is wanted, not ${describeGiven(given)}`);
}
