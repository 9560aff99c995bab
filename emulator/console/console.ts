import { Problem } from "../domain/problem.js";
import { mountAssets } from "./assets.js";
import { type ConsoleApp, emptyConsoleApp } from "./console-app.js";
import type { ConsoleBindings } from "./console-bindings.js";
import { errorPage } from "./error-page.js";
import { refuseForeignChange, refuseForeignReader } from "./guard.js";
import { pageRequest } from "./page-request.js";
import { mountPages } from "./pages/mount-pages.js";
import { readForm } from "./read-form.js";
import { securityHeaders } from "./security-headers.js";
import { Visit } from "./visit.js";

let app: ConsoleApp | undefined;

/** Answers a request for a page of the console. */
export function answerConsole(bindings: ConsoleBindings): Response | Promise<Response> {
  if (!methods.includes(bindings.incoming.method))
    return new Response("Pages are looked at (GET) and take forms (POST).", {
      status: 405,
      headers: { ...securityHeaders(), Allow: methods.join(", ") },
    });
  return (app ??= makeApp()).fetch(pageRequest(bindings), bindings);
}

const methods = ["GET", "HEAD", "POST"];

function makeApp(): ConsoleApp {
  const made = emptyConsoleApp();
  made.use(async (c, next) => {
    const { incoming, allowHosts } = c.env;
    c.set("visit", new Visit(c.env));
    c.set("fields", {});
    c.set("files", {});
    c.set("formTargets", []);
    // refusals come without the page, which would show what is in the emulator
    refuseForeignReader(incoming, allowHosts);
    if (c.req.method === "POST") {
      const { fields, files } = await readForm(incoming);
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
    return c.text(error.message, statusOf(error), securityHeaders());
  });
  return made;
}

function statusOf({ kind }: Problem) {
  if (kind === "not-local") return 403;
  return kind === "request-too-large" ? 413 : 400;
}
