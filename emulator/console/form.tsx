import { type Child, createContext, useContext } from "hono/jsx";
import { Link, usePage } from "./page.js";
import { formToken } from "./visit.js";

type Values = Readonly<Partial<Record<string, string>>>;

/** What the fields of a form know of it. */
interface FormState {
  readonly values: Values;
  /** Whether it is the form that was refused. */
  readonly isRefused: boolean;
  readonly scope: string;
}

const FormContext = createContext<FormState>({ values: {}, isRefused: false, scope: "" });

interface FormProps {
  /** The page that it is sent to. */
  readonly to: string;
  readonly class?: string;
  readonly label?: string;
  /** A form that asks for a page, and changes nothing. */
  readonly isSearch?: boolean;
  readonly hasFiles?: boolean;
  /** What the fields hold, unless the form was sent and refused: then what was sent. */
  readonly values?: Values;
  readonly hidden?: Readonly<Record<string, string>>;
  /** Makes the ids of the fields their own, where a page has several forms alike. */
  readonly scope?: string;
  readonly submit?: string;
  /** A page to go back to, beside the button. */
  readonly back?: readonly [to: string, label: string];
  readonly children?: Child;
}

/** A form, which shows what was wrong with it when it was sent. */
export function Form(props: FormProps) {
  const {
    to,
    label,
    isSearch = false,
    hasFiles = false,
    values,
    hidden = {},
    scope = "",
    submit,
    back,
  } = props;
  const page = usePage();
  const wasSent = isRefused(to);
  return (
    <form
      method={isSearch ? "get" : "post"}
      action={page.link(to)}
      class={props.class ?? (isSearch ? "row" : "stack")}
      aria-label={label}
      {...(isSearch ? {} : { autocomplete: "off" })}
      {...(hasFiles ? { enctype: "multipart/form-data" } : {})}
    >
      {isSearch ? null : <input type="hidden" name="_token" value={formToken} />}
      {Object.entries(hidden).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <FormContext.Provider
        value={{
          values: { ...values, ...(wasSent ? page.fields : {}) },
          isRefused: wasSent,
          scope,
        }}
      >
        {props.children}
      </FormContext.Provider>
      {submit === undefined ? null : (
        <div class="buttons">
          <button class="main">{submit}</button>
          {back === undefined ? null : (
            <Link to={back[0]} isButton>
              {back[1]}
            </Link>
          )}
        </div>
      )}
    </form>
  );
}

/** Whether the form that leads there was sent, and was refused. */
function isRefused(to: string): boolean {
  const { refusal, link, sentTo } = usePage();
  return refusal !== undefined && sentTo === link(to);
}

/** A form that is folded until somebody wants it, or it is refused. */
export function FoldedForm({
  isOpen = false,
  label,
  ...rest
}: FormProps & { label: string; isOpen?: boolean }) {
  return (
    <details {...(isOpen || isRefused(rest.to) ? { open: true } : {})}>
      <summary>{label}</summary>
      <Form {...rest} label={label} />
    </details>
  );
}

interface LabelledProps {
  readonly label: string;
  readonly name: string;
  readonly hint?: Child;
  /** What is wrong, where the refusal calls the field otherwise. */
  readonly problem?: string | undefined;
}

/** A label, the control below it, and what is said of it. */
function Labelled({ label, hint, problem, id, children }: LabelledProps & { id: string; children: Child }) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem === undefined ? null : (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

function useField({ name, hint, problem }: Pick<LabelledProps, "name" | "hint" | "problem">) {
  const { values, isRefused, scope } = useContext(FormContext);
  const { refusal, fieldsWithProblems } = usePage();
  const id = `${scope}${name}`;
  const refused = isRefused ? (refusal?.problems ?? []).filter(({ field }) => field === name) : [];
  if (refused.length > 0) fieldsWithProblems.add(name);
  // the field stands for the member; what lies within has to be named
  const texts = refused.map(({ place, text }) => (place.split("/").length > 2 ? `${place}: ${text}` : text));
  const wrong = problem ?? (texts.length > 0 ? texts.join("; ") : undefined);
  const notes = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(wrong === undefined ? [] : [`${id}-problem`]),
  ];
  const described = notes.length === 0 ? {} : { "aria-describedby": notes.join(" ") };
  return { id, value: values[name] ?? "", problem: wrong, described };
}

interface FieldProps extends LabelledProps {
  readonly placeholder?: string;
  /** Lines of a larger text. */
  readonly lines?: number;
}

/** A text to fill in, with what is wrong with it. */
export function Field(props: FieldProps) {
  const { name, lines, placeholder } = props;
  const { id, value, problem, described } = useField(props);
  const shared = {
    id,
    name,
    placeholder,
    ...described,
    ...(problem === undefined ? {} : { "aria-invalid": "true" as const }),
    dir: "auto" as const,
    spellcheck: false,
  };
  return (
    <Labelled {...props} id={id} problem={problem}>
      {lines === undefined ? (
        <input type="text" value={value} {...shared} />
      ) : (
        // a first line break would get lost
        <textarea rows={lines} {...shared}>{`\n${value}`}</textarea>
      )}
    </Labelled>
  );
}

interface ChoiceProps extends LabelledProps {
  readonly options: readonly (string | readonly [value: string, label: string])[];
}

/** One of several. */
export function Choice(props: ChoiceProps) {
  const { id, value, problem, described } = useField(props);
  return (
    <Labelled {...props} id={id} problem={problem}>
      <select id={id} name={props.name} {...described}>
        {props.options.map((option) => {
          const [of, text] = typeof option === "string" ? [option, option] : option;
          return (
            <option value={of} {...(of === value ? { selected: true } : {})}>
              {text}
            </option>
          );
        })}
      </select>
    </Labelled>
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
  const isChecked = values[name]?.split(",").includes(value) === true;
  return (
    <label class="option">
      <input type={type} name={name} value={value} {...(isChecked ? { checked: true } : {})} />
      <span>{children}</span>
    </label>
  );
}

/** What is wrong with a group of fields. */
export function GroupProblem({ name }: { readonly name: string }) {
  const { problem } = useField({ name });
  return problem === undefined ? null : <p class="problem">{problem}</p>;
}

interface ActionProps {
  readonly to: string;
  readonly label: string;
  /** What it acts on, for those who hear the button without what stands around it. */
  readonly of?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly kind?: "quiet" | "danger" | "main";
  /** Asked before it happens. */
  readonly question?: string;
}

/** A button that deletes something. */
export function Delete(props: Omit<ActionProps, "label" | "kind">) {
  return <Action {...props} label="Delete" kind="danger" />;
}

/** A form that is one button. */
export function Action({ to, label, of, fields = {}, kind = "quiet", question }: ActionProps) {
  return (
    <Form to={to} class="inline" hidden={fields}>
      <button class={kind} data-question={question}>
        {label}
        {of === undefined ? null : <span class="unseen"> {of}</span>}
      </button>
    </Form>
  );
}
