import { Problem } from "../problem.js";
import { mountAssets } from "./assets.js";
import { type ConsoleApp, emptyConsoleApp } from "./console-app.js";
import type { ConsoleBindings } from "./console-bindings.js";
import { errorPage } from "./error-page.js";
import { refuseForeignChange, refuseForeignReader } from "./guard.js";
import { mountPages } from "./pages/mount-pages.js";
import { readForm } from "./read-form.js";
import { securityHeaders } from "./security-headers.js";
import { Visit } from "./visit.js";

let app: ConsoleApp | undefined;

/** Answers a request for a page of the console. */
export function answerConsole(request: Request, bindings: ConsoleBindings): Response | Promise<Response> {
  return (app ??= makeApp()).fetch(request, bindings);
}

function makeApp(): ConsoleApp {
  const made = emptyConsoleApp();
  made.use(async (c, next) => {
    const { incoming } = c.env;
    c.set("visit", new Visit(c.env));
    c.set("fields", {});
    c.set("files", {});
    c.set("formTargets", []);
    // refusals come without the page, which would show what is in the emulator
    if (["GET", "HEAD"].includes(c.req.method)) refuseForeignReader(incoming);
    else {
      // before the body is read, which may be a large file
      refuseForeignReader(incoming);
      const { fields, files } = await readForm(c.req);
      refuseForeignChange(incoming, fields._token);
      c.set("fields", fields);
      c.set("files", files);
    }
    await next();
    for (const [name, value] of Object.entries(securityHeaders(c.get("formTargets"))))
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  });
  mountAssets(made);
  mountPages(made);
  made.notFound((c) => errorPage(c, 404, "No such page", "The console has no page at this address."));
  made.onError((error, c) => {
    if (!(error instanceof Problem))
      return c.text(`The console failed: ${error.message}`, 500, securityHeaders());
    return c.text(error.message, error.kind === "not-local" ? 403 : 400, securityHeaders());
  });
  return made;
}
