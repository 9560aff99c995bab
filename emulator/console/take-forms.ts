import type { ConsoleApp, ConsoleContext } from "./environment.js";
import type { SentForm } from "./read-form.js";
import { type FieldOf, type Refusal, refusalOf } from "./refusal.js";
import type { Reply, Visit } from "./visit.js";

type Show = (c: ConsoleContext, refusal: Refusal) => Response | Promise<Response>;

/**
 * Takes the forms of a page. Each is a request, which leads back to the page when it was carried out and shows the page
 * again when it was refused.
 */
export function takeForms(app: ConsoleApp, page: string, show: Show) {
  return (
    path: string,
    done: string,
    send: (visit: Visit, fields: SentForm["fields"], c: ConsoleContext) => Promise<Reply>,
    fieldOf?: FieldOf,
  ) =>
    app.post(path, async (c) => {
      const visit = c.get("visit");
      const fields = c.get("fields");
      const reply = await send(visit, fields, c);
      if (!reply.isOk) return show(c, refusalOf(reply, fieldOf));
      return c.redirect(visit.link(page, { organization: fields.organizationId, done }), 303);
    });
}

/** The fields that somebody has filled in. */
export function filledIn(fields: SentForm["fields"]): Readonly<Record<string, string>> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== "");
  return Object.fromEntries(entries as [string, string][]);
}

/** A path with ids in it, which may hold any character. */
export function pathOf(texts: TemplateStringsArray, ...ids: readonly (string | undefined)[]): string {
  return String.raw({ raw: texts }, ...ids.map((id = "") => encodeURIComponent(id)));
}
