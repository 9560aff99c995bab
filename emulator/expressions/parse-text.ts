import { ExpressionError } from "./expression-error.js";
import type { Expression, Path } from "./expression.js";
import { parse, SyntaxError } from "./generated/condition.js";

/** Runs the generated parser from a rule for whole expressions. Throws `ExpressionError`. */
export function parseText(text: string, startRule: "Condition" | "Documented" | "FieldEquality"): Expression {
  return readable(() => parse(text, { startRule }));
}

/** Reads an attribute path such as `address.lines[0]`. Throws `ExpressionError`. */
export function parsePath(text: string): Path {
  return readable(() => parse(text, { startRule: "FieldPath" }));
}

function readable<Tree>(run: () => Tree): Tree {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const found = error.found === null ? "the end" : JSON.stringify(error.found);
    const column = error.location.start.offset + 1;
    throw new ExpressionError(`expected ${wanted(error.expected)} but found ${found}`, { column });
  }
}

/** What could stand there, in words; white space could stand almost anywhere and helps nobody. */
function wanted(expected: SyntaxError["expected"]): string {
  const words = expected
    .map((one) => one.description ?? (one.text === undefined ? "the end" : JSON.stringify(one.text)))
    .filter((word) => word !== "white space");
  const unique = [...new Set(words)].sort();
  const last = unique.pop() ?? "something else";
  return unique.length === 0 ? last : `${unique.join(", ")} or ${last}`;
}
