import type { Child } from "hono/jsx";
import type { Profile } from "../../../openapi/gaps/profile.js";
import { type OperationId, serviceApi } from "../../../openapi/operations/register.js";
import { fillPath, getPathParameters } from "../../../openapi/text/path-template.js";
import type { ConsoleContext } from "../environment.js";
import { errorPage, Link, type PageOptions, showPage, usePage } from "../page.js";
import type { Reply, Schemas, Visit } from "../visit.js";

/** A database that pages are about. */
export interface DatabaseVisit {
  readonly visit: Visit;
  readonly organizationId: string;
  readonly databaseId: string;
  /** The id as a part of a path. */
  readonly id: string;
  readonly name: string;
  /** Asks with a credential of the organization's owner. */
  readonly ask: (method: string, path: string, body?: object | string) => Promise<Reply>;
  /** The address of a page of the database. */
  readonly link: Visit["link"];
}

type Work = (c: ConsoleContext, of: DatabaseVisit) => Response | Promise<Response>;

/** Does something with the database that the address names, or says that there is none. */
export function onDatabase(work: Work): (c: ConsoleContext) => Promise<Response> {
  return async (c) => {
    const visit = c.get("visit");
    const [organizationId, databaseId] = [
      c.req.param("organizationId") ?? "",
      c.req.param("databaseId") ?? "",
    ];
    const id = encodeURIComponent(databaseId);
    const isKnown = (await visit.session(organizationId)) !== undefined;
    const reply = isKnown
      ? await visit.askAs(organizationId, "GET", `/api/v1/management/databases/${id}`)
      : undefined;
    if (reply?.isOk !== true)
      return errorPage(
        c,
        "No such database",
        "The organization has no database with this id, it was deleted, or a fault rule makes the service fail.",
      );
    return work(c, {
      visit,
      organizationId,
      databaseId,
      id,
      name: (reply.body as Schemas["Database"]).name,
      ask: (method, path, body) => visit.askAs(organizationId, method, path, body),
      link: (below, query) => visit.link(`/data/${encodeURIComponent(organizationId)}/${id}${below}`, query),
    });
  };
}

const tabs = [
  ["", "Items"],
  ["/repositories", "Repositories"],
  ["/sql", "SQL"],
] as const;

interface DatabasePageOptions extends Pick<PageOptions, "refusal"> {
  readonly tab: (typeof tabs)[number][0];
  /** What the page is about below the tab. */
  readonly title?: string;
}

/** A page about a database. */
export function showDatabasePage(
  c: ConsoleContext,
  of: DatabaseVisit,
  { tab, title, refusal }: DatabasePageOptions,
  content: Child,
) {
  const { visit, organizationId, name, link } = of;
  const above = [organizationId, visit.link("/data", { organization: organizationId })] as const;
  const trail =
    title === undefined ? [above, [name] as const] : [above, [name, link(tab)] as const, [title] as const];
  return showPage(
    c,
    { title: title ?? name, section: "/data", refusal, link, trail, above: <Tabs tab={tab} /> },
    content,
  );
}

function Tabs({ tab }: { tab: string }) {
  const { link } = usePage();
  return (
    <ul class="tabs">
      {tabs.map(([path, text]) => (
        <li>
          <a href={link(path)} {...(path === tab ? { "aria-current": "page" as const } : {})}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The way to the next page of a list, if there is one. */
export function NextPage(props: {
  to: string;
  query: Readonly<Record<string, string | undefined>>;
  isThere: boolean;
}) {
  return props.isThere ? (
    <Link to={props.to} query={props.query} isButton>
      Next page
    </Link>
  ) : null;
}

/** What is wrong with a text that should be JSON; an empty one says nothing. */
export function jsonMistake(text: string): string | undefined {
  if (text.trim() === "") return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `is no JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/**
 * An object of JSON.
 *
 * @param members those that are undefined are left out
 * @param written members whose text is JSON already, which is sent as it was written: numbers keep their digits; empty
 *   texts are left out
 */
export function objectText(
  members: Readonly<Record<string, unknown>>,
  written: Readonly<Record<string, string>> = {},
): string {
  const texts = [
    ...Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, JSON.stringify(value)] as const),
    ...Object.entries(written).filter(([, text]) => text.trim() !== ""),
  ];
  return `{${texts.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
}

/** What a row of a table holds of a long text. */
export function shortened(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/**
 * Finds method and path of an operation whose place is a gap, under the profile in force.
 *
 * @param values the parameters of the path; of two routes that is taken which needs most of them
 */
export async function routeOf(
  visit: Visit,
  operationId: OperationId,
  values: Readonly<Record<string, string>>,
): Promise<{ readonly method: string; readonly path: string }> {
  const { body } = await visit.ask("GET", "/_emulator/profile");
  const { routes } = serviceApi.operations[operationId];
  const known = "alternatives" in routes ? routes.alternatives(body as Profile).flat() : [routes];
  const [route] = known
    .filter(({ path }) => getPathParameters(path).every((name) => name in values))
    .sort((one, other) => getPathParameters(other.path).length - getPathParameters(one.path).length);
  if (route === undefined)
    throw new Error(`${operationId} has no route for ${Object.keys(values).join(", ")}`);
  return { method: route.method.toUpperCase(), path: fillPath(route.path, values) };
}
