import type { ConsoleApp } from "../console-app.js";
import { Layout } from "../layout.js";

/** The contract of the profile in force, with a form for each operation that sends it here. */
export function mountReference(app: ConsoleApp): void {
  app.get("/reference", (c) => {
    const visit = c.get("visit");
    return c.html(
      <Layout
        visit={visit}
        title="API reference"
        section="/reference"
        lead="What this namespace answers, by the profile in force. Authorize with a key or token from the page People, and try it here."
        styles={["swagger-ui.css", "reference.css"]}
        scripts={["swagger-ui.js", "reference.js"]}
      >
        <h2 class="unseen">Operations</h2>
        <div id="reference" data-document={`${visit.prefix}/openapi.json`}>
          <p>
            The reference needs a script. The <a href={`${visit.prefix}/openapi.json`}>document itself</a>{" "}
            does not.
          </p>
        </div>
      </Layout>,
    );
  });
}
