import type { Child } from "hono/jsx";
import type { ConsoleContext } from "../environment.js";
import { Link, createPageHandler } from "../page.js";
import type { ConsoleQuery, PageVisit } from "../page-visit.js";

/** The database that a page shows. */
export interface DatabasePageContext {
  /** The organization with whose credential the requests are sent. */
  readonly as: string;
  readonly databaseId: string;
  /** The base address of the pages of the database. */
  readonly base: string;
}

export function getDatabasePath(of: {
  readonly organizationId: string;
  readonly databaseId: string;
}): string {
  return `/data/${encodeURIComponent(of.organizationId)}/${encodeURIComponent(of.databaseId)}`;
}

interface DatabasePage {
  /** Title of a page below the tab. */
  readonly title?: string;
  readonly content: Child;
}

/** Creates a page in a tab of a database. */
export function createDatabasePage(
  tab: (typeof tabs)[number][0],
  show: (c: ConsoleContext, visit: PageVisit, of: DatabasePageContext) => Promise<DatabasePage | Response>,
) {
  return createPageHandler(async (c, visit) => {
    const { organizationId = "", databaseId = "" } = c.req.param() as Record<string, string>;
    const { name } = await visit.read("getDatabase", { params: { databaseId }, as: organizationId });
    const base = getDatabasePath({ organizationId, databaseId });
    const page = await show(c, visit, { as: organizationId, databaseId, base });
    if (page instanceof Response) return page;
    const { title, content } = page;
    const parent = [organizationId, visit.link("/data", { organization: organizationId })] as const;
    return {
      title: title ?? name,
      section: "/data",
      trail: title === undefined ? [parent, [name]] : [parent, [name, visit.link(base + tab)], [title]],
      tabs: tabs.map(([path, text]) => ({
        title: text,
        href: visit.link(base + path),
        isCurrent: path === tab,
      })),
      content,
    };
  });
}

const tabs = [
  ["", "Items"],
  ["/repositories", "Repositories"],
  ["/sql", "SQL"],
] as const;

interface NextPageProps {
  readonly to: string;
  readonly query: ConsoleQuery;
  /** The query parameter for the cursor. */
  readonly name?: string;
  /** The cursor of the next page; null on the last page. */
  readonly cursor: string | null;
}

/** A link to the next page of a list, if there is one. */
export function NextPageLink({ to, query, name = "cursor", cursor }: NextPageProps) {
  if (cursor === null) return null;
  return (
    <Link to={to} query={{ ...query, [name]: cursor }} isButton>
      Next page
    </Link>
  );
}
