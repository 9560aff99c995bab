import { problemKinds, getProblemType } from "../../openapi/operations/problems.js";
import { version } from "../domain/version.js";
import type { NamespaceLookup } from "../namespaces/namespaces.js";
import { listSeededApiKeys } from "../store/seeded-credentials.js";
import type { World } from "../world/world.js";
import { respond } from "./respond.js";
import type { RequestTarget, ServiceContext, ServiceMiddleware } from "./service-env.js";
import { buildExampleCurlArguments } from "./try-path.js";

type PageLink = readonly [path: string, text: string];

const consoleLink: PageLink = [
  "/_emulator/console",
  "The console: view and change data, follow requests and complete checkouts",
];

/** The links of the start page: to addresses that only show something. `/health` would be a request to the service. */
const links: readonly PageLink[] = [
  ["/openapi.json", "The contract: the service's OpenAPI document, for the current profile"],
  ["/_emulator", "The state: users, API keys, clock and profile"],
  ["/_emulator/journal", "The journal: the latest requests and their responses"],
  ["/_emulator/namespaces", "Namespaces: the isolated copies of the service in this emulator"],
  ["/_emulator/openapi.json", "The control plane's OpenAPI document"],
];

/** Path of the `type` of a problem, on any host. */
export const problemPagePathPrefix = new URL(getProblemType("forbidden")).pathname.replace(/forbidden$/, "");

/** Shows the start page to browsers at `/`. Other clients get the response for an unknown path. */
export function serveLandingPage(namespaces: NamespaceLookup, hasConsole: boolean): ServiceMiddleware {
  return (c, next) => {
    if (!isBrowser(c)) return next();
    const shown = hasConsole ? [consoleLink, ...links] : links;
    const headers = {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    };
    const target = c.get("target");
    const body = renderPage(target, shown, namespaces.getExisting(target.namespace)?.world);
    return Promise.resolve(respond(c, { status: 200, headers, body }));
  };
}

/** Answers the request for an icon that browsers send beside the page that they open: it is no request of a client. */
export function browserIcon(): ServiceMiddleware {
  return (c, next) =>
    c.req.method === "GET" && c.req.header("accept")?.startsWith("image/") === true
      ? Promise.resolve(respond(c, { status: 204, headers: {}, body: null }))
      : next();
}

/** Redirects browsers from the `type` of an error to the page about it. */
export function serveProblemPage(hasConsole: boolean): ServiceMiddleware {
  return (c, next) => {
    const kind = c.req.param("kind") ?? "";
    if (!isBrowser(c) || !hasConsole || !Object.hasOwn(problemKinds, kind)) return next();
    const headers = { Location: `${c.get("target").basePath}/_emulator/console/errors/${kind}` };
    return Promise.resolve(respond(c, { status: 303, headers, body: null }));
  };
}

function isBrowser({ req: { method, raw } }: ServiceContext): boolean {
  return ["GET", "HEAD"].includes(method) && (raw.headers.get("accept") ?? "").includes("text/html");
}

/** @param world the world of the namespace, if the namespace exists */
function renderPage(target: RequestTarget, shown: readonly PageLink[], world: World | undefined): string {
  const { namespace } = target;
  // names of namespaces and parsed hosts contain no characters that are special in HTML
  const prefix = target.basePath;
  const base = target.baseUrl();
  const links = shown.map(([path, text]) => `<li><a href="${prefix}${path}">${path}</a> ${text}</li>`);
  const where =
    namespace === ""
      ? ""
      : world === undefined
        ? `<p>The namespace <b>${namespace}</b> does not exist yet. The first request will create it.</p>`
        : `<p>This is the namespace <b>${namespace}</b>, an isolated copy of the service.</p>`;
  const options = base.startsWith("https:") ? " --insecure" : "";
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Data service emulator</title>
<style>
  :root { color-scheme: light dark }
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2.5rem auto; padding: 0 1rem;
    background: light-dark(#f6f7f7, #121516); color: light-dark(#16201f, #e6ebea) }
  h1 { font-size: 1.6rem } a { color: light-dark(#0a6b5e, #5cc9b6) }
  ul, pre { padding: 1rem; background: light-dark(#fff, #1a1e20); border: 1px solid light-dark(#d5dbdb, #343b3f);
    border-radius: 8px; list-style: none }
  li + li { margin-top: .5rem } li a { display: block; font-weight: 600 }
  code, pre { font-family: ui-monospace, monospace; font-size: .9rem; overflow-wrap: anywhere; white-space: pre-wrap }
</style>
<h1>Data service emulator ${version}</h1>
<p>A local emulator of the hosted data service. Point your application at <code>${base}</code>; nothing here is real,
and nothing leaves this machine.</p>
${where}<ul>
${links.join("\n")}
</ul>
<p>Try a request:</p>
<pre>curl${options} ${base}${escapeHtml(world === undefined ? "/health" : findTryPath(world))}</pre>
</html>
`;
}

/** Returns the command that `start` also prints: a request to the data of the namespace with a seeded key. */
function findTryPath({ store, clock }: World): string {
  return buildExampleCurlArguments(
    store.databases.all().map((database) => ({ ...database, items: database.itemCount })),
    listSeededApiKeys(store, clock.now()),
  );
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
