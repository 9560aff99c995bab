import type { Child } from "hono/jsx";
import type { Refusal } from "./field-problems.js";

/** What was refused, before the form that it is about. */
export function RefusalNotice({ refusal }: { readonly refusal: Refusal | undefined }) {
  if (refusal === undefined) return null;
  const { status, general, fields } = refusal;
  const count = Object.keys(fields).length;
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>Refused with {status}.</strong>
        {count > 0 ? ` See the ${count === 1 ? "field" : "fields"} below.` : ""}
      </p>
      {general.map((text) => (
        <p dir="auto">{text}</p>
      ))}
    </div>
  );
}

/** What was done: the texts are ours, an address only chooses one. */
export function DoneNotice({ done }: { readonly done: string | undefined }) {
  const text = done === undefined || !Object.hasOwn(deeds, done) ? undefined : deeds[done];
  if (text === undefined) return null;
  return (
    <p class="notice good" role="status">
      {text}
    </p>
  );
}

const deeds: Readonly<Record<string, string>> = {
  created: "Created.",
  saved: "Saved.",
  deleted: "Deleted.",
  restored: "Restored: data, clock and ids are as they were.",
  reset: "Back at the starting state.",
  cleared: "Cleared.",
  moved: "The clock has moved.",
  accepted: "The invitation is accepted.",
  invited: "Invited. Accept the invitation here, as the link in the e-mail would.",
  sent: "Sent again: this is the new request.",
};

/** What a list says when it is empty, and what to do next. */
export function Empty({ title, children }: { readonly title: string; readonly children?: Child }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** A table that scrolls by itself, for eyes and for keys. */
export function Table({
  label,
  head,
  children,
}: {
  readonly label: string;
  readonly head: readonly string[];
  readonly children?: Child;
}) {
  return (
    <div class="scroll" role="region" aria-label={label} tabindex={0}>
      <table>
        <thead>
          <tr>{head.map((text) => (text === "" ? <td /> : <th scope="col">{text}</th>))}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** A text to copy. */
export function Copyable({ text, id }: { readonly text: string; readonly id: string }) {
  return (
    <span class="copyable">
      <code id={id}>{text}</code>
      <button type="button" class="quiet small" data-copy={id}>
        Copy<span class="unseen"> {text}</span>
      </button>
    </span>
  );
}
