import { describe, expect, it } from "vitest";
import { JsonText } from "../client/json-text.js";
import { isWidelySupportedJson } from "./is-widely-supported-json.js";

describe("isWidelySupportedJson", () => {
  it.each([
    ["{}", true],
    ['{"a":[0,-0,0.0e9,1.5,-12345678901234567890,9.99e27,1e-28]}', true],
    ['{"a":{"b":["x","\\u0001"],"c":null,"d":true}}', true],
    ['{"a":["x",null]}', false],
    ['{"1":1}', false],
    [JSON.stringify(Object.fromEntries(Array.from({ length: 251 }, (_, n) => [`f${n}`, n]))), false],
    ['{"a":1e28}', false],
    ['{"a":[[-9.9e-29]]}', false],
    ['{"a":1.7976931348623157e308}', false],
    ['{"a":123456789012345678901234567890.123456789}', false],
    ['{"a":1234567890123456789012345678}', true],
    ['{"a":"x\\u0000"}', false],
    ['{"a":{"\\u0000":1}}', false],
    ['{"a1":{"b_c":1}}', false],
  ])("%s: %s", (text, isSupported) => {
    expect(isWidelySupportedJson(new JsonText(text))).toBe(isSupported);
  });
});
