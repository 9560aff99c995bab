import { Hono } from "hono";
import { Problem } from "../domain/problem.js";
import { refuseCrossSite } from "../request/local-only.js";
import { mountAssets } from "./assets.js";
import type { ConsoleApp, ConsoleEnvironment } from "./environment.js";
import { refuseForeignChange, refuseForeignReader, securityHeaders } from "./guard.js";
import { errorPage } from "./page.js";
import { mountBilling } from "./pages/billing.js";
import { mountCheckout } from "./pages/checkout.js";
import { mountData } from "./pages/data.js";
import { mountErrors } from "./pages/errors.js";
import { mountFaults } from "./pages/faults.js";
import { mountOverview } from "./pages/overview.js";
import { mountPeople } from "./pages/people.js";
import { mountPortal } from "./pages/portal.js";
import { mountSnapshots } from "./pages/snapshots.js";
import { mountTime } from "./pages/time.js";
import { mountTraffic } from "./pages/traffic.js";
import { readForm } from "./read-form.js";
import { consolePath, Visit } from "./visit.js";

let app: ConsoleApp | undefined;

/** The pages as a Hono application; it serves all emulators of the process. */
export function consoleApp(): ConsoleApp {
  return (app ??= makeApp());
}

const methods = ["GET", "HEAD", "POST"];

function makeApp(): ConsoleApp {
  const made = new Hono<ConsoleEnvironment>({
    // Hono types the environment as optional; the console is always given one
    getPath: (_request, options) =>
      (options as { env: ConsoleEnvironment["Bindings"] }).env.target.path.slice(consolePath.length) || "/",
  });
  made.use(async (c, next) => {
    if (!methods.includes(c.req.method))
      return c.text("Pages are looked at (GET) and take forms (POST).", 405, {
        ...securityHeaders(),
        Allow: methods.join(", "),
      });
    const { raw } = c.req;
    const { namespaces, target } = c.env;
    if (namespaces.getExisting(target.namespace) === undefined) refuseCrossSite(raw, namespaces.profile);
    c.set("visit", new Visit(c.env));
    c.set("fields", {});
    c.set("files", {});
    c.set("formTargets", []);
    // refusals come without the page, which would show what is in the emulator
    refuseForeignReader(raw, namespaces.allowHosts);
    if (c.req.method === "POST") {
      const { fields, files } = await readForm(raw);
      refuseForeignChange(raw, fields._token);
      c.set("fields", fields);
      c.set("files", files);
    }
    await next();
    for (const [name, value] of Object.entries(securityHeaders(c.get("formTargets"))))
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    return undefined;
  });
  mountAssets(made);
  mountOverview(made);
  mountData(made);
  mountPeople(made);
  mountBilling(made);
  mountTraffic(made);
  mountTime(made);
  mountFaults(made);
  mountSnapshots(made);
  mountCheckout(made);
  mountPortal(made);
  mountErrors(made);
  made.notFound((c) => errorPage(c, "No such page", "The console has no page at this address."));
  made.onError((error, c) => {
    if (!(error instanceof Problem))
      return c.text(`The console failed: ${error.message}`, 500, securityHeaders());
    return c.text(error.message, statusOf(error), securityHeaders());
  });
  return made;
}

function statusOf({ kind }: Problem) {
  if (kind === "not-local") return 403;
  return kind === "request-too-large" ? 413 : 400;
}
