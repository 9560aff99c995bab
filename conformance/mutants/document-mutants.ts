import type { ResponseObject, SchemaObject } from "openapi3-ts/oas31";
import { operationIds, type OperationId } from "../../openapi/operations/register.js";
import { locateOperations } from "../../openapi/validation/locate-operations.js";
import type { Violation } from "../../openapi/validation/violation.js";
import type { Area } from "../check/check.js";
import { hashText } from "../../openapi/text/hash-text.js";
import { findBrokenClause } from "../client/answer-clauses.js";
import { getOpenContract } from "../client/contracts.js";
import { type Mutant, mutant } from "./mutant.js";
import { type InterceptorFactory, dropFields, replaceField } from "./tampers.js";

/** The areas whose checks call operations, by pattern of the operation id; the first match counts. */
const areas: readonly (readonly [operations: RegExp, area: Area])[] = [
  [/Health|Readiness|Liveness/, "health"],
  [/login|refreshSession|switchOrganization/, "session"],
  [/Plan/, "plans"],
  [/Database/, "databases"],
  [/batch/, "batches"],
  [/transact/, "transactions"],
  [/Repositor/, "repositories"],
  [/Entit/, "entities"],
  [/Sql/, "sql"],
  [/Member/, "members"],
  [/Organization/, "organizations"],
  [/Item/, "items"],
  [/Payment|Checkout|Usage/, "billing"],
];

/** A way to break a field of a response, with the schema keyword that is violated. */
interface Fault {
  readonly name: string;
  readonly keyword: string;
  readonly tamper: (path: string) => InterceptorFactory;
}

/** Fields that never occur, because the emulator processes all keys of a batch get. */
const neverShown = "unprocessedKeys.";

const { document } = getOpenContract();

function resolve(schema: SchemaObject | { readonly $ref: string }): SchemaObject {
  if (!("$ref" in schema)) return schema;
  const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
  return resolve(document.components?.schemas?.[name] ?? {});
}

/** Calls a function for each field of a value, with its path: `members.*.name`. */
function visitFields(
  schema: SchemaObject,
  visit: (path: string, field: SchemaObject, isRequired: boolean) => void,
  prefix = "",
): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const field = resolve(property);
    visit(prefix + name, field, schema.required?.includes(name) === true);
    visitFields(field, visit, `${prefix}${name}.`);
  }
  for (const branch of schema.anyOf ?? []) visitFields(resolve(branch), visit, prefix);
  if (schema.items !== undefined) visitFields(resolve(schema.items), visit, `${prefix}*.`);
}

/** Lists the ways in which a field can violate its schema. */
function listFaults(schema: SchemaObject, isRequired: boolean): readonly Fault[] {
  const types = [schema.type ?? []].flat();
  const faults: Fault[] = [];
  const replaced = (name: string, keyword: string, value: unknown) =>
    faults.push({ name, keyword, tamper: (path) => replaceField(path, () => value) });
  if (isRequired) faults.push({ name: "missing", keyword: "required", tamper: dropFields });
  if (types.length > 0 && !types.includes("object")) replaced("of-another-type", "type", {});
  if (types.includes("object")) replaced("of-another-type", "type", "text");
  if (types.length > 0 && !types.includes("null")) replaced("null", "type", null);
  if (schema.enum !== undefined) replaced("unknown", "enum", "unheard-of");
  if (schema.format === "date-time") replaced("no-timestamp", "format", "New Year 2030");
  if (schema.minimum !== undefined) replaced("below-minimum", "minimum", schema.minimum - 1);
  if (types.includes("integer")) replaced("with-fraction", "type", 0.25);
  return faults;
}

/** Declares a mutant of an operation, with the clause that the suite reports for a response that violates the document. */
function startMutant(
  operationId: OperationId,
  status: number,
  name: string,
  violation: Omit<Violation, "detail">,
) {
  const [, area] = areas.find(([pattern]) => pattern.test(operationId)) ?? [];
  if (area === undefined) throw new Error(`${operationId} has no area`);
  const clause = findBrokenClause(operationId, status, { ...violation, detail: name });
  return mutant(`${area}/${operationId}-${name}`, clause, [operationId]);
}

function createStatusMutant(operationId: OperationId, status: number): Mutant {
  const other = status === 200 ? 201 : 200;
  const started = startMutant(operationId, other, `answers-${other}`, { in: "status", pointer: "" });
  return started.replaceResponse(status, (_, { headers, body = {} }) => ({ status: other, headers, body }));
}

function createFieldMutants(
  operationId: OperationId,
  status: number,
  schema: SchemaObject,
): readonly Mutant[] {
  const found = new Map<string, Mutant>();
  visitFields(schema, (path, field, isRequired) => {
    const faults = listFaults(field, isRequired);
    // One fault per field is enough: the same validation finds the others.
    const fault = faults[Math.abs(hashText(`${operationId} ${path}`)) % Math.max(1, faults.length)];
    if (fault === undefined || path.startsWith(neverShown)) return;
    const { name, keyword, tamper } = fault;
    const pointer = `/${path.replaceAll("*", "0").replaceAll(".", "/")}`;
    const started = startMutant(operationId, status, `${path.replaceAll(/[.*]+/g, "-")}-${name}`, {
      in: "body",
      pointer,
      keyword,
    });
    // Several branches of a schema may declare the same field.
    if (!found.has(path)) found.set(path, started.by(tamper(path)));
  });
  return [...found.values()];
}

/**
 * Faults derived from the document alone: a different status for each success with a fixed status, and a schema violation
 * for each field of each successful response.
 */
export const documentMutants: readonly Mutant[] = locateOperations(document).flatMap((located) => {
  // The document also contains alternative routes, under other operation ids.
  const operationId = operationIds.find((known) => known === located.operationId);
  if (operationId === undefined) return [];
  const responses = located.operation.responses as Record<string, ResponseObject>;
  const status = Number(Object.keys(responses).find((name) => /^2\d\d$/.test(name)));
  const schema = responses[status]?.content?.["application/json"]?.schema;
  return [
    ...("2XX" in responses ? [] : [createStatusMutant(operationId, status)]),
    ...(schema === undefined ? [] : createFieldMutants(operationId, status, resolve(schema))),
  ];
});
