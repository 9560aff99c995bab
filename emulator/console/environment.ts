import type { Context, Hono } from "hono";
import type { ApiOperationId, FieldValues } from "./contract.js";
import { RejectedRequestError, type ConsoleResponse } from "./rejected-request-error.js";
import type { ConsoleBindings, PageVisit } from "./page-visit.js";

/** The call that a form makes. The fields of the form become body fields and parameters. */
export interface FormCall {
  readonly operation: ApiOperationId;
  readonly params?: FieldValues;
  /** The organization with whose credential the request is sent. */
  readonly as?: string;
  /** Further fields of the body. */
  readonly body?: object;
  /** The notice to show afterwards; without it, the page shows the response. */
  readonly done?: string;
  /** The address to open afterwards (default: the page itself). */
  readonly next?: string;
}

export interface ConsoleEnvironment {
  Bindings: ConsoleBindings;
  Variables: {
    visit: PageVisit;
    /** The fields of the form that was sent; empty if none was sent. */
    fields: FieldValues;
    /** The call of the form that was sent, if the page shows its response. */
    sent: { readonly call: FormCall; readonly reply: ConsoleResponse } | undefined;
    refusal: RejectedRequestError | undefined;
    /** Origins to which forms of the page may redirect. */
    formTargets: readonly string[];
  };
}

/** The pages, mounted below the path of the console. */
export type ConsoleApp = Hono<ConsoleEnvironment>;

export type ConsoleContext = Context<ConsoleEnvironment>;

/** Runs work. If a request is rejected, returns undefined, and the page shows the refusal. */
export async function attemptOrShowRefusal<Result>(
  c: ConsoleContext,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RejectedRequestError)) throw error;
    c.set("refusal", error);
    return undefined;
  }
}
