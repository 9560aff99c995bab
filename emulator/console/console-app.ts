import { Hono } from "hono";
import type { ConsoleBindings } from "./console-bindings.js";
import { consolePath } from "./console-path.js";
import type { SentForm } from "./read-form.js";
import type { Visit } from "./visit.js";

export interface ConsoleEnvironment {
  Bindings: ConsoleBindings;
  Variables: {
    visit: Visit;
    /** The texts of the form that was sent; none for a page that was only asked for. */
    fields: SentForm["fields"];
    /** The files of the form that was sent. */
    files: SentForm["files"];
    /** Origins that a form of the page may lead to. */
    formTargets: readonly string[];
  };
}

/** The pages, mounted below the path of the console. */
export type ConsoleApp = Hono<ConsoleEnvironment>;

/** @returns an app that routes by the path below the console's */
export function emptyConsoleApp(): ConsoleApp {
  return new Hono<ConsoleEnvironment>({
    getPath: (_request, options) => bindingsOf(options).target.path.slice(consolePath.length) || "/",
  });
}

/** Hono types the environment as optional; the console is always given one. */
function bindingsOf(options: { readonly env?: unknown } | undefined): ConsoleBindings {
  return options?.env as ConsoleBindings;
}
