import { raw } from "hono/html";
import { type Child, createContext, useContext } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { shortTime } from "./components.js";
import { curlCommand } from "./curl-command.js";
import type { ConsoleContext } from "./environment.js";
import type { Refusal } from "./refusal.js";
import type { Schemas, Visit } from "./visit.js";

/** What the components of a page know of it. */
interface PageState {
  readonly visit: Visit;
  /** The address of a page, in the console or below the database that this page is about. */
  readonly link: Visit["link"];
  /** What the form held that led here, where it was sent to, and what was refused of it. */
  readonly fields: Readonly<Partial<Record<string, string>>>;
  readonly sentTo: string;
  readonly refusal: Refusal | undefined;
  /** The fields that show what is wrong with them. */
  readonly fieldsWithProblems: Set<string>;
  /** What was done. */
  readonly done: string | undefined;
}

const PageContext = createContext<PageState | undefined>(undefined);

/** The page that a component is part of. */
export function usePage(): PageState {
  const page = useContext(PageContext);
  if (page === undefined) throw new Error("a component stands in a page");
  return page;
}

export interface PageOptions {
  readonly title: string;
  readonly refusal?: Refusal | undefined;
  /** 400 for a form that was refused, 200 otherwise. */
  readonly status?: ContentfulStatusCode | undefined;
  readonly link?: Visit["link"];
  /** The page that this one belongs to, where it is not one of the navigation itself. */
  readonly section?: Section;
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  /** A line under the heading. */
  readonly lead?: Child;
  /** The pages above this one, and this one. */
  readonly trail?: readonly (readonly [text: string, href?: string])[];
  /** What stands between heading and notices. */
  readonly above?: Child;
}

/** A page of the console: navigation, heading, what was done or refused, content, and the requests it was made from. */
export async function showPage(c: ConsoleContext, options: PageOptions, content: Child) {
  const clock = await c.get("visit").clock();
  return render(
    c,
    options,
    <Layout {...options} clock={clock}>
      {content}
    </Layout>,
  );
}

/** The frame of checkout and portal, which a customer of the service would see. */
export function showPayPage(
  c: ConsoleContext,
  options: Pick<PageOptions, "title" | "refusal" | "status">,
  content: Child,
) {
  const { title } = options;
  const status = options.refusal === undefined ? options.status : 409;
  return render(
    c,
    { ...options, status },
    <Document title={`${title} · Data service`} bodyClass="pay">
      <main class="sheet">
        <p class="brand">
          <span class="mark" aria-hidden="true" />
          Data service
        </p>
        {content}
      </main>
      <footer>
        <p>
          A page of the emulator: no card is charged. <Link to="">Open the console</Link>
        </p>
      </footer>
    </Document>,
  );
}

/** A page that says that something is not there. */
export function errorPage(c: ConsoleContext, title: string, text: string) {
  return showPage(
    c,
    { title, status: 404 },
    <>
      <p>{text}</p>
      <p>
        <Link to="">Go to the overview</Link>
      </p>
    </>,
  );
}

