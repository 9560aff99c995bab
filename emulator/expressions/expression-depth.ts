import { ExpressionError } from "./expression-error.js";
import { maxExpressionDepth } from "./expression.js";

/** Quoted names (one without its closing quote runs to the end, in linear time), words, parentheses. */
const tokens = /"(?:[^"\\]|\\.?)*(?:"|$)|[.:]?[A-Za-z0-9_-]+|[()]/gsu;
const logicWords = new Set(["AND", "OR", "NOT"]);

/**
 * Refuses a text that nests more than `maxExpressionDepth` levels, before a recursive parser sees it: each NOT and
 * each pair of grouping parentheses is one level. Parentheses of functions and of IN do not nest and count nothing.
 *
 * @throws {ExpressionError} at the parenthesis or NOT that is too deep
 */
export function checkExpressionDepth(text: string): void {
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
      throw new ExpressionError(`the expression nests more than ${maxExpressionDepth} levels deep`, {
        column: index + 1,
      });
    }
  }
}
