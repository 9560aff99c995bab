import type { Handler } from "hono";
import { raw } from "hono/html";
import { type Child, createContext, useContext } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { formatShortTime } from "../../openapi/html/components.js";
import type { FieldValues } from "./contract.js";
import type { ConsoleContext, ConsoleEnvironment } from "./environment.js";
import type { RejectedRequestError } from "./rejected-request-error.js";
import { consolePath, type ConsoleQuery, type Schemas, type PageVisit } from "./page-visit.js";

/** The state of a page that its components use. */
interface PageState {
  readonly visit: PageVisit;
  /** The address to which forms are sent. */
  readonly self: string;
  /** The fields of the form that was sent, if any. */
  readonly fields: FieldValues;
  readonly refusal: RejectedRequestError | undefined;
  /** The ids of form fields that are already used. */
  readonly ids: Set<string>;
  /** The key of the notice of success to show. */
  readonly done: string | undefined;
}

const PageContext = createContext<PageState | undefined>(undefined);

/** The page that a component is part of. */
export function usePage(): PageState {
  const page = useContext(PageContext);
  if (page === undefined) throw new Error("the component is not part of a page");
  return page;
}

export interface Page {
  readonly title: string;
  /** The section of the navigation that this page belongs to. */
  readonly section?: Section;
  readonly status?: ContentfulStatusCode;
  /** Whether to use the layout of checkout and portal, which a customer of the service would see. */
  readonly isForCustomers?: boolean;
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  /** A line under the heading. */
  readonly lead?: Child;
  /** The breadcrumbs: the parent pages, then this page. */
  readonly trail?: readonly (readonly [text: string, href?: string])[];
  /** This page and its siblings. */
  readonly tabs?: readonly { readonly title: string; readonly href: string; readonly isCurrent: boolean }[];
  /** Query parameters of the address to which the forms of the page are sent. */
  readonly formQuery?: ConsoleQuery;
  readonly content: Child;
}

type Render = (c: ConsoleContext, visit: PageVisit) => Response | Page | Promise<Response | Page>;

/** Creates a page of the console, with notices and a list of the requests that the page sent. */
export function createPageHandler(render: Render): Handler<ConsoleEnvironment> {
  return async (c: ConsoleContext) => {
    const page = await render(c, c.get("visit"));
    return page instanceof Response ? page : showPage(c, page);
  };
}

/** A page that explains why there is nothing to show. */
export function renderErrorPage(c: ConsoleContext, { status, sentences }: RejectedRequestError) {
  const content = (
    <>
      {sentences.map((sentence) => (
        <p dir="auto">{sentence}</p>
      ))}
      <p>
        <Link to="">Go to the overview</Link>
      </p>
    </>
  );
  const title = "This page cannot be shown";
  return showPage(c, { title, status: status as ContentfulStatusCode, content });
}

async function showPage(c: ConsoleContext, page: Page) {
  const visit = c.get("visit");
  const refusal = c.get("refusal");
  const path = c.env.target.path.slice(consolePath.length);
  const self = page.formQuery === undefined ? visit.self : visit.link(path, page.formQuery);
  const state: PageState = {
    visit,
    self,
    fields: c.get("fields"),
    refusal,
    ids: new Set(),
    done: c.req.query("done"),
  };
  const status = c.req.method === "POST" && refusal !== undefined ? 400 : 200;
  const clock = await visit.clock();
  return c.html(
    <PageContext.Provider value={state}>
      {page.isForCustomers === true ? (
        <CustomerLayout {...page} clock={clock} />
      ) : (
        <Layout {...page} clock={clock} />
      )}
    </PageContext.Provider>,
    page.status ?? status,
  );
}

interface ClockedPage extends Page {
  readonly clock: Schemas["Clock"];
}

function CustomerLayout({ title, content, clock }: ClockedPage) {
  return (
    <Document title={`${title} · Data service`} bodyClass="pay">
      <main class="sheet">
        <p class="brand">
          <span class="mark" aria-hidden="true" />
          Data service
        </p>
        <h1>{title}</h1>
        <WithNotices>{content}</WithNotices>
      </main>
      <footer>
        <p>
          This page is part of the emulator: no card is charged. <Link to="">Open the console</Link>
        </p>
        <p>
          <ClockLink clock={clock} />
        </p>
      </footer>
    </Document>
  );
}

const sections = [
  { path: "", title: "Overview" },
  { path: "/data", title: "Data" },
  { path: "/people", title: "People" },
  { path: "/billing", title: "Billing" },
  { path: "/traffic", title: "Traffic" },
  { path: "/time", title: "Time" },
  { path: "/faults", title: "Faults" },
  { path: "/snapshots", title: "Snapshots and namespaces" },
  { path: "/reference", title: "API reference" },
] as const;

