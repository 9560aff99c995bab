import { type Child, createContext, useContext } from "hono/jsx";
import { Prose } from "../../openapi/html/components.js";
import { findBodyField, type Values } from "./contract.js";
import { usePage } from "./page.js";
import type { FormCall } from "./environment.js";
import { formToken } from "./visit.js";

/** What the fields of a form know of it. */
interface FormState {
  readonly values: Values;
  readonly operation: FormCall["operation"] | undefined;
  /** Whether it is the form that was refused. */
  readonly isRefused: boolean;
  readonly isSearch: boolean;
}

const noForm: FormState = { values: {}, operation: undefined, isRefused: false, isSearch: false };
const FormContext = createContext(noForm);

interface FormProps {
  /** What it sends. The page itself takes a form without a call. */
  readonly call?: FormCall;
  /** The page that it asks for, changing nothing. */
  readonly search?: string;
  /** The operation whose body has the fields, where the form makes no call. */
  readonly operation?: FormCall["operation"];
  readonly label?: string;
  readonly class?: string;
  readonly hasFiles?: boolean;
  /** What the fields hold, unless the form was sent and refused: then what was sent. */
  readonly values?: Values;
  /** Fields of the request body, by their places in it, as the contract describes them. */
  readonly fields?: Fields;
  readonly submit?: string;
  /** Folded until somebody wants it, or it is refused. */
  readonly isFolded?: boolean;
  readonly children?: Child;
}

