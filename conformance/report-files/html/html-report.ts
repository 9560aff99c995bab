import { askedFor } from "../../report/asked-for.js";
import type { Report } from "../../report/report.js";
import { accessSection } from "./access-section.js";
import { checksSection } from "./checks-section.js";
import { clausesSection } from "./clauses-section.js";
import { failuresSection } from "./failures-section.js";
import { html } from "./html.js";
import { observedSection } from "./observed-section.js";
import { openSection } from "./open-section.js";
import { operationsSection } from "./operations-section.js";
import { pageHead, scriptElement } from "./page-head.js";
import { verdictHeader } from "./verdict-header.js";

export interface HtmlReportOptions {
  /** The command line up to the options about what to run, for the line that replays. */
  readonly command: string;
}

/**
 * The report as one page that needs nothing else: no font, no image, no network. Its policy allows the style and the
 * script that it carries and nothing beside; without the script there are no buttons that copy.
 */
export function htmlReport(whole: Report, { command }: HtmlReportOptions): string {
  const report = askedFor(whole);
  const sections = [
    failuresSection(report, command),
    openSection(report),
    observedSection(report.observations),
    clausesSection(report),
    accessSection(report),
    operationsSection(report),
    checksSection(report),
  ].filter((section) => section !== undefined);
  const page = html`<!doctype html>
    <html lang="en">
      ${pageHead(`${report.verdict}: ${report.target.title}`)}
      <body>
        <a class="skip" href="#main">Skip to the findings</a>
        ${verdictHeader(report, whole)}
        <nav aria-label="Sections of the report">
          <ul>
            ${sections.map(
              ({ id, title, note }) =>
                html`<li>
                  <a href="#${id}"
                    >${title}${note === undefined ? undefined : html` <span class="note">${note}</span>`}</a
                  >
                </li>`,
            )}
          </ul>
        </nav>
        <main id="main">
          ${sections.map(
            ({ id, title, body }) =>
              html`<section aria-labelledby="${id}">
                <h2 id="${id}">${title}</h2>
                ${body}
              </section> `,
          )}
        </main>
        <footer>
          <p>
            ${report.suite.name} ${report.suite.version}. The same findings for machines:
            <code>report.json</code> (${report.format}), <code>junit.xml</code>; all exchanges:
            <code>exchanges.har</code>. Names of environment variables such as <code>$OWNER_TOKEN</code> stand
            for secrets.
          </p>
        </footer>
        ${scriptElement}
      </body>
    </html> `;
  return page.text;
}
