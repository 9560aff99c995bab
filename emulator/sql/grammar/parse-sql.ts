import { emulatorDefinedLimits } from "../../../openapi/clauses/limits.js";
import type { Profile } from "../../../openapi/gaps/profile.js";
import { lazyRequire } from "../../../openapi/packaged/lazy-require.js";
import { countCodePoints, exceedsCodePointCount } from "../../json/character-codes.js";
import type * as Grammar from "./generated/sql.cjs";
import { SqlError } from "./sql-error.js";
import type { Statement } from "./syntax.js";

type Expectation = NonNullable<Grammar.SyntaxError["expected"]>[number];

/** Grammar rules that are not mentioned in messages. */
const hiddenRules = new Set(["white space", "a word"]);

/** How the case of unquoted names is handled (gap `sql-identifier-case`). */
export type IdentifierCase = Profile["sql-identifier-case"];

/** A statement and the number of its markers `?`. */
export interface ParsedSql {
  readonly statement: Statement;
  readonly parameterCount: number;
}

/**
 * Parses one statement. Time and stack are bounded, whatever the text.
 *
 * @throws SqlError SQL_SYNTAX_ERROR with line and column in `details`
 */
export function parseSql(text: string, identifierCase: IdentifierCase = "lower"): ParsedSql {
  if (exceedsCodePointCount(text, emulatorDefinedLimits.sqlLength))
    throw new SqlError(
      "SQL_SYNTAX_ERROR",
      `the statement has ${countCodePoints(text)} characters`,
      `At most ${emulatorDefinedLimits.sqlLength} characters are allowed.`,
    );
  const markers = scanMarkers(text);
  const { parse, SyntaxError: GrammarError } = lazyRequire(
    "./emulator/sql/grammar/generated/sql.cjs",
  ) as typeof Grammar;
  try {
    const statement = parse(text, {
      refuse: (what, location) => {
        throw new SqlError(
          "SQL_SYNTAX_ERROR",
          `not supported: ${what}`,
          describePosition(text, location.start.offset),
        );
      },
      markerAt: (offset) => markers.get(offset) ?? 0,
      fold: (name) => foldIdentifier(name, identifierCase),
    });
    return { statement, parameterCount: markers.size };
  } catch (error) {
    if (error instanceof GrammarError) throw createSyntaxError(text, error);
    throw error;
  }
}

/** Converts a name without quotes (gap `sql-identifier-case`). */
export function foldIdentifier(name: string, identifierCase: IdentifierCase): string {
  if (identifierCase === "exact") return name;
  return identifierCase === "lower" ? name.toLowerCase() : name.toUpperCase();
}

function createSyntaxError(text: string, error: Grammar.SyntaxError): SqlError {
  const { offset } = error.location.start;
  if (error.expected === null)
    return new SqlError("SQL_SYNTAX_ERROR", error.message, describePosition(text, offset));
  const found = /^(?:\w+|[^])/u.exec(text.slice(offset, offset + 40))?.[0];
  const expected = [...new Set(error.expected.flatMap(describeExpectation))];
  // Conditions and filters have named values; SQL does not.
  const named = expected.includes("a value") ? /^:\w+/.exec(text.slice(offset))?.[0] : undefined;
  const hint = named === undefined ? "" : `; write ? instead of ${named}`;
  return new SqlError(
    "SQL_SYNTAX_ERROR",
    `unexpected ${found === undefined ? "end of the statement" : JSON.stringify(found)}`,
    `${describePosition(text, offset)}: expected ${expected.slice(0, 12).join(" or ")}${hint}`,
  );
}

function describeExpectation(expectation: Expectation): string[] {
  if (expectation.type === "literal") return [expectation.text ?? ""];
  const { description } = expectation;
  return description === undefined || hiddenRules.has(description) ? [] : [description];
}

/** Maximum nesting of parentheses, collection literals and collection types. */
const maxNesting = 64;

const tokens =
  /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|--[^\n]*|\/\*[^]*?(?:\*\/|$)|(?:LIST|SET|MAP)(?![A-Za-z0-9_])\s*<|[A-Za-z_][A-Za-z0-9_]*|[?()[\]{}>]/gi;

/**
 * Finds the markers `?` outside quotes and comments, and limits the nesting before the recursive parser runs.
 *
 * @returns offset of each marker → its number, from 0
 */
function scanMarkers(text: string): ReadonlyMap<number, number> {
  const markers = new Map<number, number>();
  let brackets = 0;
  let angles = 0;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === "?") markers.set(index, markers.size);
    else if (token === "(" || token === "[" || token === "{") brackets += 1;
    else if (token === ")" || token === "]" || token === "}") brackets -= 1;
    else if (token === ">") angles = Math.max(0, angles - 1);
    else if (/^[lsm].*<$/is.test(token)) angles += 1;
    // A column named `list` may be compared with `<`. No type contains AND or OR.
    else if (/^(?:and|or)$/i.test(token)) angles = 0;
    if (brackets > maxNesting || angles > maxNesting)
      throw new SqlError(
        "SQL_SYNTAX_ERROR",
        `the statement is nested more than ${maxNesting} levels deep`,
        describePosition(text, index),
      );
  }
  return markers;
}

/** Formats an offset in a text, counted from 1: `line 2, column 7`. */
function describePosition(text: string, offset: number): string {
  const lines = text.slice(0, offset).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
}
