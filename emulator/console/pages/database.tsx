import type { Child } from "hono/jsx";
import type { ConsoleContext } from "../environment.js";
import { Link, page } from "../page.js";
import type { Query, Visit } from "../visit.js";

/** A database that pages are about. */
export interface DatabaseVisit {
  /** The organization in whose owner's name the pages ask. */
  readonly as: string;
  readonly databaseId: string;
  /** The address of its pages. */
  readonly base: string;
}

export function databasePath(of: { readonly organizationId: string; readonly databaseId: string }): string {
  return `/data/${encodeURIComponent(of.organizationId)}/${encodeURIComponent(of.databaseId)}`;
}

interface DatabasePage {
  /** What the page is about below the tab. */
  readonly title?: string;
  readonly content: Child;
}

/** A page below a tab of a database. */
export function databasePage(
  tab: (typeof tabs)[number][0],
  show: (c: ConsoleContext, visit: Visit, of: DatabaseVisit) => Promise<DatabasePage | Response>,
) {
  return page(async (c, visit) => {
    const { organizationId = "", databaseId = "" } = c.req.param() as Record<string, string>;
    const { name } = await visit.read("getDatabase", { params: { databaseId }, as: organizationId });
    const base = databasePath({ organizationId, databaseId });
    const made = await show(c, visit, { as: organizationId, databaseId, base });
    if (made instanceof Response) return made;
    const { title, content } = made;
    const above = [organizationId, visit.link("/data", { organization: organizationId })] as const;
    return {
      title: title ?? name,
      section: "/data",
      trail: title === undefined ? [above, [name]] : [above, [name, visit.link(base + tab)], [title]],
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
  readonly query: Query;
  /** The parameter that says where a page begins. */
  readonly name?: string;
  /** Where the next page begins; nothing on the last one. */
  readonly cursor: string | null;
}

/** The way to the next page of a list, if there is one. */
export function NextPage({ to, query, name = "cursor", cursor }: NextPageProps) {
  if (cursor === null) return null;
  return (
    <Link to={to} query={{ ...query, [name]: cursor }} isButton>
      Next page
    </Link>
  );
}
