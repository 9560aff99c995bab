import { type Handler, Hono } from "hono";
import { type AssetName, assets, readAsset } from "../../openapi/html/read-asset.js";
import { Problem } from "../domain/problem.js";
import type { ConsoleApp, ConsoleEnvironment } from "./environment.js";
import { rejectCrossOriginChange, rejectCrossOriginRead, buildSecurityHeaders } from "./guard.js";
import { renderErrorPage } from "./page.js";
import { billingPage } from "./pages/billing.js";
import { checkoutPage } from "./pages/checkout.js";
import { databasesPage } from "./pages/data.js";
import { entityPage, repositoriesPage, repositoryPage } from "./pages/entities.js";
import { errorsPage, errorKindPage } from "./pages/errors.js";
import { faultsPage } from "./pages/faults.js";
import { itemPage, itemsPage } from "./pages/items.js";
import { overviewPage, referencePage } from "./pages/overview.js";
import { peoplePage } from "./pages/people.js";
import { serveInvoice, portalPage } from "./pages/portal.js";
import { snapshotChangesPage, snapshotsPage } from "./pages/snapshots.js";
import { sqlPage } from "./pages/sql.js";
import { timePage } from "./pages/time.js";
import { requestDetailPage } from "./pages/request-detail.js";
import { streamTraffic, trafficPage } from "./pages/traffic.js";
import { RejectedRequestError } from "./rejected-request-error.js";
import { readForm, submitForm } from "./form-submission.js";
import { consolePath, PageVisit } from "./page-visit.js";

const database = "/data/:organizationId/:databaseId";

/** The page at each path, which also handles the forms sent from it. */
const pages: Readonly<Record<string, Handler<ConsoleEnvironment>>> = {
  "/": overviewPage,
  "/reference": referencePage,
  "/data": databasesPage,
  [database]: itemsPage,
  [`${database}/item`]: itemPage,
  [`${database}/repositories`]: repositoriesPage,
  [`${database}/repositories/:repositoryId`]: repositoryPage,
  [`${database}/repositories/:repositoryId/entity`]: entityPage,
  [`${database}/sql`]: sqlPage,
  "/people": peoplePage,
  "/billing": billingPage,
  "/traffic": trafficPage,
  "/traffic/live": streamTraffic,
  "/traffic/:sequence{[0-9]+}": requestDetailPage,
  "/time": timePage,
  "/faults": faultsPage,
  "/snapshots": snapshotsPage,
  "/snapshots/changes/:name": snapshotChangesPage,
  "/checkout/:checkoutId": checkoutPage,
  "/portal/:organizationId": portalPage,
  "/invoices/:file": serveInvoice,
  "/errors": errorsPage,
  "/errors/:kind": errorKindPage,
};

let app: ConsoleApp | undefined;

/** The pages as a Hono application, shared by all emulators of the process. */
export function getConsoleApp(): ConsoleApp {
  return (app ??= buildConsoleApp());
}

const methods = ["GET", "HEAD", "POST"];

function buildConsoleApp(): ConsoleApp {
  const consoleApp = new Hono<ConsoleEnvironment>({
    // Hono types the environment as optional, but the console always has one.
    getPath: (_request, options) =>
      (options as { env: ConsoleEnvironment["Bindings"] }).env.target.path.slice(consolePath.length) || "/",
  });
  consoleApp.use(async (c, next) => {
    if (!methods.includes(c.req.method))
      return c.text("The console accepts only GET requests for pages and POST requests from forms.", 405, {
        ...buildSecurityHeaders(),
        Allow: methods.join(", "),
      });
    const { raw } = c.req;
    const { namespaces } = c.env;
    c.set("visit", new PageVisit(c.env));
    c.set("fields", {});
    c.set("formTargets", []);
    // These errors have no page layout, which would show data of the emulator.
    rejectCrossOriginRead(raw, namespaces.options.allowHosts);
    if (c.req.method === "POST") {
      rejectCrossOriginChange(raw);
      c.set("fields", await readForm(raw));
    }
    await next();
    for (const [name, value] of Object.entries(buildSecurityHeaders(c.get("formTargets"))))
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    return undefined;
  });
  consoleApp.get("/assets/:name", (c) => {
    const name = c.req.param("name");
    if (!Object.hasOwn(assets, name)) return c.text("The console has no file with this name.", 404);
    const { type } = assets[name as AssetName];
    return c.body(readAsset(name as AssetName), 200, { "Content-Type": type, "Cache-Control": "no-cache" });
  });
  consoleApp.use(async (c, next) => {
    const { namespaces, target } = c.env;
    // The requests of a page would create the namespace.
    if (namespaces.getExisting(target.namespace) !== undefined) return next();
    const { namespace, origin } = c.get("visit");
    const base = `${origin}${target.mount}`;
    return c.text(
      `The namespace ${namespace} does not exist yet. To create it, send a request to it, or run:\n\n` +
        `  curl -X PUT ${base}/_emulator/namespaces/${namespace} -H 'Content-Type: application/json' -d '{"idleSeconds":null}'\n\n` +
        `The existing namespaces are listed at ${base}${consolePath}/snapshots\n`,
      404,
    );
  });
  consoleApp.use(submitForm);
  for (const [path, page] of Object.entries(pages)) consoleApp.all(path, page);
  consoleApp.notFound((c) =>
    renderErrorPage(c, new RejectedRequestError(404, ["The console has no page at this address."])),
  );
  consoleApp.onError((error, c) => {
    if (error instanceof RejectedRequestError) return renderErrorPage(c, error);
    if (!(error instanceof Problem))
      return c.text(`An error occurred in the console: ${error.message}`, 500, buildSecurityHeaders());
    return c.text(error.message, getStatus(error), buildSecurityHeaders());
  });
  return consoleApp;
}

function getStatus({ kind }: Problem) {
  if (kind === "not-local") return 403;
  return kind === "request-too-large" ? 413 : 400;
}
