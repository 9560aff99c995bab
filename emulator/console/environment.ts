import type { Context, Hono } from "hono";
import type { ApiOperationId, Values } from "./contract.js";
import { Refusal, type Reply } from "./refusal.js";
import type { ConsoleBindings, Visit } from "./visit.js";

export type SentFile = Exclude<ReturnType<FormData["get"]>, string | null>;

/** The call that a form makes, with its fields as members of the body and as parameters. */
export interface FormCall {
  readonly operation: ApiOperationId;
  readonly params?: Values;
  /** The organization in whose owner's name it is sent. */
  readonly as?: string;
  /** What the body holds beside the fields. */
  readonly body?: object;
  /** What the page then says; without it the page shows the answer. */
  readonly done?: string;
  /** The address that follows, where it is not that of the page. */
  readonly next?: string;
}

export interface ConsoleEnvironment {
  Bindings: ConsoleBindings;
  Variables: {
    visit: Visit;
    /** The texts of the form that was sent; none for a page that was only asked for. */
    fields: Values;
    file: SentFile | undefined;
    /** A call of a form whose answer the page shows. */
    sent: { readonly call: FormCall; readonly reply: Reply } | undefined;
    refusal: Refusal | undefined;
    /** Origins that a form of the page may lead to. */
    formTargets: readonly string[];
  };
}

/** The pages, mounted below the path of the console. */
export type ConsoleApp = Hono<ConsoleEnvironment>;

export type ConsoleContext = Context<ConsoleEnvironment>;

/** Does something whose refusal the page shows; nothing is returned then. */
export async function attempt<Result>(
  c: ConsoleContext,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    c.set("refusal", error);
    return undefined;
  }
}
