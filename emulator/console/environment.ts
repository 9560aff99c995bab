import type { Context, Hono } from "hono";
import type { SentForm } from "./read-form.js";
import type { ConsoleBindings, Visit } from "./visit.js";

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

export type ConsoleContext = Context<ConsoleEnvironment>;
