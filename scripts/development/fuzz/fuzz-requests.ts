import type fc from "fast-check";
import type { OpenAPIObject, SchemaObject } from "openapi3-ts/oas31";
import { stringifyJson } from "../../../conformance/client/json-text.js";
import { buildEntityCases, buildField, fieldPlans } from "../../../conformance/generators/field-plans.js";
import { anyData } from "../../../conformance/generators/item-data.js";
import { keyText } from "../../../conformance/generators/item-keys.js";
import { fillPath } from "../../../openapi/text/path-template.js";
import { type DemoRequest, isDisruptive } from "../growth/example-requests.js";
import { getTextsOfSize } from "../growth/request-scaling-cases.js";
import { listCallsOfStates } from "../growth/state-scaling-cases.js";
import { type Draw, drawSize, drawValueOfSize, drawOneIn, insertOddText, pick, text } from "./draw.js";
import { type FuzzRequest, encodeText } from "./fuzz-request.js";
import type { KnownValues } from "./known-values.js";

/** The namespace to which most requests are sent. */
export const fuzzedNamespace = "fuzz";

/** What requests are drawn from. */
export interface RequestSource {
  /** The usual request to each operation. */
  readonly demoRequests: readonly DemoRequest[];
  readonly known: KnownValues;
  /** An access token of the owner of the demo data. */
  readonly token: string;
  /** The bytes of a state file. */
  readonly stateFile: string;
}

/** Fields whose schema says less about them than the generators of the suite. */
const generators: Readonly<Record<string, () => fc.Arbitrary<unknown>>> = {
  data: () => anyData,
  schema: () => fieldPlans.map((plans) => buildEntityCases(plans.map(buildField)).schema),
  pk: () => keyText,
  sk: () => keyText,
};

/** Draws a request that is mostly valid: to an operation, or one of those that build and query large states. */
export function drawRequest(draw: Draw, source: RequestSource): FuzzRequest {
  return drawOneIn(draw, 4) ? drawStateRequest(draw, source) : drawOperationRequest(draw, source);
}

function drawStateRequest(draw: Draw, source: RequestSource): FuzzRequest {
  const [method, path, body] = pick(draw, pick(draw, listCallsOfStates)(25 + drawSize(draw, 20_000)));
  return createRequest(draw, source, { isRare: false, method, target: path, body });
}

/** Draws a kind of operation; the kinds whose requests vary most are the most frequent. */
function chooseKind(draw: Draw): (request: DemoRequest) => boolean {
  if (drawOneIn(draw, 4))
    return ({ operationId }) => /^(?:login|putItem|createEntity|runSqlQuery)$/.test(operationId);
  const [plane, hasBody] = [drawOneIn(draw, 4) ? "control" : "service", !drawOneIn(draw, 3)];
  return (request) => request.plane === plane && (request.body !== undefined) === hasBody;
}

function drawOperationRequest(draw: Draw, source: RequestSource): FuzzRequest {
  const { operationId, method, path, parameters, queryParameters, body, operation, document } = pick(
    draw,
    source.demoRequests.filter(chooseKind(draw)),
  );
  const values = new SchemaValues(draw, source.known, document);
  const given = Object.entries(parameters).map(([name, example]) => [
    name,
    drawOneIn(draw, 3) ? values.drawText(name, example) : example,
  ]);
  const query = queryParameters
    .filter(() => drawOneIn(draw, 2))
    .map(({ name, schema = {} }): [string, string] => [name, String(values.draw(schema, name))]);
  const target = [
    fillPath(path, Object.fromEntries(given) as Record<string, string>, (segment) =>
      // lone surrogates cannot be encoded
      encodeURIComponent(Buffer.from(segment).toString()),
    ),
    String(new URLSearchParams(query)),
  ];
  const { content = {} } = (operation.requestBody ?? {}) as { content?: Record<string, { schema: Schema }> };
  const [[mediaType, { schema }] = ["", { schema: {} }]] = Object.entries(content);
  return createRequest(draw, source, {
    isRare: isDisruptive(operationId),
    method,
    target: target.filter((part) => part !== "").join("?"),
    body:
      mediaType !== "application/json"
        ? undefined
        : drawOneIn(draw, 2)
          ? values.vary(body)
          : values.draw(schema),
    ...(mediaType === "" ? {} : { mediaType }),
  });
}

