import type { Level } from "../../run/result.js";
import type { ClauseState, Verdict } from "../../run/verdict.js";
import { levelWords } from "../../report/words.js";
import { html, type Html } from "./html.js";

/** Signs of outcomes, so that colour never says it alone. */
export const marks: Readonly<Record<Level | ClauseState, string>> = {
  passed: "✓",
  failed: "✗",
  blocked: "⊘",
  "not-run": "○",
  "not-declared": "–",
  unobservable: "◌",
};

/** An outcome in a sign and words. */
export function badge(state: Level | ClauseState, count?: number): Html {
  const words = count === undefined ? levelWords[state] : `${count} ${levelWords[state]}`;
  return html`<span class="badge ${state}"><span aria-hidden="true">${marks[state]}</span> ${words}</span>`;
}

/** Outcomes with their counts; those that are nil are left out. */
export function badges(counts: Readonly<Partial<Record<ClauseState | Level, number>>>): Html {
  const states = Object.keys(levelWords) as (ClauseState | Level)[];
  return html`<span class="badges"
    >${states.flatMap((state) => {
      const count = counts[state] ?? 0;
      return count === 0 ? [] : [badge(state, count)];
    })}</span
  >`;
}

/** The class that colours a verdict. */
export const verdictStates: Readonly<Record<Verdict, Level>> = {
  conformant: "passed",
  partial: "passed",
  "not conformant": "failed",
  inconclusive: "not-run",
};
