import { emulatorDefinedLimits } from "../../openapi/clauses/limits.js";
import { appendPointer } from "../../openapi/validation/json-pointer.js";
import { exceedsCodePointCount } from "../json/character-codes.js";
import {
  isJsonArray,
  isJsonObject,
  countFields,
  getFieldEntries,
  type JsonValue,
} from "../json/json-value.js";
import {
  ExpressionError,
  type Expression,
  maxExpressionDepth,
  maxFilterTests,
  type Path,
  type Comparator,
  type LiteralOperand,
  type PathOperand,
} from "./expression.js";
import { parsePath } from "./parse-condition.js";

const { expressionLength } = emulatorDefinedLimits;

/** `operators`: fields, field operators and logic. `equality`: field → value alone (gap item-filter-grammar). */
export type FilterGrammar = "operators" | "equality";

export interface ParseFilterOptions {
  readonly grammar: FilterGrammar;
}

/**
 * The expression that the `filterExpression` object of a query or scan means. All its members must hold; an empty
 * object matches everything.
 *
 * - A field name without dot, bracket and double quote is that very top-level member (`pk` and `sk` are the keys);
 *   any other is a path as in condition.peggy: `address.city`, `lines[0]`, `"odd.name"`. A name that begins with `$`
 *   is written in double quotes too.
 * - In the grammar `operators` a value that is an object with `$` names holds field operators, all of which must
 *   hold: `{"total": {"$gte": 10, "$lt": 20}}`; `$and` and `$or` take arrays of filters, `$not` takes one. Any other
 *   value, objects without `$` names included, asks for equality.
 * - In the grammar `equality` every value asks for equality.
 *
 * @throws {ExpressionError} with a JSON pointer to the member at fault
 */
export function parseFilterObject(filter: JsonValue, options: ParseFilterOptions): Expression {
  return readFilter(filter, { grammar: options.grammar, tests: 0 }, "", 0);
}

/** A filter that is being read. */
interface Reading {
  readonly grammar: FilterGrammar;
  /** How many tests it has so far; `$and`, `$or` and `$not` are some as well. */
  tests: number;
}

/** A parsed test needs much more memory than its text: those of a filter as long as a body would fill all memory. */
function countTest(reading: Reading, weight = 1): void {
  reading.tests += weight;
  if (reading.tests > maxFilterTests)
    throw new ExpressionError(
      `the filter has more than ${maxFilterTests} conditions (a path counts as ten or more of them); use fewer conditions, or use $in`,
      {
        pointer: "",
      },
    );
}

function readFilter(filter: JsonValue, reading: Reading, pointer: string, depth: number): Expression {
  if (depth > maxExpressionDepth) {
    throw new ExpressionError(`the filter is nested more than ${maxExpressionDepth} levels deep`, {
      pointer,
    });
  }
  if (!isJsonObject(filter)) throw new ExpressionError("a filter must be an object", { pointer });
  const terms: Expression[] = [];
  for (const [name, value] of getFieldEntries(filter)) {
    countTest(reading);
    const at = appendPointer(pointer, name);
    terms.push(
      name.startsWith("$")
        ? readLogic(name, value, reading, at, depth + 1)
        : readField(name, value, reading, at),
    );
  }
  if (terms.length === 0) countTest(reading);
  return joinTerms(terms);
}

function readLogic(
  name: string,
  value: JsonValue,
  reading: Reading,
  pointer: string,
  depth: number,
): Expression {
  if (reading.grammar === "equality") {
    throw new ExpressionError(`${name} is not supported: this filter supports only fields and values`, {
      pointer,
    });
  }
  if (name === "$not") return { kind: "not", term: readFilter(value, reading, pointer, depth) };
  if (name !== "$and" && name !== "$or") {
    const advice = `to refer to a field with this name, write ${JSON.stringify(`"${name}"`)}`;
    throw new ExpressionError(`unknown operator ${name}: expected $and, $or or $not; ${advice}`, { pointer });
  }
  if (!isJsonArray(value) || value.length === 0) {
    throw new ExpressionError(`the value of ${name} must be an array with at least one filter`, { pointer });
  }
  const terms = value.map((one, index) => readFilter(one, reading, `${pointer}/${index}`, depth));
  return { kind: name === "$and" ? "and" : "or", terms };
}

