import { problemKinds, getProblemType } from "../../openapi/operations/problems.js";
import { respond } from "./respond.js";
import type { ServiceContext, ServiceMiddleware } from "./service-env.js";

/** Path of the `type` of a problem, on any host. */
export const problemTypePathPrefix = new URL(getProblemType("forbidden")).pathname.replace(/forbidden$/, "");

/** Redirects browsers from `/` to the console. Other clients get the response for an unknown path. */
export function redirectToConsole(): ServiceMiddleware {
  return (c, next) => (isBrowser(c) ? redirect(c, "") : next());
}

/** Redirects browsers from the `type` of an error to the page about it. */
export function redirectToProblemPage(): ServiceMiddleware {
  return (c, next) => {
    const kind = c.req.param("kind") ?? "";
    return isBrowser(c) && Object.hasOwn(problemKinds, kind) ? redirect(c, `/errors/${kind}`) : next();
  };
}

/** Answers a browser's request for the icon of a page, which is not a request of a client of the service. */
export function browserIcon(): ServiceMiddleware {
  return (c, next) =>
    c.req.method === "GET" && c.req.header("accept")?.startsWith("image/") === true
      ? Promise.resolve(respond(c, { status: 204, headers: {}, body: null }))
      : next();
}

function isBrowser({ req: { method, raw } }: ServiceContext): boolean {
  return ["GET", "HEAD"].includes(method) && (raw.headers.get("accept") ?? "").includes("text/html");
}

function redirect(c: ServiceContext, page: string): Promise<Response> {
  const headers = { Location: `${c.get("target").basePath}/_emulator/console${page}` };
  return Promise.resolve(respond(c, { status: 303, headers, body: null }));
}
