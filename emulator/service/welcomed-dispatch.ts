import { problemKinds, problemType } from "../../openapi/operations/problems.js";
import { version } from "../domain/version.js";
import type { Answer } from "../request/answer.js";
import { baseUrlOf, type RoutedRequest } from "../request/dispatch.js";
import type { Unmatched } from "./documented-dispatch.js";

type Visit = Pick<RoutedRequest, "incoming" | "target">;

type Place = readonly [path: string, text: string];

const consolePlace: Place = [
  "/_emulator/console",
  "The console: look into the data, change it, follow requests, pay at a checkout",
];

/** Where a person may go from here: the one list of the start page's links. */
const places: readonly Place[] = [
  ["/openapi.json", "The contract: the OpenAPI document of the service, for the profile in force"],
  ["/health", "Health of the service"],
  ["/_emulator", "The state: users, API keys, clock, profile"],
  ["/_emulator/journal", "The journal: the latest requests and what they were answered"],
  ["/_emulator/namespaces", "Namespaces: the worlds in this emulator"],
  ["/_emulator/openapi.json", "The control plane: its OpenAPI document"],
];

/** Path of the `type` of an error, on whatever host it is asked for. */
const problemPath = new URL(problemType("forbidden")).pathname.replace(/forbidden$/, "");

/**
 * Shows a page to a browser at `/`, and at the path of an error's `type`; whoever does not ask for HTML is answered as
 * everywhere that nothing is.
 *
 * @param hasConsole whether there are further pages; those about errors are among them
 */
export function welcomed<Request extends Visit>(
  unmatched: Unmatched<Request>,
  hasConsole: boolean,
): Unmatched<Request> {
  return (request, allowedMethods) => {
    const { path } = request.target;
    if (!isVisit(request)) return unmatched(request, allowedMethods);
    if (path === "/") return welcome(request, hasConsole ? [consolePlace, ...places] : places);
    const kind = hasConsole && path.startsWith(problemPath) ? path.slice(problemPath.length) : "";
    return Object.hasOwn(problemKinds, kind) ? explain(request, kind) : unmatched(request, allowedMethods);
  };
}

function isVisit({ incoming }: Visit): boolean {
  return ["GET", "HEAD"].includes(incoming.method) && (incoming.header("accept") ?? "").includes("text/html");
}

function explain({ target: { namespace } }: Visit, kind: string): Answer {
  const prefix = namespace === "" ? "" : `/ns/${namespace}`;
  return {
    status: 303,
    headers: { Location: `${prefix}/_emulator/console/errors/${kind}` },
    body: null,
  };
}

function welcome(request: Visit, shown: readonly Place[]): Answer {
  return {
    status: 200,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    },
    body: page(request, shown),
  };
}

function page(request: Visit, shown: readonly Place[]): string {
  const { namespace } = request.target;
  // names of namespaces and hosts that a URL parser has read hold nothing that HTML would take for its own
  const prefix = namespace === "" ? "" : `/ns/${namespace}`;
  const base = baseUrlOf(request);
  const links = shown.map(([path, text]) => `<li><a href="${prefix}${path}">${path}</a> ${text}</li>`);
  const where =
    namespace === "" ? "" : `<p>This is the namespace <b>${namespace}</b>: a world of its own.</p>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Data service emulator</title>
<style>
  :root { color-scheme: light dark }
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem }
  code, pre { font-family: ui-monospace, monospace } pre { overflow: auto }
</style>
<h1>Data service emulator ${version}</h1>
<p>A local emulator of the hosted data service. Point your application at <code>${base}</code>; nothing here is real,
and nothing leaves this machine.</p>
${where}<ul>
${links.join("\n")}
</ul>
<p>With the demo data, ask it something:</p>
<pre>curl ${base}/api/v1/databases/db_demo/items/settings/currency -H 'Authorization: Bearer dsk_demo_all'</pre>
</html>
`;
}
