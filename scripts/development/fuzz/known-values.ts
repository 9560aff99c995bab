import type { DemoRequest } from "../growth/example-requests.js";
import { listCallsOfStates } from "../growth/state-scaling-cases.js";

/** Maximum number of values of a kind. */
const maxValues = 40;

/** Values for fields and parameters, from usual requests and from responses. */
export class KnownValues {
  readonly #values = new Map<string, unknown[]>();

  constructor(requests: readonly DemoRequest[]) {
    for (const { parameters, body } of requests) this.learn([parameters, body]);
    for (const [, , body] of listCallsOfStates.flatMap((list) => list(25))) this.learn(body);
  }

  /** Lists known values for a field or parameter: values of the same name, or ids of the same kind as the example. */
  list(name: string, example?: unknown): readonly unknown[] {
    return this.#values.get(getKind(name, example)) ?? [];
  }

  /** Lists all fields and kinds of ids of which there are values. */
  listNames(): readonly string[] {
    return [...this.#values.keys()];
  }

  /** Adds the values in a body, at any depth. */
  learn(value: unknown, name = ""): void {
    const kind = getKind(name, value);
    const values = this.#values.get(kind) ?? [];
    if (!values.includes(value) && JSON.stringify(value ?? null).length < 3000) values.push(value);
    // keep the first values, because newer resources may have been deleted
    if (values.length > maxValues) values.splice(maxValues / 2, 1);
    this.#values.set(kind, values);
    if (Array.isArray(value)) for (const entry of value.slice(0, 5)) this.learn(entry, name);
    else if (typeof value === "object" && value !== null)
      for (const [field, inside] of Object.entries(value)) this.learn(inside, field);
  }
}

/** Returns the prefix of an id such as `db_demo`; for other values, the name of the field. */
function getKind(name: string, value: unknown): string {
  const prefix = typeof value === "string" ? /^[a-z]+_(?=\w+$)/.exec(value)?.[0] : undefined;
  return prefix ?? name.replace(/^next(.)/, (_, first: string) => first.toLowerCase());
}
