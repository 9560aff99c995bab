import type { Child } from "hono/jsx";
import type { FieldProblem } from "./field-problems.js";
import { formToken } from "./visit.js";

interface FormProps {
  readonly action: string;
  readonly class?: string;
  readonly label?: string;
  readonly files?: boolean;
  readonly children?: Child;
}

/** A form that changes something. */
export function Form({ action, class: name, label, files = false, children }: FormProps) {
  return (
    <form
      method="post"
      action={action}
      class={name ?? "stack"}
      aria-label={label}
      autocomplete="off"
      {...(files ? { enctype: "multipart/form-data" } : {})}
    >
      <input type="hidden" name="_token" value={formToken} />
      {children}
    </form>
  );
}

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly value?: string | undefined;
  readonly type?: "text" | "email" | "number" | "url" | "password";
  readonly hint?: Child;
  readonly problem?: FieldProblem | undefined;
  readonly required?: boolean;
  readonly placeholder?: string;
  /** Lines of a larger text. */
  readonly lines?: number;
  /** Makes the id one of its own, where a page has several forms alike. */
  readonly scope?: string;
}

/** A text to fill in, with what is wrong with it. */
export function Field(props: FieldProps) {
  const { label, name, value = "", type = "text", hint, problem, lines, scope = "", placeholder } = props;
  const id = `${scope}${name}`;
  const notes = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(problem === undefined ? [] : [`${id}-problem`]),
  ];
  const shared = {
    id,
    name,
    ...(props.required === true ? { required: true } : {}),
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(notes.length === 0 ? {} : { "aria-describedby": notes.join(" ") }),
    ...(problem === undefined ? {} : { "aria-invalid": "true" as const }),
    dir: "auto" as const,
    spellcheck: false,
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {lines === undefined ? (
        <input type={type} value={value} {...shared} />
      ) : (
        // a first line break would get lost
        <textarea rows={lines} {...shared}>{`\n${value}`}</textarea>
      )}
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem === undefined ? null : (
        <p class="problem" id={`${id}-problem`}>
          {problem.text}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly value?: string | undefined;
  readonly options: readonly (string | readonly [value: string, label: string])[];
  readonly hint?: Child;
  readonly problem?: FieldProblem | undefined;
  readonly scope?: string;
}

/** One of several. */
export function Choice({ label, name, value, options, hint, problem, scope = "" }: ChoiceProps) {
  const id = `${scope}${name}`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name} {...(hint === undefined ? {} : { "aria-describedby": `${id}-hint` })}>
        {options.map((option) => {
          const [of, text] = typeof option === "string" ? [option, option] : option;
          return (
            <option value={of} {...(of === value ? { selected: true } : {})}>
              {text}
            </option>
          );
        })}
      </select>
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem === undefined ? null : <p class="problem">{problem.text}</p>}
    </div>
  );
}

interface ActionProps {
  readonly action: string;
  readonly label: string;
  /** What it acts on, for those who hear the button without what stands around it. */
  readonly of?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly kind?: "quiet" | "danger" | "main";
  /** Asked before it happens. */
  readonly question?: string;
}

/** A form that is one button. */
export function Action({ action, label, of, fields = {}, kind = "quiet", question }: ActionProps) {
  return (
    <Form action={action} class="inline">
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button class={kind} {...(question === undefined ? {} : { "data-question": question })}>
        {label}
        {of === undefined ? null : <span class="unseen"> {of}</span>}
      </button>
    </Form>
  );
}
