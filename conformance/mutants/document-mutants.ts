import type { OperationObject, ResponseObject, SchemaObject } from "openapi3-ts/oas31";
import { operationIds, type OperationId } from "../../openapi/operations/register.js";
import { locateOperations } from "../../openapi/validation/locate-operations.js";
import type { Violation } from "../../openapi/validation/violation.js";
import type { Area } from "../check/check.js";
import { hashText } from "../../openapi/text/hash-text.js";
import { findBrokenClause } from "../client/find-broken-clause.js";
import { getOpenContract } from "../client/contracts.js";
import { type Mutant, mutant } from "./mutant.js";
import type { Interceptor } from "./intercept.js";
import { dropFields, replaceField } from "./tampers.js";

/** Returns the area whose checks call an operation. */
function getOperationArea({ operationId = "", tags: [tag = ""] = [] }: OperationObject): Area {
  const [family] = /^(?:batch|transact)/.exec(operationId) ?? [];
  const areas = { batch: "batches", transact: "transactions" } as const;
  return family === undefined ? (tag.toLowerCase() as Area) : areas[family as keyof typeof areas];
}

/** A way to break a field of a response, with the schema keyword that is violated. */
interface Fault {
  readonly name: string;
  readonly keyword: string;
  readonly tamper: (path: string) => Interceptor;
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

/** Lists the faults of the fields of a response, by path. */
function listFieldFaults(operationId: OperationId, schema: SchemaObject): ReadonlyMap<string, Fault> {
  const found = new Map<string, Fault>();
  visitFields(schema, (path, field, isRequired) => {
    const faults = listFaults(field, isRequired);
    // One fault per field is enough: the same validation finds the others.
    const fault = faults[Math.abs(hashText(`${operationId} ${path}`)) % Math.max(1, faults.length)];
    // Several branches of a schema may declare the same field.
    if (fault !== undefined && !path.startsWith(neverShown) && !found.has(path)) found.set(path, fault);
  });
  return found;
}

/**
 * Faults derived from the document alone: a different status for each success with a fixed status, and a schema violation
 * for each field of each successful response.
 */
export const documentMutants: readonly Mutant[] = locateOperations(document).flatMap(({ operation }) => {
  // The document also contains alternative routes, under other operation ids.
  const operationId = operationIds.find((known) => known === operation.operationId);
  if (operationId === undefined) return [];
  const responses = operation.responses as Record<string, ResponseObject>;
  const status = Number(Object.keys(responses).find((name) => /^2\d\d$/.test(name)));
  const schema = responses[status]?.content?.["application/json"]?.schema;
  /** The clause is that which the suite reports for a response that violates the document. */
  const start = (answered: number, name: string, violation: Omit<Violation, "detail">) => {
    const clause = findBrokenClause(operationId, answered, { ...violation, detail: name });
    return mutant(`${getOperationArea(operation)}/${operationId}-${name}`, clause, operationId);
  };
  const other = status === 200 ? 201 : 200;
  const statusMutant = start(other, `answers-${other}`, { in: "status", pointer: "" }).replaceResponse(
    status,
    (_, { headers, body = {} }) => ({ status: other, headers, body }),
  );
  const faults = schema === undefined ? [] : [...listFieldFaults(operationId, resolve(schema))];
  return [
    ...("2XX" in responses ? [] : [statusMutant]),
    ...faults.map(([path, { name, keyword, tamper }]) => {
      const pointer = `/${path.replaceAll("*", "0").replaceAll(".", "/")}`;
      const id = `${path.replaceAll(/[.*]+/g, "-")}-${name}`;
      return start(status, id, { in: "body", pointer, keyword }).by(tamper(path));
    }),
  ];
});
