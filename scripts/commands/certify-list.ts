import { areaOf, areas } from "../../conformance/check/check.js";
import type { Check } from "../../conformance/check/check.js";

/** The checks by area, with their clauses and what they need of a target. */
export function listText(checks: readonly Check[]): string {
  const clauses = new Set(checks.flatMap((check) => check.clauses));
  const lines = areas.flatMap((area) => {
    const ofArea = checks.filter((check) => areaOf(check) === area);
    if (ofArea.length === 0) return [];
    return [`${area} (${counted(ofArea.length, "check")})`, ...ofArea.flatMap(checkLines), ""];
  });
  return [...lines, `${counted(checks.length, "check")}, ${counted(clauses.size, "clause")}`, ""].join("\n");
}

function checkLines({ id, title, clauses, needs, after = [] }: Check): readonly string[] {
  const more = [
    ...(clauses.length === 0 ? [] : [clauses.join(" ")]),
    ...(needs.length === 0 ? [] : [`needs ${needs.join(", ")}`]),
    ...(after.length === 0 ? [] : [`after ${after.join(", ")}`]),
  ];
  return [`  ${id}`, `      ${title}`, ...more.map((line) => `      ${line}`)];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
