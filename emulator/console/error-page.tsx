import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ConsoleEnvironment } from "./console-app.js";
import { Layout } from "./layout.js";

/** A page that says what went wrong. */
export function errorPage(
  c: Context<ConsoleEnvironment>,
  status: ContentfulStatusCode,
  title: string,
  text: string,
): Response | Promise<Response> {
  const visit = c.get("visit");
  c.status(status);
  return c.html(
    <Layout visit={visit} title={title}>
      <p>{text}</p>
      <p>
        <a href={visit.link("")}>Go to the overview</a>
      </p>
    </Layout>,
  );
}
