import { visibleLines } from "../../../openapi/text/visible.js";

/** Markup that is safe to stand in a page as it is. Only {@link html} makes it. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = Html | string | number | undefined | readonly Value[];

/** A template of markup: everything put into it is escaped, unless it is markup itself. Lists are joined. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(
    withoutIndent(strings).reduce((text, string, index) => text + markup(values[index - 1]) + string),
  );
}

const templates = new WeakMap<TemplateStringsArray, readonly string[]>();

/** A template as it stands in the source, without the indent of its lines: in a page of many rows it adds up. */
function withoutIndent(strings: TemplateStringsArray): readonly string[] {
  let known = templates.get(strings);
  if (known === undefined)
    templates.set(strings, (known = strings.map((string) => string.replace(/\s*\n\s*/g, "\n"))));
  return known;
}

function markup(value: Value): string {
  if (value === undefined) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(markup).join("");
  return escape(String(value));
}

/** The text as content of an element or of a quoted attribute. */
function escape(text: string): string {
  // an answer may not turn round what a reader of the page sees
  return visibleLines(text).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
