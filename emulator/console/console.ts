import { Problem } from "../domain/problem.js";
import { refuseForeignVisit } from "../request/local-only.js";
import { mountAssets } from "./assets.js";
import { type ConsoleApp, emptyConsoleApp } from "./console-app.js";
import { errorPage } from "./error-page.js";
import { refuseForeignChange, refuseForeignReader } from "./guard.js";
import { mountPages } from "./pages/mount-pages.js";
import { readForm } from "./read-form.js";
import { securityHeaders } from "./security-headers.js";
import { Visit } from "./visit.js";

let app: ConsoleApp | undefined;

/** The pages as a Hono application; it serves all emulators of the process. */
export function consoleApp(): ConsoleApp {
  return (app ??= makeApp());
}

const methods = ["GET", "HEAD", "POST"];

function makeApp(): ConsoleApp {
  const made = emptyConsoleApp();
  made.use(async (c, next) => {
    if (!methods.includes(c.req.method))
      return c.text("Pages are looked at (GET) and take forms (POST).", 405, {
        ...securityHeaders(),
        Allow: methods.join(", "),
      });
    const { raw } = c.req;
    const { namespaces, target } = c.env;
    if (namespaces.known(target.namespace) === undefined) refuseForeignVisit(raw, namespaces.profile);
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
  mountPages(made);
  made.notFound((c) => errorPage(c, 404, "No such page", "The console has no page at this address."));
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
