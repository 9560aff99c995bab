import type { Context } from "hono";
import type { ConsoleEnvironment } from "./console-app.js";
import { errorPage } from "./error-page.js";

/** The page in place of one about a database that the organization does not show. */
export function noDatabase(c: Context<ConsoleEnvironment>): Response | Promise<Response> {
  return errorPage(
    c,
    404,
    "No such database",
    "The organization has no database of this id, it is gone, or a fault rule keeps the service from showing it.",
  );
}
