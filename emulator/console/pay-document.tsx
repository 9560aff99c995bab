import type { Child } from "hono/jsx";
import { Document } from "./layout.js";
import type { Visit } from "./visit.js";

/** The frame of checkout and portal, which a customer of the service would see. */
export function PayDocument({
  visit,
  title,
  children,
}: {
  readonly visit: Visit;
  readonly title: string;
  readonly children?: Child;
}) {
  return (
    <Document title={`${title} · Data service`} visit={visit} bodyClass="pay">
      <main class="sheet">
        <p class="brand">
          <span class="mark" aria-hidden="true" />
          Data service
        </p>
        {children}
      </main>
      <footer>
        <p>
          A page of the emulator: no card is charged. <a href={visit.link("")}>Open the console</a>
        </p>
      </footer>
    </Document>
  );
}