interface Call {
  /** Whether most of these requests are sent to another namespace, because later requests need what they delete. */
  readonly isRare: boolean;
  readonly method: string;
  readonly target: string;
  readonly body: unknown;
  readonly mediaType?: string;
}

/** Adds the namespace and the credential to a request. */
function createRequest(
  draw: Draw,
  { known, token, stateFile }: RequestSource,
  { isRare, method, target, body, mediaType = "application/json" }: Call,
): FuzzRequest {
  const isFuzzed = drawOneIn(draw, 15) === isRare;
  const credentials = ["accessToken", "key"].flatMap((name) => known.list(name)).map(String);
  const credential = drawOneIn(draw, 8)
    ? pick(draw, [...credentials, "", "dsk_demo_database_read"])
    : drawOneIn(draw, 5)
      ? "dsk_demo_all"
      : token;
  const hasBody = body !== undefined || mediaType !== "application/json";
  return {
    method,
    target: (isFuzzed ? `/ns/${fuzzedNamespace}` : pick(draw, ["", "/ns/side-1", "/ns/side-2"])) + target,
    headers: [
      ["Host", "127.0.0.1"],
      ["Authorization", `Bearer ${credential}`],
      ...(hasBody ? [["Content-Type", mediaType] as const] : []),
    ],
    body: body !== undefined ? encodeText(stringifyJson(body)) : hasBody ? stateFile : undefined,
  };
}

type Schema = SchemaObject | { readonly $ref: string };

/** Draws values that mostly match a schema of a document, and that requests and responses have used before. */
class SchemaValues {
  constructor(
    private readonly random: Draw,
    private readonly known: KnownValues,
    private readonly document: OpenAPIObject,
  ) {}

  /** @param name of the field or parameter */
  draw(schema: Schema, name = "", depth = 0): unknown {
    const { random } = this;
    if ("$ref" in schema) {
      const referred = this.document.components?.schemas?.[schema.$ref.split("/").at(-1) ?? ""];
      return this.draw(referred ?? {}, name, depth);
    }
    const known = this.known.list(name);
    const generator = generators[name];
    if (generator !== undefined && drawOneIn(random, 3)) return random(generator);
    if (known.length > 0 && drawOneIn(random, 2)) return pick(random, known);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return this.draw(pick(random, choices), name, depth);
    if (schema.enum !== undefined) return pick(random, schema.enum as unknown[]);
    const { properties = {}, items = {}, required = [], minimum = 0, maximum = 1e9 } = schema;
    switch (Array.isArray(schema.type) ? pick(random, schema.type) : schema.type) {
      case "string":
        return getTextsOfSize(name) === undefined ? random(text) : drawValueOfSize(random, name);
      case "integer":
      case "number":
        return Math.min(maximum, minimum + drawSize(random, 1000));
      case "boolean":
        return drawOneIn(random, 2);
      case "null":
        return null;
      case "array":
        return Array.from({ length: drawSize(random, 30) }, () => this.draw(items, name, depth + 1));
      default:
        if (Object.keys(properties).length === 0)
          return { a: drawValueOfSize(random, "a"), b: drawValueOfSize(random, "b") };
        return Object.fromEntries(
          Object.entries(properties)
            .filter(([field]) => required.includes(field) || (depth < 4 && drawOneIn(random, 2)))
            .map(([field, inside]) => [field, this.draw(inside, field, depth + 1)]),
        );
    }
  }

  /** Draws a text for a field or parameter. */
  drawText(name: string, example: string): string {
    const known = this.known.list(name, example).filter((value) => typeof value === "string");
    if (drawOneIn(this.random, 8) || known.length === 0) return this.random(text);
    const chosen = pick(this.random, known);
    return drawOneIn(this.random, 4) ? insertOddText(this.random, chosen) : chosen;
  }

  /** Replaces some texts in a body. */
  vary(body: unknown, name = ""): unknown {
    if (typeof body === "string") return drawOneIn(this.random, 4) ? this.drawText(name, body) : body;
    if (Array.isArray(body)) return body.map((entry) => this.vary(entry, name));
    if (typeof body !== "object" || body === null) return body;
    return Object.fromEntries(
      Object.entries(body).map(([field, inside]) => [field, this.vary(inside, field)]),
    );
  }
}
