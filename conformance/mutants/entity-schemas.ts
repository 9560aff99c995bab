import { getEntityPath } from "./entities.js";
import { visitFieldDefinitions } from "./repositories.js";
import { type AnyJson, copyJson } from "./intercept.js";
import { type Mutant, createMutantBuilder } from "./mutant.js";
import {
  type InterceptorFactory,
  createErrorResponse,
  replaceResponse,
  isRefusal,
  changeRequestBody,
} from "./tampers.js";

/** Validates data against changed definitions. */
function changeDefinitions(change: (definition: AnyJson, depth: number) => void): InterceptorFactory {
  return changeRequestBody((given) => {
    const body = copyJson(given);
    visitFieldDefinitions(body.schema, change);
    return body;
  });
}

/** Validates data against definitions without one of their keys. */
const dropDefinitionField = (key: string): InterceptorFactory =>
  changeDefinitions((definition) => {
    Reflect.deleteProperty(definition, key);
  });

/** Rejects values based on the definition of their field in the schema of the repository. */
function rejectValues(isRefused: (value: AnyJson, definition: AnyJson) => boolean): InterceptorFactory {
  return () => {
    const schemas = new Map<string, AnyJson>();
    return async (wire) => {
      if (wire.operationId === "createRepository") {
        const response = await wire.send();
        if (response.status === 201) schemas.set(response.body.repositoryId, wire.body.schema ?? {});
        return response;
      }
      const data = wire.body?.data ?? {};
      const refused = Object.entries(schemas.get(wire.path.repositoryId ?? "") ?? {}).some(
        ([name, definition]) => Object.hasOwn(data, name) && isRefused(data[name], definition),
      );
      return refused ? createErrorResponse(400) : wire.send();
    };
  };
}

/** If data is refused, tries other data instead, and answers as if the given data had been stored. */
function retryWithChangedValues(change: (value: AnyJson) => AnyJson): InterceptorFactory {
  return replaceResponse(isRefusal, async (wire, response) => {
    const data = wire.body?.data;
    if (typeof data !== "object" || data === null) return response;
    const mended = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, change(value)]));
    const second = await wire.send({ body: { data: mended } });
    return second.status === 201 ? second : response;
  });
}

const repository = ["createRepository"] as const;
const create = ["createEntity"] as const;
const update = ["updateEntity"] as const;

const mutant = createMutantBuilder({
  changeDefinitions,
  dropDefinitionField,
  rejectValues,
  retryWithChangedValues,
});

/** Faults in the validation of entities against the schema of their repository. */
export const entitySchemaMutants: readonly Mutant[] = [
  mutant("entities/digits-pass-as-number", "REPO-10", create).retryWithChangedValues((value) =>
    typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value,
  ),
  mutant("entities/required-ignored", "REPO-11", repository).dropDefinitionField("required"),
  mutant("entities/all-required", "REPO-12", repository).changeDefinitions((definition, depth) => {
    if (definition.default === undefined && depth === 1) definition.required = true;
  }),
  mutant("entities/false-and-zero-defaults-lost", "REPO-13", repository).changeDefinitions((definition) => {
    if (definition.default === false || definition.default === 0) delete definition.default;
  }),
  mutant("entities/defaults-of-elements-lost", "REPO-13", create).replaceField("data.outer", (value, wire) =>
    Array.isArray(value) ? wire.body.data.outer : value,
  ),
  mutant("entities/max-length-plus-one", "REPO-14", repository).changeDefinitions((definition) => {
    if (definition.maxLength !== undefined) definition.maxLength++;
  }),
  mutant("entities/min-length-exclusive", "REPO-14", [...repository, ...create]).rejectValues(
    (value, { minLength }) =>
      typeof value === "string" && minLength > 0 && Array.from(value).length <= minLength,
  ),
  mutant("entities/patterns-without-end", "REPO-15", repository).changeDefinitions((definition) => {
    if (definition.pattern !== undefined) definition.pattern = definition.pattern.replace(/\$$/, "");
  }),
  mutant("entities/min-exclusive", "REPO-16", [...repository, ...create]).rejectValues(
    (value, { min }) => value === min,
  ),
  mutant("entities/only-first-element-checked", "REPO-17", create).retryWithChangedValues((value) =>
    Array.isArray(value) ? value.slice(0, 1) : value,
  ),
  mutant("entities/max-items-plus-one", "REPO-18", repository).changeDefinitions((definition) => {
    if (definition.maxItems !== undefined) definition.maxItems++;
  }),
  mutant("entities/properties-ignored", "REPO-19", repository).dropDefinitionField("properties"),
  mutant("entities/empty-text-refused", "REPO-20", [...repository, ...create]).rejectValues(
    (value, definition) =>
      value === "" && definition.minLength === undefined && definition.maxLength === undefined,
  ),
  mutant("entities/refused-update-touches", "REPO-22", update).runAfterResponse(isRefusal, async (wire) => {
    const before = await wire.ask("GET", getEntityPath(wire));
    if (before.status === 200) await wire.ask("PUT", getEntityPath(wire), { data: before.body.data });
  }),
  mutant("entities/update-unchecked", "REPO-31", update).replaceResponse(
    isRefusal,
    async (wire, response) => {
      if (typeof wire.body?.data !== "object" || wire.body.data === null) return response;
      const before = await wire.ask("GET", getEntityPath(wire));
      return before.status === 200 ? { ...before, body: { ...before.body, data: wire.body.data } } : response;
    },
  ),
];
