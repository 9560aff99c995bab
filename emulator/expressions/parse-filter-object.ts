import { emulatorDefinedLimits } from "../../openapi/clauses/limits.js";
import { getOwnField } from "../../openapi/text/get-own-field.js";
import { appendPointer } from "../../openapi/validation/json-pointer.js";
import { exceedsCodePointCount } from "../json/character-codes.js";
import { isJsonArray, isJsonObject, getFieldEntries, type JsonValue } from "../json/json-value.js";
import {
  ExpressionError,
  type Expression,
  maxExpressionDepth,
  maxFilterTests,
  type Path,
  type Comparator,
  type Operand,
} from "./expression.js";
import { parsePath } from "./parse-condition.js";

const { expressionLength } = emulatorDefinedLimits;

/** `operators`: fields, field operators and logic. `equality`: only field → value (gap `item-filter-grammar`). */
export type FilterGrammar = "operators" | "equality";

/**
 * Parses the `filterExpression` object of a query or scan. All its fields must hold; an empty object matches everything.
 *
 * - A field name without a dot, bracket or double quote is a top-level field (`pk` and `sk` are the keys). All other names
 *   are paths as in condition.peggy: `address.city`, `lines[0]`, `"odd.name"`. A name that begins with `$` must be in
 *   double quotes.
 * - In the grammar `operators`, an object whose names begin with `$` contains field operators, all of which must hold:
 *   `{"total": {"$gte": 10, "$lt": 20}}`. `$and` and `$or` take arrays of filters, `$not` takes one filter. All other
 *   values are tested for equality.
 * - In the grammar `equality`, all values are tested for equality.
 *
 * @throws {ExpressionError} with a JSON pointer to the invalid field
 */
export function parseFilterObject(filter: JsonValue, grammar: FilterGrammar): Expression {
  return readFilter(filter, { grammar, tests: 0 }, "", 0);
}

/** The state of a filter's parser. */
interface ParserState {
  readonly grammar: FilterGrammar;
  /** The number of tests so far, including `$and`, `$or` and `$not`. */
  tests: number;
}

/** Limits the tests, because a parsed test needs much more memory than its text. */
function countTest(state: ParserState, weight = 1): void {
  state.tests += weight;
  if (state.tests > maxFilterTests)
    throw new ExpressionError(
      `the filter has more than ${maxFilterTests} conditions (a path counts as ten or more of them); use fewer conditions, or use $in`,
      { pointer: "" },
    );
}

function readFilter(filter: JsonValue, state: ParserState, pointer: string, depth: number): Expression {
  if (depth > maxExpressionDepth) {
    throw new ExpressionError(`the filter is nested more than ${maxExpressionDepth} levels deep`, {
      pointer,
    });
  }
  if (!isJsonObject(filter)) throw new ExpressionError("a filter must be an object", { pointer });
  const terms: Expression[] = [];
  for (const [name, value] of getFieldEntries(filter)) {
    countTest(state);
    const at = appendPointer(pointer, name);
    terms.push(
      name.startsWith("$") ? readLogic(name, value, state, at, depth + 1) : readField(name, value, state, at),
    );
  }
  if (terms.length === 0) countTest(state);
  return joinTerms(terms);
}

function readLogic(
  name: string,
  value: JsonValue,
  state: ParserState,
  pointer: string,
  depth: number,
): Expression {
  if (state.grammar === "equality") {
    throw new ExpressionError(`${name} is not supported: this filter supports only fields and values`, {
      pointer,
    });
  }
  if (name === "$not") return { kind: "not", term: readFilter(value, state, pointer, depth) };
  if (name !== "$and" && name !== "$or") {
    const advice = `to refer to a field with this name, write ${JSON.stringify(`"${name}"`)}`;
    throw new ExpressionError(`unknown operator ${name}: expected $and, $or or $not; ${advice}`, { pointer });
  }
  if (!isJsonArray(value) || value.length === 0) {
    throw new ExpressionError(`the value of ${name} must be an array with at least one filter`, { pointer });
  }
  const terms = value.map((one, index) => readFilter(one, state, `${pointer}/${index}`, depth));
  return { kind: name === "$and" ? "and" : "or", terms };
}

function readField(name: string, value: JsonValue, state: ParserState, pointer: string): Expression {
  const path = parseFieldPath(name, state, pointer);
  const entries = state.grammar === "operators" && isJsonObject(value) ? [...getFieldEntries(value)] : [];
  const operators = entries.filter(([member]) => member.startsWith("$"));
  if (operators.length === 0) return createComparison("=")(path, value, pointer);
  if (operators.length < entries.length) {
    const problem = "an object must contain either operators, which begin with $, or plain fields, not both";
    throw new ExpressionError(problem, { pointer });
  }
  return joinTerms(
    operators.map(([operator, operand]) => {
      countTest(state);
      const create = getOwnField(fieldOperators, operator);
      const location = appendPointer(pointer, operator);
      if (create !== undefined) return create(path, operand, location);
      const known = Object.keys(fieldOperators).join(", ");
      throw new ExpressionError(`unknown operator ${operator}: expected one of ${known}`, {
        pointer: location,
      });
    }),
  );
}

function parseFieldPath(name: string, state: ParserState, pointer: string): Path {
  if (!/[.[\]"]/u.test(name)) return [name];
  if (exceedsCodePointCount(name, expressionLength))
    throw new ExpressionError(`a path has more than ${expressionLength} characters`, { pointer: "" });
  // Parsing a path takes as much time as that many names.
  countTest(state, 10 + Math.floor(name.length / 16));
  try {
    return parsePath(name);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new ExpressionError(`field name ${JSON.stringify(name)}: ${error.message}`, { pointer });
  }
}

function joinTerms(terms: readonly Expression[]): Expression {
  const [first] = terms;
  return first !== undefined && terms.length === 1 ? first : { kind: "and", terms };
}

/** Creates the expression of a field operator. @param pointer its location, for the error */
type FieldOperator = (path: Path, operand: JsonValue, pointer: string) => Expression;

/** The operators allowed in the value of a field (gap `item-filter-grammar`). */
const fieldOperators: Readonly<Record<string, FieldOperator>> = {
  $eq: createComparison("="),
  $ne: createComparison("<>"),
  $gt: createComparison(">"),
  $gte: createComparison(">="),
  $lt: createComparison("<"),
  $lte: createComparison("<="),
  $in(path, operand, pointer) {
    if (!isJsonArray(operand)) throw new ExpressionError("the value of $in must be an array", { pointer });
    return { kind: "in", operand: { kind: "path", path }, choices: operand.map(toLiteral) };
  },
  $exists(path, operand, pointer) {
    if (typeof operand !== "boolean")
      throw new ExpressionError("the value of $exists must be true or false", { pointer });
    return { kind: operand ? "attribute_exists" : "attribute_not_exists", path };
  },
  $beginsWith(path, operand, pointer) {
    if (typeof operand !== "string")
      throw new ExpressionError("the value of $beginsWith must be a string", { pointer });
    return { kind: "begins_with", operand: { kind: "path", path }, prefix: toLiteral(operand) };
  },
  $contains: (path, operand) => ({
    kind: "contains",
    operand: { kind: "path", path },
    element: toLiteral(operand),
  }),
};

function createComparison(comparator: Comparator): FieldOperator {
  return (path, operand) => ({
    kind: "compare",
    comparator,
    left: { kind: "path", path },
    right: toLiteral(operand),
  });
}

function toLiteral(value: JsonValue): Operand {
  return { kind: "literal", value };
}