function readField(name: string, value: JsonValue, reading: Reading, pointer: string): Expression {
  const path = fieldPath(name, reading, pointer);
  const equality = { kind: "compare", comparator: "=", left: { kind: "path", path } } as const;
  const literal = { kind: "literal", value } as const;
  if (reading.grammar === "equality" || !isJsonObject(value)) return { ...equality, right: literal };
  const entries = [...getFieldEntries(value)];
  const operators = entries.filter(([member]) => member.startsWith("$")).length;
  if (operators === 0) return { ...equality, right: literal };
  if (operators < countFields(value)) {
    const problem = "an object must contain either operators, which begin with $, or plain fields, not both";
    throw new ExpressionError(problem, { pointer });
  }
  return joinTerms(
    entries.map(([operator, operand]) => {
      countTest(reading);
      return readOperator(operator, path, operand, appendPointer(pointer, operator));
    }),
  );
}

function readOperator(operator: string, path: Path, operand: JsonValue, pointer: string): Expression {
  const read = fieldOperators.get(operator);
  if (read === undefined) {
    const known = [...fieldOperators.keys()].join(", ");
    throw new ExpressionError(`unknown operator ${operator}: expected one of ${known}`, { pointer });
  }
  return read(path, operand, pointer);
}

function fieldPath(name: string, reading: Reading, pointer: string): Path {
  if (!/[.[\]"]/u.test(name)) return [name];
  if (exceedsCodePointCount(name, expressionLength))
    throw new ExpressionError(`a path has more than ${expressionLength} characters`, { pointer: "" });
  // the parser needs as much time for it as for that many names
  countTest(reading, 10 + Math.floor(name.length / 16));
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

/** Creates the expression of a field operator; `pointer` is its location, for the error. */
type FieldOperator = (path: Path, operand: JsonValue, pointer: string) => Expression;

/** The operators allowed in the value of a field (gap item-filter-grammar). */
const fieldOperators: ReadonlyMap<string, FieldOperator> = new Map<string, FieldOperator>([
  ["$eq", createComparison("=")],
  ["$ne", createComparison("<>")],
  ["$gt", createComparison(">")],
  ["$gte", createComparison(">=")],
  ["$lt", createComparison("<")],
  ["$lte", createComparison("<=")],
  [
    "$in",
    (path, operand, pointer) => {
      if (!isJsonArray(operand)) throw new ExpressionError("the value of $in must be an array", { pointer });
      return { kind: "in", operand: at(path), choices: operand.map(literal) };
    },
  ],
  [
    "$exists",
    (path, operand, pointer) => {
      if (typeof operand !== "boolean")
        throw new ExpressionError("the value of $exists must be true or false", { pointer });
      return { kind: operand ? "attribute_exists" : "attribute_not_exists", path };
    },
  ],
  [
    "$beginsWith",
    (path, operand, pointer) => {
      if (typeof operand !== "string")
        throw new ExpressionError("the value of $beginsWith must be a string", { pointer });
      return { kind: "begins_with", operand: at(path), prefix: literal(operand) };
    },
  ],
  ["$contains", (path, operand) => ({ kind: "contains", operand: at(path), element: literal(operand) })],
]);

function createComparison(comparator: Comparator): FieldOperator {
  return (path, operand) => ({ kind: "compare", comparator, left: at(path), right: literal(operand) });
}

function at(path: Path): PathOperand {
  return { kind: "path", path };
}

function literal(value: JsonValue): LiteralOperand {
  return { kind: "literal", value };
}
