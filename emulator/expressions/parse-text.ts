import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
import { ExpressionError } from "./expression-error.js";
import type { Expression, Path } from "./expression.js";
import type * as Grammar from "./generated/condition.cjs";

/** Runs the generated parser from a rule for whole expressions. Throws `ExpressionError`. */
export function parseText(text: string, startRule: "Condition" | "Documented" | "FieldEquality"): Expression {
  return parseReadably(text, ({ parse }) => parse(text, { startRule }));
}

/** Reads an attribute path such as `address.lines[0]`. Throws `ExpressionError`. */
export function parsePath(text: string): Path {
  return parseReadably(text, ({ parse }) => parse(text, { startRule: "FieldPath" }));
}

function parseReadably<Tree>(text: string, run: (grammar: typeof Grammar) => Tree): Tree {
  const grammar = lazyRequire("./emulator/expressions/generated/condition.cjs") as typeof Grammar;
  try {
    return run(grammar);
  } catch (error) {
    if (!(error instanceof grammar.SyntaxError)) throw error;
    const found = error.found === null ? "the end" : JSON.stringify(error.found);
    const { offset } = error.location.start;
    const hint = describeValueError(text.slice(offset), error.expected);
    throw new ExpressionError(`expected ${describeExpected(error.expected)} but found ${found}${hint}`, {
      column: offset + 1,
    });
  }
}

/** Explains that a literal value has to be passed by name. */
function describeValueError(rest: string, expected: Grammar.SyntaxError["expected"]): string {
  const takesName = expected.some((one) => /value|:/.test(one.description ?? one.text ?? ""));
  const value = /^(?:-?\d[\w.+-]*|"[^"]*"|'[^']*'|(?:true|false|null)\b)/.exec(rest)?.[0];
  if (!takesName || value === undefined || value.length > 40) return "";
  return `. Put the value in filterValues (of a filter: filterValues), as {":value": ${value.replaceAll("'", '"')}}, and write :value here`;
}

/** Describes what the parser expected, without white space, which is allowed almost everywhere. */
function describeExpected(expected: Grammar.SyntaxError["expected"]): string {
  const words = expected
    .map((one) => one.description ?? (one.text === undefined ? "the end" : JSON.stringify(one.text)))
    .filter((word) => word !== "white space");
  const unique = [...new Set(words)].sort();
  const last = unique.pop() ?? "something else";
  return unique.length === 0 ? last : `${unique.join(", ")} or ${last}`;
}
