import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { components } from "../../openapi/generated/service-types.js";
import type { ConsoleEnvironment } from "./console-app.js";
import { Layout } from "./layout.js";
import type { Visit } from "./visit.js";

/** A database that pages are about, and the credential that they ask with. */
export interface DatabaseVisit {
  readonly visit: Visit;
  readonly organizationId: string;
  readonly databaseId: string;
  readonly name: string;
  readonly token: string;
  /** The address of a page of the database. */
  readonly link: Visit["link"];
}

/** Finds the database that an address names; nothing where there is none. */
export async function visitDatabase(
  c: Context<ConsoleEnvironment>,
  organizationId: string,
  databaseId: string,
): Promise<DatabaseVisit | undefined> {
  const visit = c.get("visit");
  const token = await visit.session(organizationId);
  if (token === undefined) return undefined;
  const path = `/api/v1/management/databases/${encodeURIComponent(databaseId)}`;
  const reply = await visit.ask("GET", path, { token });
  if (!reply.isOk) return undefined;
  const base = `/data/${encodeURIComponent(organizationId)}/${encodeURIComponent(databaseId)}`;
  return {
    visit,
    organizationId,
    databaseId,
    name: (reply.body as components["schemas"]["Database"]).name,
    token,
    link: (below, query) => visit.link(base + below, query),
  };
}

const tabs = [
  ["", "Items"],
  ["/repositories", "Repositories"],
  ["/sql", "SQL"],
] as const;

interface DatabaseFrameProps {
  readonly of: DatabaseVisit;
  readonly tab: (typeof tabs)[number][0];
  /** What the page is about below the tab. */
  readonly title?: string;
  readonly children?: Child;
}

/** A page about a database. */
export function DatabaseFrame({ of, tab, title, children }: DatabaseFrameProps) {
  const { visit, organizationId, name, link } = of;
  return (
    <Layout visit={visit} title={title ?? name} section="/data">
      <ol class="trail">
        <li>
          <a href={visit.link("/data", { organization: organizationId })}>{organizationId}</a>
        </li>
        <li>{title === undefined ? name : <a href={link(tab)}>{name}</a>}</li>
        {title === undefined ? null : <li>{title}</li>}
      </ol>
      <ul class="tabs">
        {tabs.map(([path, text]) => (
          <li>
            <a href={link(path)} {...(path === tab ? { "aria-current": "page" as const } : {})}>
              {text}
            </a>
          </li>
        ))}
      </ul>
      {children}
    </Layout>
  );
}
