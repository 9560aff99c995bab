import type { ReportedObservation } from "../../observe/report-observation.js";
import { html } from "./html.js";
import { observedSection } from "./observed-section.js";
import { pageHead } from "./page-head.js";

/** What the page tells beside the observations. */
export interface ObservedReport {
  readonly suite: { readonly name: string; readonly version: string };
  readonly target: { readonly title: string };
  readonly observations: readonly ReportedObservation[];
}

/** The observations as one page that needs nothing else, like the report of a certification. */
export function observedPage({ suite, target, observations }: ObservedReport): string {
  const section = observedSection(observations);
  return html`<!doctype html>
    <html lang="en">
      ${pageHead(`Observed: ${target.title}`)}
      <body>
        <main id="main">
          <h1>${target.title}</h1>
          <section aria-labelledby="observed">
            <h2 id="observed">${section?.title}</h2>
            ${section?.body}
          </section>
        </main>
        <footer><p>${suite.name} ${suite.version}</p></footer>
      </body>
    </html> `.text;
}
