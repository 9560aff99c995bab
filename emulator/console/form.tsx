import type { Child } from "hono/jsx";
import { Prose } from "../../openapi/html/components.js";
import { type BodyField, findBodyField, type Values } from "./contract.js";
import type { FormCall } from "./environment.js";
import { usePage } from "./page.js";
import { formToken } from "./visit.js";

interface FormProps {
  /** What it sends. The page itself takes a form without a call. */
  readonly call?: FormCall;
  /** The page that it asks for, changing nothing. */
  readonly search?: string;
  /** The operation whose body has the fields, where the form makes no call. */
  readonly operation?: FormCall["operation"];
  readonly label?: string;
  readonly class?: string;
  /** What the fields hold, unless the form was sent and refused: then what was sent. */
  readonly values?: Values;
  /**
   * Fields by their names: the label of each, or more. What is in the request body is named by its place there, and its
   * control and hint follow from the schema.
   */
  readonly fields?: Readonly<Record<string, string | FieldOptions>>;
  readonly submit?: string;
  /** Folded until somebody wants it, or it is refused. */
  readonly isFolded?: boolean;
  readonly children?: Child;
}

/** A form, which shows what was wrong with it when it was sent. */
export function Form(props: FormProps) {
  const { call, search, operation = call?.operation, label, fields = {}, submit, isFolded } = props;
  const { visit, self, refusal, fields: sent } = usePage();
  const text = call && JSON.stringify(call);
  const isRefused = refusal !== undefined && sent._call === text;
  const isSearch = search !== undefined;
  const values = { ...props.values, ...(isRefused ? sent : {}) };
  const form = (
    <form
      method={isSearch ? "get" : "post"}
      action={isSearch ? visit.link(search) : self}
      class={props.class ?? (isSearch ? "row" : "stack")}
      aria-label={label}
      autocomplete={isSearch ? undefined : "off"}
      enctype={"file" in fields ? "multipart/form-data" : undefined}
    >
      {isSearch ? null : <input type="hidden" name="_token" value={formToken} />}
      {text && <input type="hidden" name="_call" value={text} />}
      {Object.entries(fields).map(([name, given]) => {
        const own = typeof given === "string" ? { label: given } : given;
        const described = operation && findBodyField(operation, visit.profile, name);
        const field = { ...(described && describeField(described, own, isSearch)), ...own };
        return <Field {...field} name={name} value={values[name]} isRefused={isRefused} />;
      })}
      {submit && <button class={isSearch ? undefined : "main"}>{submit}</button>}
      {props.children}
    </form>
  );
  if (isFolded === undefined) return form;
  return (
    <details open={!isFolded || isRefused}>
      <summary>{label}</summary>
      {form}
    </details>
  );
}

interface FieldOptions {
  readonly label: string;
  /** The control, where it is no text and has no options. */
  readonly type?: "checkbox" | "radio" | "file" | "heading";
  readonly hint?: Child;
  readonly placeholder?: string;
  /** Lines of a larger text. */
  readonly lines?: number | undefined;
  /** What it holds where the form says nothing else. */
  readonly fallback?: string;
  /** What to choose from. */
  readonly options?: readonly (string | readonly [value: string, label: Child])[];
}

/** What follows from the schema of a field. */
function describeField(field: BodyField, own: FieldOptions, isSearch: boolean) {
  const { kind, isRequired, description, fallback, options } = field;
  const none =
    isRequired || fallback !== "" || kind === "choices" ? [] : [["", own.placeholder ?? "–"] as const];
  return {
    fallback,
    ...(options.length === 0 ? {} : { options: [...none, ...options] }),
    ...(kind === "choices" || (kind === "boolean" && own.options === undefined)
      ? { type: "checkbox" as const }
      : {}),
    ...(isSearch ? {} : { hint: description && <Prose text={description} /> }),
    ...(kind === "json" && !isSearch ? { lines: 6 } : {}),
  };
}

