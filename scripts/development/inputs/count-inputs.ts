import type { OpenAPIObject, ReferenceObject, SchemaObject } from "openapi3-ts/oas31";
import type { Exchange } from "../../../conformance/client/exchange.js";

/** How often two optional members of a request, or of an entry in it, stood together in requests that were accepted. */
export interface PairCount {
  /** The operation, and the member that holds the entries where it is about them. */
  readonly request: string;
  readonly pair: readonly [string, string];
  readonly count: number;
}

/** What there was of one kind of value in the bodies of accepted requests, and the largest of it. */
export interface KindCount {
  readonly kind: string;
  readonly count: number;
  /** Members of an object, elements of an array, characters of a text, digits of a number. */
  readonly largest: number;
}

export interface InputCounts {
  readonly pairs: readonly PairCount[];
  readonly kinds: readonly KindCount[];
  /** The deepest nesting of a body. */
  readonly deepest: number;
}

type Members = Readonly<Record<string, unknown>>;

/** A place where optional members may stand, and where requests have it. */
interface Place {
  readonly request: string;
  readonly operationId: string;
  readonly optional: readonly string[];
  readonly read: (exchange: Exchange) => readonly Members[];
}

/**
 * Counts what a run of the checks has sent: a generator shows by it what it never makes.
 *
 * @param document the strict document of the deployment's profile, which says what is optional
 */
export function countInputs(document: OpenAPIObject, exchanges: readonly Exchange[]): InputCounts {
  const accepted = exchanges.filter(({ answer }) => answer !== undefined && answer.status < 300);
  const places = placesOf(document);
  const pairs = places.flatMap((place) => {
    const objects = accepted
      .filter(({ operationId }) => operationId === place.operationId)
      .flatMap((exchange) => place.read(exchange).map(namesIn));
    return pairsOf(place.optional).map((pair): PairCount => ({
      request: place.request,
      pair,
      count: objects.filter((names) => pair.every((name) => names.has(name))).length,
    }));
  });
  const values = new ValueCounts();
  for (const exchange of accepted) values.add(bodyOf(exchange));
  return { pairs, kinds: values.kinds, deepest: values.deepest };
}

/** A member that is null is as good as absent. */
function namesIn(object: Members): ReadonlySet<string> {
  return new Set(Object.keys(object).filter((name) => object[name] !== null));
}

function pairsOf(names: readonly string[]): readonly (readonly [string, string])[] {
  return names.flatMap((first, at) => names.slice(at + 1).map((second) => [first, second] as const));
}

function placesOf(document: OpenAPIObject): readonly Place[] {
  const places: Place[] = [];
  for (const item of Object.values(document.paths ?? {}) as Record<string, Operation>[])
    for (const { operationId, parameters = [], requestBody } of Object.values(item)) {
      if (operationId === undefined) continue;
      const query = parameters.filter((parameter) => parameter.in === "query" && parameter.required !== true);
      const named = { request: operationId, operationId };
      places.push({ ...named, optional: query.map(({ name }) => name), read: queryOf });
      const schema = requestBody?.content?.["application/json"]?.schema;
      if (schema === undefined) continue;
      const body = resolved(document, schema);
      places.push({ ...named, optional: optionalOf(body), read: (exchange) => objectsIn(bodyOf(exchange)) });
      for (const [member, property] of Object.entries(body.properties ?? {})) {
        const { items } = resolved(document, property);
        if (items === undefined) continue;
        places.push({
          request: `${operationId} ${member}`,
          operationId,
          optional: optionalOf(resolved(document, items)),
          read: (exchange) => objectsIn(bodyOf(exchange)).flatMap((whole) => objectsIn(whole[member])),
        });
      }
    }
  return places.filter(({ optional }) => optional.length > 1);
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: {
    readonly content?: Readonly<Record<string, { readonly schema?: SchemaObject | ReferenceObject }>>;
  };
}

function resolved(document: OpenAPIObject, schema: SchemaObject | ReferenceObject): SchemaObject {
  if (!("$ref" in schema)) return schema;
  const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
  return (document.components?.schemas?.[name] ?? {}) as SchemaObject;
}

function optionalOf({ properties = {}, required = [] }: SchemaObject): readonly string[] {
  return Object.keys(properties).filter((name) => !required.includes(name));
}

function queryOf({ request }: Exchange): readonly Members[] {
  return [Object.fromEntries(new URL(request.url).searchParams)];
}

/** The body of a request; nothing where it was too long to be kept whole. */
function bodyOf({ request }: Exchange): unknown {
  try {
    return request.body === undefined ? undefined : (JSON.parse(request.body) as unknown);
  } catch {
    return undefined;
  }
}

function objectsIn(value: unknown): readonly Members[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((one): one is Members => typeof one === "object" && one !== null && !Array.isArray(one));
}

/** Counts the values in JSON by their kind and size. */
class ValueCounts {
  readonly #kinds = new Map<string, { count: number; largest: number }>();
  deepest = 0;

  get kinds(): readonly KindCount[] {
    return [...this.#kinds]
      .map(([kind, counted]) => ({ kind, ...counted }))
      .sort((a, b) => b.count - a.count);
  }

  add(value: unknown, depth = 0): void {
    this.deepest = Math.max(this.deepest, depth);
    if (value === undefined) return;
    if (Array.isArray(value)) {
      this.#count(value.length > 16 ? "long array" : "array", value.length);
      for (const element of value) this.add(element, depth + 1);
    } else if (typeof value === "object" && value !== null) {
      const members = Object.values(value);
      this.#count(members.length > 16 ? "wide object" : "object", members.length);
      for (const member of members) this.add(member, depth + 1);
    } else if (typeof value === "string")
      this.#count(value.length > 100 ? "long text" : "text", value.length);
    else if (typeof value === "number") this.#number(value);
    else this.#count(JSON.stringify(value), 0);
  }

  #number(value: number): void {
    const spelling = String(value);
    const digits = /^-?([0-9.]+)/.exec(spelling)?.[1]?.replace(/\D|^[0.]+/g, "").length ?? 0;
    const isExtreme = value !== 0 && (Math.abs(value) >= 1e21 || Math.abs(value) < 1e-6);
    if (isExtreme) this.#count("number with an exponent", digits);
    else if (Number.isInteger(value)) this.#count("integer", digits);
    else this.#count(digits > 12 ? "fraction of more than twelve digits" : "fraction", digits);
  }

  #count(kind: string, size: number): void {
    const known = this.#kinds.get(kind) ?? { count: 0, largest: 0 };
    this.#kinds.set(kind, { count: known.count + 1, largest: Math.max(known.largest, size) });
  }
}