function render(c: ConsoleContext, { refusal, status, link }: PageOptions, document: Child) {
  const visit = c.get("visit");
  const state: PageState = {
    visit,
    link: link ?? ((path, query) => visit.link(path, query)),
    fields: c.get("fields"),
    sentTo: visit.prefix + c.env.target.path,
    refusal,
    fieldsWithProblems: new Set(),
    done: c.req.query("done"),
  };
  const usual = c.req.method === "POST" && refusal !== undefined ? 400 : 200;
  return c.html(<PageContext.Provider value={state}>{document}</PageContext.Provider>, status ?? usual);
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

function Layout(props: PageOptions & { readonly clock: Schemas["Clock"]; readonly children?: Child }) {
  const { title, section, clock, scripts = [], styles = [], lead, trail = [], above, children } = props;
  const { visit } = usePage();
  return (
    <Document title={`${title} · Data service emulator`} scripts={scripts} styles={styles}>
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
          <a href={visit.link("/time")} title="The clock">
            <span class="muted">{clock.mode} clock</span> <time>{shortTime(clock.now)}</time>
          </a>
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
          {trail.length === 0 ? null : (
            <ol class="trail">
              {trail.map(([text, href]) => (
                <li>{href === undefined ? text : <a href={href}>{text}</a>}</li>
              ))}
            </ol>
          )}
          {above}
          <Noticed>{children}</Noticed>
          <AskedRequests />
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

/** The frame of any page. */
function Document({ title, scripts = [], styles = [], bodyClass, children }: DocumentProps) {
  const { visit } = usePage();
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
          {[...styles, "console.css"].map((name) => (
            <link rel="stylesheet" href={visit.link(`/assets/${name}`)} />
          ))}
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

/**
 * Content below notices of what was done or refused. The texts of deeds are ours: an address only chooses one. The content
 * is made first, because errors that belong to no field are shown above it.
 */
export function Noticed({ children }: { readonly children?: Child }) {
  const { refusal, done, fieldsWithProblems } = usePage();
  const text = done === undefined || !Object.hasOwn(deeds, done) ? undefined : deeds[done];
  const content = raw(((<>{children}</>) as unknown as { readonly toString: () => string }).toString());
  return (
    <>
      {text === undefined ? null : (
        <p class="notice good" role="status">
          {text}
        </p>
      )}
      {refusal === undefined ? null : <RefusalNotice refusal={refusal} atFields={fieldsWithProblems} />}
      {content}
    </>
  );
}

const deeds: Readonly<Record<string, string>> = {
  created: "Created.",
  saved: "Saved.",
  deleted: "Deleted.",
  restored: "Restored: data, clock and ids are as they were.",
  reset: "Back at the starting state.",
  cleared: "Cleared.",
  moved: "The clock has moved.",
  accepted: "The invitation is accepted.",
  invited: "Invited. Accept the invitation here, as the link in the e-mail would.",
  sent: "Sent again: this is the new request.",
};

interface RefusalNoticeProps {
  readonly refusal: Refusal;
  /** The fields that show what is wrong with them. */
  readonly atFields?: ReadonlySet<string>;
}

/** What was refused, but for what stands at fields. */
export function RefusalNotice({ refusal, atFields = new Set() }: RefusalNoticeProps) {
  const { status, general, problems } = refusal;
  const others = problems.filter(({ field }) => !atFields.has(field));
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>Refused with {status}.</strong>
        {atFields.size > 0 ? ` See the ${atFields.size === 1 ? "field" : "fields"} below.` : ""}
      </p>
      {[...general, ...others.map(({ place, text }) => (place === "" ? text : `${place}: ${text}`))].map(
        (text) => (
          <p dir="auto">{text}</p>
        ),
      )}
    </div>
  );
}

interface LinkProps {
  readonly to: string;
  readonly query?: Parameters<Visit["link"]>[1];
  readonly isButton?: boolean;
  readonly children?: Child;
}

/** A link to a page of the console. */
export function Link({ to, query, isButton = false, children }: LinkProps) {
  return (
    <a {...(isButton ? { class: "button" } : {})} href={usePage().link(to, query)}>
      {children}
    </a>
  );
}

/** The requests that a page was made from, to be repeated elsewhere. */
function AskedRequests() {
  const { asked, origin, prefix } = usePage().visit;
  if (asked.length === 0) return null;
  return (
    <details class="asked">
      <summary>
        {asked.length === 1 ? "The request" : `The ${asked.length} requests`} behind this page
      </summary>
      <ol>
        {asked.map(({ method, path, status, body, hasToken }) => (
          <li>
            <code>
              {method} {path}
            </code>{" "}
            <span class={status < 400 ? "status good" : "status bad"}>{status}</span>
            <pre tabindex={0}>
              {curlCommand({ method, url: `${origin}${prefix}${path}`, body, hasToken })}
            </pre>
          </li>
        ))}
      </ol>
    </details>
  );
}