type Section = (typeof sections)[number]["path"];

/** The time on the clock of the namespace, and the page that changes it. */
function ClockLink({ clock: { mode, now } }: Pick<ClockedPage, "clock">) {
  return (
    <a href={usePage().visit.link("/time")} title="The clock">
      <span class="muted">{mode} clock</span> <time id="now">{formatShortTime(now)}</time>
    </a>
  );
}

function Layout(props: ClockedPage) {
  const { title, section, clock, scripts = [], styles = [], lead, trail = [], tabs = [], content } = props;
  const { visit } = usePage();
  return (
    <Document title={`${title} · Data service emulator`} scripts={scripts} styles={styles}>
      <a class="skip" href="#content">
        Skip to content
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
          <ClockLink clock={clock} />
        </p>
      </header>
      <div class="body">
        <nav class="sections" aria-label="Sections">
          <ul>
            {sections.map(({ path, title: name }) => (
              <li>
                <a href={visit.link(path)} aria-current={path === section ? "page" : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <main id="content" class="content" tabindex={-1}>
          <h1>{title}</h1>
          {lead === undefined ? null : <p class="lead">{lead}</p>}
          {trail.length === 0 ? null : (
            <ol class="trail">
              {trail.map(([text, href]) => (
                <li>{href === undefined ? text : <a href={href}>{text}</a>}</li>
              ))}
            </ol>
          )}
          {tabs.length === 0 ? null : (
            <ul class="tabs">
              {tabs.map((tab) => (
                <li>
                  <a href={tab.href} aria-current={tab.isCurrent ? "page" : undefined}>
                    {tab.title}
                  </a>
                </li>
              ))}
            </ul>
          )}
          <WithNotices>{content}</WithNotices>
          <SentRequests />
        </main>
      </div>
    </Document>
  );
}

interface DocumentProps {
  readonly title: string;
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  readonly bodyClass?: string;
  readonly children?: Child;
}

/** The HTML document around any page. */
function Document({ title, scripts = [], styles = [], bodyClass, children }: DocumentProps) {
  const { visit } = usePage();
  return (
    <>
      {/* without a doctype, browsers use quirks mode */}
      {raw("<!DOCTYPE html>")}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="htmx-config" content='{"includeIndicatorCSS":false}' />
          <title>{title}</title>
          <link rel="icon" href={icon} />
          {[...styles, "console.css"].map((name) => (
            <link rel="stylesheet" href={visit.link(`/assets/${name}`)} />
          ))}
          {["page.js", ...scripts].map((name) => (
            // Loaded after the page was parsed, htmx would not wait for its extension.
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

/** Content below the notices. The address of the page can only select one of the fixed texts. */
function WithNotices({ children }: { readonly children?: Child }) {
  const { refusal, done = "" } = usePage();
  return (
    <>
      {Object.hasOwn(notices, done) && (
        <p class="notice good" role="status">
          {notices[done]}
        </p>
      )}
      {refusal && (
        <div class="notice bad" role="alert">
          <p>
            <strong>Rejected with status {refusal.status}.</strong>
          </p>
          {refusal.sentences.map((sentence) => (
            <p dir="auto">{sentence}</p>
          ))}
        </div>
      )}
      {children}
    </>
  );
}

const notices: Readonly<Record<string, string>> = {
  created: "Created.",
  saved: "Saved.",
  deleted: "Deleted.",
  restored: "The snapshot's data, clock and id generator were restored.",
  reset: "The namespace was reset to its starting state.",
  cleared: "Cleared.",
  moved: "The clock was changed.",
  accepted: "Invitation accepted.",
  invited: "Invitation created. The emulator sends no email, so accept the invitation on this page.",
};

interface LinkProps {
  readonly to: string;
  readonly query?: ConsoleQuery;
  readonly isButton?: boolean;
  readonly children?: Child;
}

/** A link to a page of the console. */
export function Link({ to, query, isButton = false, children }: LinkProps) {
  return (
    <a class={isButton ? "button" : undefined} href={usePage().visit.link(to, query)}>
      {children}
    </a>
  );
}

/** The requests behind a page, as curl commands. */
function SentRequests() {
  const { visit } = usePage();
  const { sentRequests } = visit;
  if (sentRequests.length === 0) return null;
  return (
    <details class="asked">
      <summary>
        {sentRequests.length === 1 ? "The request" : `The ${sentRequests.length} requests`} that this page
        sent
      </summary>
      <ol>
        {sentRequests.map((request) => (
          <li>
            <code>
              {request.method} {request.path}
            </code>{" "}
            <span class={request.status < 400 ? "status good" : "status bad"}>{request.status}</span>
            <pre tabindex={0}>{visit.curl(request)}</pre>
          </li>
        ))}
      </ol>
    </details>
  );
}
