import type { Child } from "hono/jsx";
import { Prose } from "../../openapi/html/components.js";
import { type BodyField, findBodyField, type FieldValues } from "./contract.js";
import type { FormCall } from "./environment.js";
import { usePage } from "./page.js";

interface FormProps {
  /** The call that the form makes. A form without a call is handled by the page itself. */
  readonly call?: FormCall;
  /** The page to open with the fields as query parameters, for a form that changes nothing. */
  readonly search?: string;
  /** The operation whose request body describes the fields, for a form without a call. */
  readonly operation?: FormCall["operation"];
  readonly label?: string;
  readonly class?: string;
  /** The initial values. A form that was rejected keeps the values that were sent. */
  readonly values?: FieldValues;
  /**
   * Fields by name, each with its label or more options. A field of the request body is named by its pointer in the
   * body, and its control and hint are derived from the schema.
   */
  readonly fields?: Readonly<Record<string, string | FieldOptions>>;
  readonly submit?: string;
  /** Whether the form is collapsed at first. A form that was rejected is always expanded. */
  readonly isFolded?: boolean;
  readonly children?: Child;
}

/** A form. If its call was rejected, it shows the mistakes. */
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
    >
      {text && <input type="hidden" name="_call" value={text} />}
      {Object.entries(fields).map(([name, given]) => {
        const options = typeof given === "string" ? { label: given } : given;
        const bodyField = operation && findBodyField(operation, visit.profile, name);
        const field = { ...(bodyField && deriveOptions(bodyField, options, isSearch)), ...options };
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
  /** The kind of control (default: a text field, or a list if there are options). */
  readonly type?: "checkbox" | "radio";
  readonly hint?: Child;
  readonly placeholder?: string;
  /** Number of lines, for a text area. */
  readonly lines?: number | undefined;
  /** The value, unless the form has one for this field. */
  readonly fallback?: string;
  /** The values to choose from. */
  readonly options?: readonly (string | readonly [value: string, label: Child])[];
}

/** Derives options from the schema of a field. */
function deriveOptions(field: BodyField, given: FieldOptions, isSearch: boolean) {
  const { kind, isRequired, description, fallback, options } = field;
  const none =
    isRequired || fallback !== "" || kind === "choices" ? [] : [["", given.placeholder ?? "–"] as const];
  return {
    fallback,
    ...(options.length === 0 ? {} : { options: [...none, ...options] }),
    ...(kind === "choices" || (kind === "boolean" && given.options === undefined)
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

/** A label with a control, a hint and the mistakes. */
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
  if (type === "checkbox" && options === undefined)
    return <Option type={type} name={name} value={value} option="true" label={label} />;
  if (type === "checkbox" || type === "radio")
    return (
      <fieldset>
        <legend>{label}</legend>
        {(options ?? []).map((option) => {
          const [of, text] = typeof option === "string" ? [option, option] : option;
          return <Option type={type} name={name} value={value} option={of} label={text} />;
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
  if (lines === undefined) return <input type="text" value={value} {...text} {...attributes} />;
  // Browsers drop the first line break in a text area.
  return <textarea rows={lines} {...text} {...attributes}>{`\n${value}`}</textarea>;
}

interface OptionProps {
  readonly type: "checkbox" | "radio";
  readonly name: string;
  /** The value of the field: several values are separated by commas. */
  readonly value: string;
  readonly option: string;
  readonly label: Child;
}

/** A checkbox or a radio button. */
function Option({ type, name, value, option, label }: OptionProps) {
  return (
    <label class="option">
      <input type={type} name={name} value={option} checked={value.split(",").includes(option)} />
      <span>{label}</span>
    </label>
  );
}

interface ActionProps {
  readonly call: FormCall;
  readonly label: string;
  /** What the button acts on, for screen readers. */
  readonly of?: string;
  readonly kind?: "quiet" | "danger" | "main";
  /** A question to confirm first. */
  readonly question?: string;
}

/** A button that deletes something. */
export function DeleteButton({ call, ...props }: Omit<ActionProps, "label" | "kind">) {
  return <ActionButton label="Delete" kind="danger" call={{ done: "deleted", ...call }} {...props} />;
}

/** A form that consists of one button. */
export function ActionButton({ call, label, of, kind = "quiet", question }: ActionProps) {
  return (
    <Form call={call} class="inline">
      <button class={kind} data-question={question}>
        {label}
        {of === undefined ? null : <span class="unseen"> {of}</span>}
      </button>
    </Form>
  );
}
