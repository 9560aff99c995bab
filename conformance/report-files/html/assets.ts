/** The style of the page. All pairs of text and ground have a contrast of 4.5 and more, light and dark. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f5f6f8; --line: #d5d9df; --text: #1b1f24; --soft: #535c68; --link: #0b57b0;
  --passed: #14632f; --passed-ground: #e3f4e8; --failed: #a01218; --failed-ground: #fde9e8;
  --unsure: #704900; --unsure-ground: #fcf0d6; --quiet: #48525e; --quiet-ground: #e9ecf0;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --raised: #1d2127; --line: #3a414b; --text: #e4e7ea; --soft: #a3adb8; --link: #86b9f5;
    --passed: #83dba3; --passed-ground: #153322; --failed: #ffa39b; --failed-ground: #431b1b;
    --unsure: #f0c873; --unsure-ground: #3a2d10; --quiet: #b7c0ca; --quiet-ground: #2a3038;
  }
}
* { box-sizing: border-box; }
html { font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; padding: 0 1.25rem 3rem; max-width: 80rem; background: var(--ground); color: var(--text); overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
code, pre { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; unicode-bidi: isolate; }
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; }
h2 { margin: 2.75rem 0 .75rem; padding-bottom: .35rem; border-bottom: 1px solid var(--line); font-size: 1.5rem; }
h3 { margin: 1.75rem 0 .35rem; font-size: 1.125rem; }
h4 { margin: 1.25rem 0 .35rem; font-size: 1rem; }
p { margin: .5rem 0; max-width: 75ch; }
.hidden, .skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { position: absolute; z-index: 3; padding: .5rem 1rem; background: var(--ground); }

body > header { margin: 1.25rem 0 0; padding: 1.25rem 1.5rem 1.5rem; border: 1px solid var(--line); border-left: 8px solid; border-radius: 6px; background: var(--raised); }
header.passed { border-left-color: var(--passed); } header.failed { border-left-color: var(--failed); } header.not-run { border-left-color: var(--unsure); }
header.passed h1 { color: var(--passed); } header.failed h1 { color: var(--failed); } header.not-run h1 { color: var(--unsure); }
.kicker { margin: 0; color: var(--soft); }
h1 { margin: 0 0 .25rem; font-size: 2.25rem; }
.because, .source { max-width: none; }
.because { margin: 0; font-size: 1.125rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: .75rem 1.5rem; margin: 1.25rem 0 0; }
dt { color: var(--soft); font-size: .875rem; }
dd { margin: 0; }

nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 1rem 0 0; padding: 0; list-style: none; }
nav a { display: inline-block; padding: .2rem 0; }
.note { color: var(--soft); }

.badges { display: inline-flex; flex-wrap: wrap; gap: .3rem; }
.badge { display: inline-block; padding: .05rem .5rem; border-radius: 1rem; font-size: .875rem; white-space: nowrap; color: var(--quiet); background: var(--quiet-ground); }
.badge.passed { color: var(--passed); background: var(--passed-ground); }
.badge.failed { color: var(--failed); background: var(--failed-ground); font-weight: 600; }
.badge.blocked, .badge.not-run { color: var(--unsure); background: var(--unsure-ground); }

summary { cursor: pointer; }
details.part { border-bottom: 1px solid var(--line); }
details.part > summary { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .75rem; padding: .55rem 0; }
details.part > summary::before { content: "▸"; width: 1ch; color: var(--soft); }
details.part[open] > summary::before { content: "▾"; }
details.part > summary::-webkit-details-marker { display: none; }
summary h3 { flex: 0 1 20rem; margin: 0; font-size: 1rem; }

.scroll { position: relative; overflow-x: auto; max-width: 100%; margin: .5rem 0 1rem; border: 1px solid var(--line); border-radius: 4px; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { padding: .4rem .6rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; background: var(--raised); font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 400; }
tr:target > * { background: var(--unsure-ground); }
.clauses, .checks { min-width: 46rem; }
.clauses tbody th { white-space: nowrap; font-weight: 600; }
.rule { display: block; color: var(--soft); font-size: .8125rem; font-weight: 400; }
.why { display: block; font-size: .875rem; }
.count { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
ul.links { display: flex; flex-wrap: wrap; gap: 0 .75rem; margin: 0; padding: 0; list-style: none; }

.scroll:has(> .access) { max-height: 85vh; overflow-y: auto; }
.access { width: auto; min-width: 100%; font-size: .875rem; }
.access th, .access td { padding: .2rem .45rem; white-space: nowrap; }
.access thead th { position: sticky; top: 0; z-index: 1; }
.access thead th + th { text-align: center; }
.access thead span { writing-mode: vertical-rl; transform: rotate(180deg); font-weight: 400; }
.operations tbody th, .operations thead th:first-child, .access tbody th, .access thead th:first-child { position: sticky; left: 0; background: var(--raised); border-right: 1px solid var(--line); }
.access thead th:first-child { z-index: 2; }
.operations tbody th { z-index: 1; }
.access td { text-align: center; border-left: 1px solid var(--line); font-variant-numeric: tabular-nums; }
.cell.allowed { color: var(--passed); background: var(--passed-ground); }
.cell.refused { color: var(--quiet); background: var(--quiet-ground); }
.cell.wrong { color: var(--ground); background: var(--failed); font-weight: 700; }
.legend { display: flex; flex-wrap: wrap; gap: .4rem .75rem; margin: .5rem 0; padding: 0; list-style: none; font-size: .875rem; }
.legend li { display: flex; gap: .35rem; align-items: center; }
.legend .cell { padding: .05rem .5rem; border: 1px solid var(--line); }

.operations th, .operations td { padding: .2rem .6rem; vertical-align: middle; white-space: nowrap; }
.operations thead th { vertical-align: bottom; }

.failure { margin: 1.25rem 0 2rem; padding: 0 1.25rem 1rem; border: 1px solid var(--line); border-left: 5px solid var(--failed); border-radius: 6px; }
.index { margin: .5rem 0; padding-left: 1.25rem; } .index li { margin: .25rem 0; } .index .checks { display: block; }
.failure h3 { margin-top: 1rem; }
.number, .source, .took, .hint { color: var(--soft); }
.took, .hint, .source { font-size: .875rem; }
.verdicts { display: grid; gap: .6rem; margin: .75rem 0; }
pre { margin: .15rem 0; white-space: pre-wrap; }
.block { max-height: 24rem; overflow: auto; padding: .6rem .75rem; border: 1px solid var(--line); border-radius: 4px; background: var(--raised); }
.code { position: relative; }
.copy { position: absolute; top: .4rem; right: .6rem; padding: .1rem .6rem; border: 1px solid var(--line); border-radius: 4px; background: var(--ground); color: var(--link); font: inherit; font-size: .8125rem; cursor: pointer; }
.copy:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.code > .block { padding-right: 5rem; }
.differs { margin: .75rem 0 .25rem; }
.differences { min-width: 34rem; } .differences th[scope=row] { white-space: nowrap; } .differences td { width: 45%; }
mark { padding: .1em 0; border-radius: 2px; font-weight: 700; text-decoration: underline; text-underline-offset: .2em; }
mark.expected { color: var(--passed); background: var(--passed-ground); } mark.seen, .absent { color: var(--failed); background: var(--failed-ground); }
.both { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 0 1rem; }
.both > div { min-width: 0; } h5 { margin: .5rem 0 .15rem; color: var(--soft); font-size: .875rem; }
.inputs { margin: 0; } .inputs > div { display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: baseline; }
.inputs dt { min-width: 6rem; } .inputs dd { flex: 1 1 14rem; min-width: 0; }
.copyable { white-space: pre; overflow-wrap: normal; user-select: all; -webkit-user-select: all; }
.exchanges { margin: .25rem 0; padding: 0; list-style-position: inside; counter-reset: none; }
.exchanges li { padding: .5rem 0 .5rem .75rem; border-left: 2px solid var(--line); }
.exchanges li + li { border-top: 1px solid var(--line); }
.exchanges li::marker { color: var(--soft); }
.exchanges .line { display: inline; max-width: none; }
.exchanges .line ~ .line, .exchanges pre ~ .line, .exchanges details ~ .line { display: block; margin: .15rem 0; }
.exchanges pre.text, .exchanges details { margin-left: 1.25rem; }
.tag { padding: 0 .4rem; border: 1px solid var(--line); border-radius: 3px; color: var(--soft); font-size: .8125rem; white-space: nowrap; }
.accepted { color: var(--passed); } .refused:not(.cell) { color: var(--unsure); }
.headers { font-size: .875rem; color: var(--soft); }
.reasons > div { margin: .6rem 0; } .reasons dt { color: inherit; font-size: 1rem; } .reasons dd { padding-left: 1.25rem; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .875rem; }

@media (max-width: 40rem) {
  body { padding: 0 .75rem 2rem; }
  body > header { padding: 1rem; }
  h1 { font-size: 1.75rem; } h2 { font-size: 1.3rem; }
  .failure { padding: 0 .75rem .75rem; }
  .exchanges pre.text, .exchanges details { margin-left: 0; }
  .differences { min-width: 0; } .differences thead { display: none; }
  .differences tr { display: block; border-top: 1px solid var(--line); } .differences tbody tr:first-child { border-top: 0; }
  .differences th, .differences td { display: block; width: auto; border: 0; padding: .1rem .6rem; }
  .differences td::before { content: attr(data-label); display: inline-block; min-width: 5.5rem; color: var(--soft); font-size: .8125rem; }
}
@media print {
  :root { --ground: #fff; --raised: #fff; --line: #999; --text: #000; --soft: #333; --link: #000; color-scheme: light; }
  html { font-size: 11px; }
  body { max-width: none; padding: 0; }
  nav, .skip, .hint, .copy, details.headers { display: none; }
  details:not(.long)::details-content { content-visibility: visible; display: block; }
  .scroll, .block { overflow: visible; max-height: none; border: 0; }
  .clauses, .checks { min-width: 0; }
  .access { font-size: 6.5px; } .access th, .access td { padding: 1px 2px; } .access code { font-size: 1em; }
  .operations th, .operations td { padding: 0 .3rem; }
  .copyable { white-space: pre-wrap; overflow-wrap: anywhere; }
  .access th, .access thead th:first-child, .operations th { position: static; }
  .badge, .cell { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  tr, .exchanges li { break-inside: avoid; } h2, h3, h4 { break-after: avoid; }
}
`;

/** What a page can do with scripts and does without otherwise: copy buttons. It reads nothing and sends nothing. */
export const script = `
for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const text = button.previousElementSibling.textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      getSelection().selectAllChildren(button.previousElementSibling);
      document.execCommand("copy");
    }
    const words = button.firstChild.data;
    button.firstChild.data = "Copied";
    setTimeout(() => (button.firstChild.data = words), 1500);
  });
}
`;
