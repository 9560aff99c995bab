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
function defining(change: (definition: AnyJson, depth: number) => void): InterceptorFactory {
  return changeRequestBody((given) => {
    const body = copyJson(given);
    visitFieldDefinitions(body.schema, change);
    return body;
  });
}

/** Validates data against definitions without one of their keys. */
const definingWithout = (key: string): InterceptorFactory =>
  defining((definition) => {
    Reflect.deleteProperty(definition, key);
  });

/** Rejects values based on the definition of their field in the schema of the repository. */
function refusingValues(isRefused: (value: AnyJson, definition: AnyJson) => boolean): InterceptorFactory {
  return () => {
    const schemas = new Map<string, AnyJson>();
    return async (wire) => {
      if (wire.operationId === "createRepository") {
        const answer = await wire.send();
        if (answer.status === 201) schemas.set(answer.body.repositoryId, wire.body.schema ?? {});
        return answer;
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
function mending(mend: (value: AnyJson) => AnyJson): InterceptorFactory {
  return replaceResponse(isRefusal, async (wire, answer) => {
    const data = wire.body?.data;
    if (typeof data !== "object" || data === null) return answer;
    const mended = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, mend(value)]));
    const second = await wire.send({ body: { data: mended } });
    return second.status === 201 ? second : answer;
  });
}

const repository = ["createRepository"] as const;
const create = ["createEntity"] as const;
const update = ["updateEntity"] as const;

const mutant = createMutantBuilder({ defining, definingWithout, refusingValues, mending });

/** Faults in the validation of entities against the schema of their repository. */
export const entitySchemaMutants: readonly Mutant[] = [
  mutant("entities/digits-pass-as-number", "REPO-10", create).mending((value) =>
    typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value,
  ),
  mutant("entities/required-ignored", "REPO-11", repository).definingWithout("required"),
  mutant("entities/all-required", "REPO-12", repository).defining((definition, depth) => {
    if (definition.default === undefined && depth === 1) definition.required = true;
  }),
  mutant("entities/false-and-zero-defaults-lost", "REPO-13", repository).defining((definition) => {
    if (definition.default === false || definition.default === 0) delete definition.default;
  }),
  mutant("entities/defaults-of-elements-lost", "REPO-13", create).replaceField("data.outer", (value, wire) =>
    Array.isArray(value) ? wire.body.data.outer : value,
  ),
  mutant("entities/max-length-plus-one", "REPO-14", repository).defining((definition) => {
    if (definition.maxLength !== undefined) definition.maxLength++;
  }),
  mutant("entities/min-length-exclusive", "REPO-14", [...repository, ...create]).refusingValues(
    (value, { minLength }) =>
      typeof value === "string" && minLength > 0 && Array.from(value).length <= minLength,
  ),
  mutant("entities/patterns-without-end", "REPO-15", repository).defining((definition) => {
    if (definition.pattern !== undefined) definition.pattern = definition.pattern.replace(/\$$/, "");
  }),
  mutant("entities/min-exclusive", "REPO-16", [...repository, ...create]).refusingValues(
    (value, { min }) => value === min,
  ),
  mutant("entities/only-first-element-checked", "REPO-17", create).mending((value) =>
    Array.isArray(value) ? value.slice(0, 1) : value,
  ),
  mutant("entities/max-items-plus-one", "REPO-18", repository).defining((definition) => {
    if (definition.maxItems !== undefined) definition.maxItems++;
  }),
  mutant("entities/properties-ignored", "REPO-19", repository).definingWithout("properties"),
  mutant("entities/empty-text-refused", "REPO-20", [...repository, ...create]).refusingValues(
    (value, definition) =>
      value === "" && definition.minLength === undefined && definition.maxLength === undefined,
  ),
  mutant("entities/refused-update-touches", "REPO-22", update).runAfterResponse(isRefusal, async (wire) => {
    const before = await wire.ask("GET", getEntityPath(wire));
    if (before.status === 200) await wire.ask("PUT", getEntityPath(wire), { data: before.body.data });
  }),
  mutant("entities/update-unchecked", "REPO-31", update).replaceResponse(isRefusal, async (wire, answer) => {
    if (typeof wire.body?.data !== "object" || wire.body.data === null) return answer;
    const before = await wire.ask("GET", getEntityPath(wire));
    return before.status === 200 ? { ...before, body: { ...before.body, data: wire.body.data } } : answer;
  }),
];
