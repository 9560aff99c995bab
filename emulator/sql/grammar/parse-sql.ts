import { requireLate } from "../../../openapi/packaged/require-late.js";
import { codePointsIn, isLongerThan } from "../../json/code-points.js";
import type * as Grammar from "./generated/sql.cjs";
import { measureText } from "./measure-text.js";
import { SqlError, type SqlErrorCode } from "./sql-error.js";
import type { Statement } from "./syntax.js";
import { describePosition } from "./text-position.js";

type Expectation = NonNullable<Grammar.SyntaxError["expected"]>[number];

/** Names of grammar rules that would not help in a message. */
const hidden = new Set(["white space", "a word"]);

/** The answers to gaps that decide how a text is read. */
export interface Dialect {
  /** Gap `sql-identifier-case`: names without quotes are folded, or kept. */
  readonly identifierCase: "lower" | "upper" | "exact";
  /** Gap `sql-length-max`, in code points. */
  readonly lengthMax: number;
  /** Gap `sql-unsupported-code`: the code for what other dialects know and this one does not. */
  readonly unsupportedCode: Extract<SqlErrorCode, "SQL_SYNTAX_ERROR" | "SQL_VALIDATION_ERROR">;
}

/** A statement with the number of its markers `?`. */
export interface ParsedSql {
  readonly statement: Statement;
  readonly parameterCount: number;
}

/** The dialect of the default profile. */
export const defaultDialect: Dialect = {
  identifierCase: "lower",
  lengthMax: 65_536,
  unsupportedCode: "SQL_SYNTAX_ERROR",
};

/**
 * Parses one statement. Time and stack are bounded, whatever the text.
 *
 * @throws SqlError SQL_SYNTAX_ERROR with line and column in `details`; for forms that only other dialects know,
 *   the code that the dialect names
 */
export function parseSql(text: string, dialect: Dialect = defaultDialect): ParsedSql {
  if (isLongerThan(text, dialect.lengthMax))
    throw new SqlError(
      "SQL_SYNTAX_ERROR",
      `the statement has ${codePointsIn(text)} characters`,
      `At most ${dialect.lengthMax} are read.`,
    );
  const markers = measureText(text);
  const { parse, SyntaxError: GrammarError } = grammar();
  try {
    const statement = parse(text, {
      refuse: (what, location) => {
        throw new SqlError(
          dialect.unsupportedCode,
          `not supported: ${what}`,
          describePosition(text, location.start.offset),
        );
      },
      markerAt: (offset) => markers.get(offset) ?? 0,
      fold: (name) => foldName(name, dialect.identifierCase),
    });
    return { statement, parameterCount: markers.size };
  } catch (error) {
    if (error instanceof GrammarError) throw syntaxError(text, error);
    throw error;
  }
}

function grammar(): typeof Grammar {
  return requireLate("./emulator/sql/grammar/generated/sql.cjs") as typeof Grammar;
}

/** A name without quotes as it is kept (gap `sql-identifier-case`). */
export function foldName(name: string, identifierCase: Dialect["identifierCase"]): string {
  if (identifierCase === "exact") return name;
  return identifierCase === "lower" ? name.toLowerCase() : name.toUpperCase();
}

function syntaxError(text: string, error: Grammar.SyntaxError): SqlError {
  const { offset } = error.location.start;
  if (error.expected === null)
    return new SqlError("SQL_SYNTAX_ERROR", error.message, describePosition(text, offset));
  const found = /^(?:\w+|[^])/u.exec(text.slice(offset, offset + 40))?.[0];
  const wanted = [...new Set(error.expected.flatMap(describeExpectation))];
  return new SqlError(
    "SQL_SYNTAX_ERROR",
    `unexpected ${found === undefined ? "end of the statement" : JSON.stringify(found)}`,
    `${describePosition(text, offset)}: expected ${wanted.slice(0, 12).join(" or ")}`,
  );
}

function describeExpectation(expectation: Expectation): string[] {
  if (expectation.type === "literal") return [expectation.text ?? ""];
  const { description } = expectation;
  return description === undefined || hidden.has(description) ? [] : [description];
}
