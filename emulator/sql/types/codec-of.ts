import type { ScalarTypeName, SqlType } from "../grammar/syntax.js";
import type { Codec } from "./codec.js";
import { listCodec, mapCodec, setCodec } from "./collection-codecs.js";
import { bigintCodec, decimalCodec, floatCodec, integerCodec } from "./number-codecs.js";
import {
  blobCodec,
  booleanCodec,
  dateCodec,
  timeCodec,
  timestampCodec,
  timeuuidCodec,
  uuidCodec,
  varcharCodec,
} from "./text-codecs.js";

const scalarCodecs: Readonly<Record<ScalarTypeName, Codec>> = {
  VARCHAR: varcharCodec,
  INT: integerCodec("INT", 32),
  BIGINT: bigintCodec,
  SMALLINT: integerCodec("SMALLINT", 16),
  TINYINT: integerCodec("TINYINT", 8),
  FLOAT: floatCodec("FLOAT"),
  DOUBLE: floatCodec("DOUBLE"),
  DECIMAL: decimalCodec,
  BOOLEAN: booleanCodec,
  DATE: dateCodec,
  TIME: timeCodec,
  TIMESTAMP: timestampCodec,
  BLOB: blobCodec,
  UUID: uuidCodec,
  TIMEUUID: timeuuidCodec,
};

/** The codec of a type. */
export function codecOf(type: SqlType): Codec {
  switch (type.kind) {
    case "scalar":
      return scalarCodecs[type.name];
    case "list":
      return listCodec(codecOf(type.element));
    case "set":
      return setCodec(codecOf(type.element));
    case "map":
      return mapCodec(codecOf(type.key), codecOf(type.value));
  }
}
