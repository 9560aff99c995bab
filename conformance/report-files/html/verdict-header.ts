import type { Report } from "../../report/report.js";
import { because } from "../../report/words.js";
import { badges, marks, verdictStates } from "./badge.js";
import { html, type Html } from "./html.js";

/**
 * The verdict, why, and what was judged by what.
 *
 * @param report what was asked for
 * @param whole with the checks that were left out
 */
export function verdictHeader(report: Report, whole: Report): Html {
  const { verdict, counts, troubles, target, run, suite, parts } = report;
  const state = verdictStates[verdict];
  const clauseCounts: Record<string, number> = {};
  for (const part of parts)
    for (const [level, count] of Object.entries(part.counts))
      clauseCounts[level] = (clauseCounts[level] ?? 0) + count;
  const clauseCount = Object.values(clauseCounts).reduce((sum, count) => sum + count, 0);
  const sentence = because(whole);
  const leftOut = whole.checks.length - report.checks.length;
  const { shard, mergedFrom } = run;
  const facts: readonly (readonly [string, Html | string | undefined])[] = [
    ["Target", target.title],
    ["Base URL", html`<code>${target.baseUrl}</code>`],
    ["Begun", html`<time datetime="${run.startedAt}">${readable(run.startedAt)}</time>`],
    ["Took", `${inMinutes(run.durationMs)}, ${run.requests} requests`],
    ["Seed", html`<code>${run.seed}</code>, ${run.runs} tries a property`],
    ["Only", run.only.length === 0 ? undefined : run.only.join(", ")],
    ["Shard", shard === undefined ? undefined : `${shard.index} of ${shard.count}`],
    ["Merged from", mergedFrom === undefined ? undefined : `${mergedFrom} shards`],
    ["Left out", leftOut === 0 ? undefined : `${leftOut} checks`],
    ["Run", html`<code>${run.id}</code>`],
    ["Suite", `${suite.name} ${suite.version}`],
    ["Contract", html`${suite.contractVersion}, SHA-256 <code>${suite.contractSha256}</code>`],
  ];
  return html`<header class="${state}">
    <p class="kicker">Conformance report</p>
    <h1>
      <span aria-hidden="true">${marks[state]}</span> ${verdict.charAt(0).toUpperCase() + verdict.slice(1)}
    </h1>
    <p class="because">${sentence.charAt(0).toUpperCase() + sentence.slice(1)}.</p>
    ${
      // an inconclusive verdict names them as its reason
      troubles.length === 0 || verdict === "inconclusive"
        ? undefined
        : html`<ul class="troubles">
            ${troubles.map((trouble) => html`<li>${trouble}</li>`)}
          </ul>`
    }
    <dl class="facts">
      <div class="wide">
        <dt>${report.checks.length} checks</dt>
        <dd>${badges(counts)}</dd>
      </div>
      <div class="wide">
        <dt>${clauseCount} clauses</dt>
        <dd>${badges(clauseCounts)}</dd>
      </div>
      ${facts.map(([term, fact]) =>
        fact === undefined
          ? undefined
          : html`<div>
              <dt>${term}</dt>
              <dd>${fact}</dd>
            </div> `,
      )}
    </dl>
  </header>`;
}

function readable(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)} UTC`;
}

function inMinutes(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return seconds < 100
    ? `${seconds.toFixed(1)} s`
    : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
