import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Clause } from "../clauses/clause.js";
import { partTitles, specificationParts } from "../clauses/part-titles.js";
import { clauseIds, clauses } from "../clauses/register.js";
import { gapIds, getGap } from "../gaps/register.js";
import { parseTrace, type TraceStatement } from "./parse-trace.js";

const markdown = readFileSync(new URL("../TRACE.md", import.meta.url), "utf8");
const statements = parseTrace(markdown);

/** The number of numbered rules in each part of the specification. */
const rules: Readonly<Record<string, number>> = { "1": 4, "4.2": 12, "4.8": 5 };

const rulesOf = (part: string) =>
  Array.from({ length: rules[part] ?? 0 }, (_, index) => `${part} rule ${index + 1}`);

const partsAndRules = specificationParts.flatMap((part) => [part, ...rulesOf(part)]);

const nameOf = ({ part, text }: TraceStatement) => `${part}: ${text}`;

/** Lists ids that no statement in their own part names, with the part in which to add them. */
function listUnnamedIds(
  ids: readonly string[],
  partOf: (id: string) => string,
  namedBy: (statement: TraceStatement) => readonly string[],
): string[] {
  return ids
    .filter((id) => {
      const isOfPart = ({ part }: TraceStatement) =>
        part === partOf(id) || part.startsWith(`${partOf(id)} rule `);
      return !statements.some((statement) => isOfPart(statement) && namedBy(statement).includes(id));
    })
    .map((id) => `${id}, part ${partOf(id)}`);
}

describe("the trace", () => {
  it("maps every statement to a clause, to a gap, to any answer, or to a reason why there is none", () => {
    const bare = statements.filter(
      ({ clauses: own, gaps, isOpen, reason }) => own.length + gaps.length === 0 && !isOpen && reason === "",
    );
    expect(bare.map(nameOf)).toEqual([]);
  });

  it("leaves open only what the specification does not say", () => {
    const said = statements.filter(
      ({ text, clauses: own, gaps, isOpen }) =>
        isOpen && (own.length + gaps.length > 0 || !/^Not (said|shown): /.test(text)),
    );
    expect(said.map(nameOf)).toEqual([]);
  });

  it("names clauses and gaps that exist, and has the titles of the parts", () => {
    const known = new Set<string>([...clauseIds, ...gapIds]);
    const named = statements.flatMap(({ clauses: own, gaps }) => [...own, ...gaps]);
    expect(named.filter((id) => !known.has(id))).toEqual([]);
    expect([...markdown.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual(
      specificationParts.map((part) => `${part} ${partTitles[part] ?? ""}`),
    );
  });

  it("has a statement for every clause, from the part that the clause names", () => {
    const all: Readonly<Record<string, Clause>> = clauses;
    expect(
      listUnnamedIds(
        clauseIds,
        (id) => all[id]?.part ?? "",
        (statement) => statement.clauses,
      ),
    ).toEqual([]);
  });

  it("has a statement for every gap, from the part that the gap names", () => {
    expect(
      listUnnamedIds(
        gapIds,
        (id) => getGap(id as (typeof gapIds)[number]).part,
        (statement) => statement.gaps,
      ),
    ).toEqual([]);
  });

  it("covers every part and rule, in the order of the specification", () => {
    const visited = statements.map(({ part }) => part).filter((part, index, all) => part !== all[index - 1]);
    expect(visited.filter((part) => !partsAndRules.includes(part))).toEqual([]);
    expect(partsAndRules.filter((part) => !visited.includes(part))).toEqual([]);
    const bases = visited.map((part) => part.replace(/ rule \d+$/, ""));
    expect(bases.filter((part, index) => part !== bases[index - 1])).toEqual(specificationParts);
  });

  it("contains no statement twice", () => {
    const names = statements.map(nameOf);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("names nothing twice in one statement", () => {
    const repeated = statements.filter(({ clauses: own, gaps }) => {
      const ids = [...own, ...gaps];
      return new Set(ids).size < ids.length;
    });
    expect(repeated.map(nameOf)).toEqual([]);
  });

  it("uses short lines, without a full stop", () => {
    const texts = statements.flatMap(({ text, reason }) => (reason === "" ? [text] : [text, reason]));
    expect(texts.filter((text) => !/^\S.*[^\s.]$/.test(text) || text.length > 110)).toEqual([]);
  });
});