/** A form, which shows what was wrong with it when it was sent. */
export function Form(props: FormProps) {
  const { call, search, operation = call?.operation, label, values, fields = {}, submit, isFolded } = props;
  const page = usePage();
  const text = call && JSON.stringify(call);
  const isRefused = page.refusal !== undefined && page.fields._call === text;
  const isSearch = search !== undefined;
  const state = { values: { ...values, ...(isRefused ? page.fields : {}) }, operation, isRefused, isSearch };
  const form = (
    <form
      method={isSearch ? "get" : "post"}
      action={isSearch ? page.visit.link(search) : page.self}
      class={props.class ?? (isSearch ? "row" : "stack")}
      aria-label={label}
      autocomplete={isSearch ? undefined : "off"}
      enctype={props.hasFiles === true ? "multipart/form-data" : undefined}
    >
      {isSearch ? null : <input type="hidden" name="_token" value={formToken} />}
      {text === undefined ? null : <input type="hidden" name="_call" value={text} />}
      <FormContext.Provider value={state}>
        <Inputs of={fields} />
        {props.children}
      </FormContext.Provider>
      {submit === undefined ? null : <button class={isSearch ? undefined : "main"}>{submit}</button>}
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

/** Fields of a request body by their places in it: the label of each, or more of what the page says of it. */
type Fields = Readonly<Record<string, string | Omit<FieldProps, "name">>>;

/** Fields of the body that the form sends: their controls and hints follow from its schema. */
export function Inputs({ of }: { readonly of: Fields }) {
  return (
    <>
      {Object.entries(of).map(([name, given]) => (
        <Input name={name} {...(typeof given === "string" ? { label: given } : given)} />
      ))}
    </>
  );
}

function Input(props: FieldProps) {
  const { visit } = usePage();
  const { operation, isSearch } = useContext(FormContext);
  const field = operation && findBodyField(operation, visit.profile, props.name);
  if (field === undefined) return <Field {...props} />;
  const { kind, isRequired, description, fallback } = field;
  const none = ["", props.placeholder ?? "–"] as const;
  const options = isRequired || fallback !== "" ? field.options : [none, ...field.options];
  const hint = description === undefined || isSearch ? undefined : <Prose text={description} />;
  const lines = kind === "json" && !isSearch ? 6 : undefined;
  if (kind === "choices") return <Options {...props} options={field.options} />;
  if (kind === "choice" || props.options !== undefined)
    return <Choice {...{ hint, fallback, options }} {...props} />;
  if (kind !== "boolean") return <Field {...{ hint, fallback, lines }} {...props} />;
  return (
    <Option name={props.name} value="true">
      {props.label}
    </Option>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: Child;
  readonly placeholder?: string;
  /** Lines of a larger text. */
  readonly lines?: number | undefined;
  /** What it holds where the form says nothing else. */
  readonly fallback?: string;
  readonly options?: readonly (string | readonly [value: string, label: string])[];
}

function useField({ name, hint, fallback = "" }: Pick<FieldProps, "name" | "hint" | "fallback">) {
  const { values, isRefused } = useContext(FormContext);
  const { refusal, shownAtFields, ids } = usePage();
  let id = name;
  for (let number = 2; ids.has(id); number += 1) id = `${name}-${number}`;
  ids.add(id);
  const problems = isRefused
    ? (refusal?.problems ?? []).filter(({ pointer }) => `${pointer}/`.startsWith(`/${name}/`))
    : [];
  for (const { pointer } of problems) shownAtFields.add(pointer);
  const problem = problems
    .map(({ pointer, text }) => (pointer === `/${name}` ? text : `${pointer}: ${text}`))
    .join("; ");
  const notes = [...(hint === undefined ? [] : [`${id}-hint`]), ...(problem === "" ? [] : [`${id}-problem`])];
  const attributes = {
    id,
    name,
    "aria-describedby": notes.length === 0 ? undefined : notes.join(" "),
    "aria-invalid": problem === "" ? undefined : ("true" as const),
  };
  return { id, value: values[name] ?? fallback, problem, attributes };
}

interface LabelledProps extends Pick<FieldProps, "label" | "hint"> {
  readonly id: string;
  readonly problem: string;
  readonly children: Child;
}

/** A label, the control below it, and what is said of it. */
function Labelled({ label, hint, problem, id, children }: LabelledProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem === "" ? null : (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

/** A text to fill in, with what is wrong with it. */
export function Field(props: FieldProps) {
  const { lines, placeholder } = props;
  const { value, attributes, ...field } = useField(props);
  const shared = { ...attributes, placeholder, dir: "auto", spellcheck: false } as const;
  return (
    <Labelled {...props} {...field}>
      {lines === undefined ? (
        <input type="text" value={value} {...shared} />
      ) : (
        // a first line break would get lost
        <textarea rows={lines} {...shared}>{`\n${value}`}</textarea>
      )}
    </Labelled>
  );
}

/** A file to choose. */
export function FileField(props: Pick<FieldProps, "name" | "label">) {
  const { attributes, id, problem } = useField(props);
  return (
    <Labelled {...props} id={id} problem={problem}>
      <input type="file" {...attributes} />
    </Labelled>
  );
}

/** One of several. */
export function Choice({ options = [], ...props }: FieldProps) {
  const { value, attributes, ...field } = useField(props);
  return (
    <Labelled {...props} {...field}>
      <select {...attributes}>
        {options.map((option) => {
          const [of, text] = typeof option === "string" ? [option, option] : option;
          return (
            <option value={of} selected={of === value}>
              {text}
            </option>
          );
        })}
      </select>
    </Labelled>
  );
}

/** Any of several. */
function Options({
  options,
  ...props
}: Omit<FieldProps, "options"> & { readonly options: readonly string[] }) {
  const { problem } = useField(props);
  return (
    <fieldset>
      <legend>{props.label}</legend>
      <div class="options">
        {options.map((option) => (
          <Option name={props.name} value={option}>
            {option}
          </Option>
        ))}
      </div>
      {problem === "" ? null : <p class="problem">{problem}</p>}
    </fieldset>
  );
}

interface OptionProps {
  readonly name: string;
  readonly value: string;
  readonly type?: "checkbox" | "radio";
  readonly children?: Child;
}

/** A box to tick, or one of several to choose from. */
export function Option({ name, value, type = "checkbox", children }: OptionProps) {
  const { values } = useContext(FormContext);
  return (
    <label class="option">
      <input
        type={type}
        name={name}
        value={value}
        checked={values[name]?.split(",").includes(value) === true}
      />
      <span>{children}</span>
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
