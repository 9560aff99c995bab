import fc from "fast-check";
import { expect, it } from "vitest";
import { measureCostRatio } from "../testing/measure-cost-ratio.js";
import { redactBody, redactPath } from "./redact.js";

/** Returns the cost of redacting a body, divided by that of parsing it. */
function measureCost(body: string): number {
  return measureCostRatio(
    () => JSON.parse(body) as unknown,
    () => redactBody(body, false),
  );
}

it("hides the whole value of a secret field, with any value and any successor", () => {
  const space = fc.string({ unit: fc.constantFrom(" ", "\n", "\t", "\r"), maxLength: 3 });
  const rest = fc.constantFrom("}", ',"b":1}', " ]", "");
  fc.assert(
    fc.property(fc.jsonValue(), space, rest, (value, gap, following) => {
      const before = `{"a":[{"password"${gap}:${gap}`;
      expect(redactBody(before + JSON.stringify(value) + following, false)).toBe(
        `${before}"[redacted]"${following}`,
      );
    }),
  );
});

it("hides the values of secret parameters, in time proportional to the path", () => {
  const hidden = "[redacted]";
  for (const [path, redacted] of [
    ["/a?token=1&b=2&password=3=4&token", `/a?token=${hidden}&b=2&password=${hidden}&token`],
    ["/a?b?api%5Fkey=1", `/a?b?api%5Fkey=${hidden}`],
    ["/token=1", "/token=1"],
    ["/a?", "/a?"],
  ] as const)
    expect(redactPath(path)).toBe(redacted);
  const redact = (length: number) => () => redactPath(`/health${"?".repeat(length)}`);
  expect(measureCostRatio(redact(10_000), redact(80_000))).toBeLessThan(30);
});

it("hides the rest of a text if the value does not end, and nothing if there is no value", () => {
  for (const value of ['"abc', '"abc\\', '"abc\\"', "[1,[2]", '{"a":"', "12"])
    expect(redactBody(`{"token":${value}`, false)).toBe('{"token":"[redacted]"');
  for (const text of ['{"token":}', '{"token"}', '["token","a"]', '{"a":"token"}', '{"a":"token:","b":1}'])
    expect(redactBody(text, false)).toBe(text);
});

it("takes linear time even if every character is escaped", () => {
  const body = JSON.stringify({ token: "\\".repeat(30_000), text: '"'.repeat(30_000) });
  expect(measureCost(body)).toBeLessThan(30);
});

it("skips numbers and brackets, even in a text with names of secrets and escapes", () => {
  const body = JSON.stringify({
    "pass\u0001word": 1,
    token: "a",
    list: Array.from({ length: 30_000 }, (_, at) => [at]),
  });
  expect(redactBody('{"pass\\u0077ord":"a"}', false)).toBe('{"pass\\u0077ord":"[redacted]"}');
  expect(measureCost(body)).toBeLessThan(1);
});

it("skips fields that are not secret, in a text with a secret", () => {
  const body = JSON.stringify({ token: "a", list: Array.from({ length: 6000 }, () => ({ n: 1 })) });
  expect(redactBody(body, false)).toBe(body.replace('"a"', '"[redacted]"'));
  expect(measureCost(body)).toBeLessThan(0.65);
});

it("finds the same secrets among any strings", () => {
  const text = fc.constantFrom("token", "a", "x-Api-Key", "pageToken", "secret", '"', "\\", '"token":1', "é");
  const name = fc.array(text, { maxLength: 2 }).map((parts) => parts.join(""));
  const isSecret = /^secret$|(?<!^page)token$|api-key$/i;
  const entries = fc.dictionary(name, name);
  fc.assert(
    fc.property(fc.array(entries), (given) => {
      const hidden = given.map((one) =>
        Object.fromEntries(
          Object.entries(one).map(([key, value]) => [key, isSecret.test(key) ? "[redacted]" : value]),
        ),
      );
      expect(JSON.parse(redactBody(JSON.stringify(given), false))).toEqual(hidden);
    }),
  );
});