interface FieldProps extends FieldOptions {
  readonly name: string;
  readonly value: string | undefined;
  readonly isRefused: boolean;
}

/** A label, the control below it, and what is said of it. */
function Field(props: FieldProps) {
  const { name, label, type, hint, fallback = "", options, isRefused, value = fallback } = props;
  const { refusal, ids } = usePage();
  let id = name;
  for (let number = 2; ids.has(id); number += 1) id = `${name}-${number}`;
  ids.add(id);
  const problems = refusal?.problems.filter(({ pointer }) => `${pointer}/`.startsWith(`/${name}/`)) ?? [];
  const shown = isRefused ? problems : [];
  const attributes = {
    id,
    name,
    "aria-describedby":
      [hint && `${id}-hint`, shown.length > 0 && `${id}-problem`].filter(Boolean).join(" ") || undefined,
    "aria-invalid": shown.length > 0 ? ("true" as const) : undefined,
  };
  const notes = (
    <>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {shown.length > 0 && (
        <p class="problem" id={`${id}-problem`}>
          {shown
            .map(({ pointer, text }) => (pointer === `/${name}` ? text : `${pointer}: ${text}`))
            .join("; ")}
        </p>
      )}
    </>
  );
  if (type === "heading") return <h3>{label}</h3>;
  if (type === "checkbox" && options === undefined)
    return <Option type={type} name={name} value={value} of="true" label={label} />;
  if (type === "checkbox" || type === "radio")
    return (
      <fieldset>
        <legend>{label}</legend>
        {(options ?? []).map((option) => {
          const [of, text] = typeof option === "string" ? [option, option] : option;
          return <Option type={type} name={name} value={value} of={of} label={text} />;
        })}
        {notes}
      </fieldset>
    );
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Control {...props} value={value} attributes={attributes} />
      {notes}
    </div>
  );
}

function Control({
  type,
  lines,
  placeholder,
  options,
  value = "",
  attributes,
}: FieldProps & { attributes: object }) {
  const text = { placeholder, dir: "auto", spellcheck: false } as const;
  if (options !== undefined)
    return (
      <select {...attributes}>
        {options.map((option) => {
          const [of, shown] = typeof option === "string" ? [option, option] : option;
          return (
            <option value={of} selected={of === value}>
              {shown}
            </option>
          );
        })}
      </select>
    );
  if (type === "file") return <input type="file" {...attributes} />;
  if (lines === undefined) return <input type="text" value={value} {...text} {...attributes} />;
  // a first line break would get lost
  return <textarea rows={lines} {...text} {...attributes}>{`\n${value}`}</textarea>;
}

interface OptionProps {
  readonly type: "checkbox" | "radio";
  readonly name: string;
  /** What the field holds: several values with commas between. */
  readonly value: string;
  readonly of: string;
  readonly label: Child;
}

/** A box to tick, or one of several to choose from. */
function Option({ type, name, value, of, label }: OptionProps) {
  return (
    <label class="option">
      <input type={type} name={name} value={of} checked={value.split(",").includes(of)} />
      <span>{label}</span>
    </label>
  );
}

interface ActionProps {
  readonly call: FormCall;
  readonly label: string;
  /** What it acts on, for those who hear the button without what stands around it. */
  readonly of?: string;
  readonly kind?: "quiet" | "danger" | "main";
  /** Asked before it happens. */
  readonly question?: string;
}

/** A button that deletes something. */
export function Delete({ call, ...props }: Omit<ActionProps, "label" | "kind">) {
  return <Action label="Delete" kind="danger" call={{ done: "deleted", ...call }} {...props} />;
}

/** A form that is one button. */
export function Action({ call, label, of, kind = "quiet", question }: ActionProps) {
  return (
    <Form call={call} class="inline">
      <button class={kind} data-question={question}>
        {label}
        {of === undefined ? null : <span class="unseen"> {of}</span>}
      </button>
    </Form>
  );
}
