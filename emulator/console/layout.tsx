import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { components } from "../../openapi/generated/control-plane-types.js";
import { AskedRequests } from "./asked-requests.js";
import type { Visit } from "./visit.js";

interface LayoutProps {
  readonly visit: Visit;
  readonly title: string;
  /** The page that this one belongs to, where it is not one of the navigation itself. */
  readonly section?: Section;
  readonly clock?: components["schemas"]["Clock"] | undefined;
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  /** A line under the heading. */
  readonly lead?: Child;
  readonly children?: Child;
}

const sections = [
  { path: "", title: "Overview" },
  { path: "/data", title: "Data" },
  { path: "/people", title: "People" },
  { path: "/billing", title: "Billing" },
  { path: "/traffic", title: "Traffic" },
  { path: "/time", title: "Time" },
  { path: "/faults", title: "Faults" },
  { path: "/snapshots", title: "Snapshots" },
  { path: "/reference", title: "API reference" },
] as const;

type Section = (typeof sections)[number]["path"];

/** A page of the console: navigation, heading, what it is about, and the requests it was made from. */
export function Layout({
  visit,
  title,
  section,
  clock,
  scripts = [],
  styles = [],
  lead,
  children,
}: LayoutProps) {
  return (
    <Document title={`${title} · Data service emulator`} visit={visit} scripts={scripts} styles={styles}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="bar">
        <a class="brand" href={visit.link("")}>
          <span class="mark" aria-hidden="true" />
          Data service <span class="muted">emulator</span>
        </a>
        <p class="where">
          <a href={visit.link("/snapshots")} title="Namespaces">
            <span class="muted">namespace</span> {visit.namespace}
          </a>
          {clock === undefined ? null : (
            <a href={visit.link("/time")} title="The clock">
              <span class="muted">{clock.mode} clock</span> <time>{shortTime(clock.now)}</time>
            </a>
          )}
        </p>
      </header>
      <div class="body">
        <nav class="sections" aria-label="Sections">
          <ul>
            {sections.map(({ path, title: name }) => (
              <li>
                <a href={visit.link(path)} {...(path === section ? { "aria-current": "page" as const } : {})}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <main id="content" class="content" tabindex={-1}>
          <h1>{title}</h1>
          {lead === undefined ? null : <p class="lead">{lead}</p>}
          {children}
          <AskedRequests visit={visit} />
        </main>
      </div>
    </Document>
  );
}

interface DocumentProps {
  readonly title: string;
  readonly visit: Visit;
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  readonly bodyClass?: string;
  readonly children?: Child;
}

/** The frame of any page, those of checkout and portal included. */
export function Document({ title, visit, scripts = [], styles = [], bodyClass, children }: DocumentProps) {
  return (
    <>
      {/* without it browsers fall back to what pages were like before there were rules */}
      {raw("<!DOCTYPE html>")}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="htmx-config" content='{"includeIndicatorCSS":false}' />
          <title>{title}</title>
          <link rel="icon" href={icon} />
          {styles.map((name) => (
            <link rel="stylesheet" href={visit.link(`/assets/${name}`)} />
          ))}
          <link rel="stylesheet" href={visit.link("/assets/console.css")} />
          {["console.js", ...scripts].map((name) => (
            // htmx would not wait for its extension if the page had been read when it comes
            <script src={visit.link(`/assets/${name}`)} defer={name !== "htmx.js"} />
          ))}
        </head>
        <body class={bodyClass}>{children}</body>
      </html>
    </>
  );
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%230b7a6b'/%3E%3Cpath d='M4 5h8M4 8h8M4 11h5' stroke='%23fff' stroke-width='1.6' stroke-linecap='round'/%3E%3C/svg%3E";

/** A timestamp as people read it, to the second. */
export function shortTime(timestamp: string): string {
  return timestamp.replace("T", " ").replace(/\.\d+Z$/, " UTC");
}
