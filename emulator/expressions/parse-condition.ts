import { emulatorDefinedLimits } from "../../openapi/clauses/limits.js";
import { countCodePoints, exceedsCodePointCount } from "../json/character-codes.js";
import { ExpressionError, type Expression, maxExpressionDepth, type Path } from "./expression.js";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
import { CachePool, PooledCache } from "../memory/cache-pool.js";
import type * as Grammar from "./generated/condition.cjs";

/** The rules of condition.peggy at which a text may start. */
const startRules = {
  full: "Condition",
  /** Only `attribute_exists(pk)`, `attribute_not_exists(pk)` and `name <comparator> :value` (gap `condition-grammar`). */
  documented: "Documented",
  /** Only `field = :name` (gap `repository-filter-grammar`). */
  "field-equality": "FieldEquality",
} as const;

export type ConditionGrammar = keyof typeof startRules;

/** Caches short texts, because they are parsed repeatedly. */
const parsedConditions = new PooledCache<Expression>({ pool: new CachePool(500) });
const maxCachedLength = 1000;

/**
 * Parses a `conditionExpression` or the `filter` of a repository.
 *
 * @param valuesField the field of the body with the values, for messages
 * @throws {ExpressionError} with the column, if the text is too long or too deeply nested, or not in the grammar
 */
export function parseCondition(
  text: string,
  grammar: ConditionGrammar,
  valuesField = "filterValues",
): Expression {
  if (exceedsCodePointCount(text, emulatorDefinedLimits.expressionLength)) {
    throw new ExpressionError(
      `the expression has ${countCodePoints(text)} characters; at most ${emulatorDefinedLimits.expressionLength} are allowed`,
    );
  }
  const parseText = () => {
    assertExpressionDepth(text);
    return parseReadably(text, ({ parse }) => parse(text, { startRule: startRules[grammar] }), valuesField);
  };
  return text.length <= maxCachedLength ? parsedConditions.get(`${grammar} ${text}`, parseText) : parseText();
}

/** Quoted names (one without its closing quote runs to the end, in linear time), words, parentheses. */
const tokens = /"(?:[^"\\]|\\.?)*(?:"|$)|[.:]?[A-Za-z0-9_-]+|[()]/gsu;
const logicWords = new Set(["AND", "OR", "NOT"]);

/**
 * Limits the nesting before the recursive parser runs. Each NOT and each pair of grouping parentheses is one level. The
 * parentheses of functions and of IN do not count.
 *
 * @throws {ExpressionError} at the parenthesis or NOT that is too deep
 */
function assertExpressionDepth(text: string): void {
  const enclosing: number[] = [];
  let groups = 0;
  let negations = 0;
  let afterOperand = false;
  for (const { index, 0: token } of text.matchAll(tokens)) {
    const word = token.toUpperCase();
    if (token === "(") {
      enclosing.push(groups);
      if (!afterOperand) groups += negations + 1;
      negations = 0;
      afterOperand = false;
    } else if (token === ")") {
      groups = enclosing.pop() ?? 0;
      negations = 0;
      afterOperand = true;
    } else if (logicWords.has(word)) {
      negations = word === "NOT" ? negations + 1 : 0;
      afterOperand = false;
    } else {
      afterOperand = true;
    }
    if (groups + negations > maxExpressionDepth) {
      throw new ExpressionError(`the expression is nested more than ${maxExpressionDepth} levels deep`, {
        column: index + 1,
      });
    }
  }
}

/** Reads an attribute path such as `address.lines[0]`. Throws `ExpressionError`. */
export function parsePath(text: string): Path {
  return parseReadably(text, ({ parse }) => parse(text, { startRule: "FieldPath" }));
}

function parseReadably<Tree>(
  text: string,
  run: (grammar: typeof Grammar) => Tree,
  valuesField?: string,
): Tree {
  const grammar = lazyRequire("./emulator/expressions/generated/condition.cjs") as typeof Grammar;
  try {
    return run(grammar);
  } catch (error) {
    if (!(error instanceof grammar.SyntaxError)) throw error;
    const found = error.found === null ? "the end" : JSON.stringify(error.found);
    const { offset } = error.location.start;
    const hint = describeValueError(text.slice(offset), error.expected, valuesField);
    throw new ExpressionError(`expected ${describeExpected(error.expected)} but found ${found}${hint}`, {
      column: offset + 1,
    });
  }
}

/** Explains that a literal value has to be passed by name. */
function describeValueError(
  text: string,
  expected: Grammar.SyntaxError["expected"],
  valuesField?: string,
): string {
  const expectsName = expected.some((one) => /value|:/.test(one.description ?? one.text ?? ""));
  const value = /^(?:-?\d[\w.+-]*|"[^"]*"|'[^']*'|(?:true|false|null)\b)/.exec(text)?.[0];
  if (valuesField === undefined || !expectsName || value === undefined || value.length > 40) return "";
  return `. Put the value into ${valuesField}, as in {":value": ${value.replaceAll("'", '"')}}, and write :value here`;
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
