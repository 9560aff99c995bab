import type { ClauseId } from "../../openapi/clauses/register.js";
import { changed, copyOf, type Json, withBody } from "./intercept.js";
import { type Mutant, mutant } from "./mutant.js";
import { refusal } from "./refusal.js";
import { eachDefinition } from "./repositories.js";

/** Changes the definitions of schemas before the deployment sees them, so that it holds data to others. */
function defines(
  id: string,
  clause: ClauseId,
  title: string,
  change: (definition: Json, depth: number) => void,
): Mutant {
  return mutant(`entities/${id}`, clause, title, ["createRepository"], () => async (wire) => {
    if (wire.body?.schema === undefined) return wire.send();
    const body = copyOf(wire.body);
    eachDefinition(body.schema, change);
    return wire.send({ body });
  });
}

/** Refuses data by the schema that their repository was created with. */
function refusesValues(
  id: string,
  clause: ClauseId,
  title: string,
  isRefused: (value: Json, definition: Json) => boolean,
): Mutant {
  return mutant(`entities/${id}`, clause, title, ["createRepository", "createEntity"], () => {
    const schemas = new Map<string, Json>();
    return async (wire) => {
      if (wire.operationId === "createRepository") {
        const answer = await wire.send();
        if (answer.status === 201) schemas.set(answer.body.repositoryId, wire.body.schema ?? {});
        return answer;
      }
      const schema = schemas.get(wire.path.repositoryId ?? "") ?? {};
      const data = wire.body?.data ?? {};
      const refused = Object.keys(schema).some(
        (name) => Object.hasOwn(data, name) && isRefused(data[name], schema[name]),
      );
      return refused ? refusal(400) : wire.send();
    };
  });
}

/** Where data are refused, tries others in their place, and answers as if the given ones were stored. */
function mends(id: string, clause: ClauseId, title: string, mend: (value: Json) => Json): Mutant {
  return mutant(`entities/${id}`, clause, title, ["createEntity"], () => async (wire) => {
    const answer = await wire.send();
    const data = wire.body?.data;
    if (answer.status < 400 || typeof data !== "object" || data === null) return answer;
    const mended = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, mend(value)]));
    const second = await wire.send({ body: { data: mended } });
    return second.status === 201 ? second : answer;
  });
}

/** The definition without a key. */
const without = (key: string) => (definition: Json) => {
  Reflect.deleteProperty(definition, key);
};

export const entitySchemaMutants: readonly Mutant[] = [
  mends("numbers-from-text", "REPO-10", "texts of digits pass as numbers", (value) =>
    typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value,
  ),
  mends("booleans-from-numbers", "REPO-10", "0 passes as false", (value) => (value === 0 ? false : value)),
  mends("arrays-from-objects", "REPO-10", "objects with a length pass as arrays", (value) =>
    typeof value === "object" && value !== null && "length" in value ? ["5"] : value,
  ),
  mends("null-as-text", "REPO-10", "null passes as a text", (value) => (value === null ? "" : value)),
  defines("not-required", "REPO-11", "required fields may be left out", without("required")),
  defines("all-required", "REPO-12", "every field without a default is required", (definition, depth) => {
    if (definition.default === undefined && depth === 1) definition.required = true;
  }),
  defines("falsy-defaults", "REPO-13", "defaults that are false or 0 are lost", (definition) => {
    if (definition.default === false || definition.default === 0) delete definition.default;
  }),
  mutant(
    "entities/defaults-over-values",
    "REPO-13",
    "a default takes the place of a value that is false, 0 or empty",
    ["createRepository", "createEntity"],
    () => {
      const schemas = new Map<string, Json>();
      return async (wire) => {
        const answer = await wire.send();
        if (wire.operationId === "createRepository") {
          if (answer.status === 201) schemas.set(answer.body.repositoryId, wire.body.schema ?? {});
          return answer;
        }
        return changed(answer, (body) => {
          for (const [name, definition] of Object.entries<Json>(
            schemas.get(wire.path.repositoryId ?? "") ?? {},
          ))
            if (definition.default !== undefined && !body.data[name]) body.data[name] = definition.default;
        });
      };
    },
  ),
  defines("longer", "REPO-14", "texts may be one longer than maxLength", (definition) => {
    if (definition.maxLength !== undefined) definition.maxLength++;
  }),
  defines("shorter", "REPO-14", "texts may be one shorter than minLength", (definition) => {
    if (definition.minLength > 0) definition.minLength--;
  }),
  defines("zero-length", "REPO-14", "a maxLength of 0 is no bound", (definition) => {
    if (definition.maxLength === 0) delete definition.maxLength;
  }),
  refusesValues(
    "exclusive-length",
    "REPO-14",
    "a text as long as minLength is refused",
    (value, { minLength }) =>
      typeof value === "string" && minLength > 0 && Array.from(value).length <= minLength,
  ),
  defines("no-patterns", "REPO-15", "patterns are ignored", without("pattern")),
  defines("patterns-any-case", "REPO-15", "patterns do not tell capital letters", (definition) => {
    if (definition.pattern !== undefined) definition.pattern = definition.pattern.replace("a-z", "a-zA-Z");
  }),
  defines("patterns-not-anchored", "REPO-15", "patterns need not match to the end", (definition) => {
    if (definition.pattern !== undefined) definition.pattern = definition.pattern.replace(/\$$/, "");
  }),
  defines("zero-bounds", "REPO-16", "a min or max of 0 is no bound", (definition) => {
    for (const key of ["min", "max"]) if (definition[key] === 0) Reflect.deleteProperty(definition, key);
  }),
  defines("rounded-bounds", "REPO-16", "bounds hold for whole numbers alone", (definition) => {
    if (definition.max !== undefined) definition.max = Number(definition.max) + 0.5;
  }),
  refusesValues(
    "exclusive-min",
    "REPO-16",
    "a number equal to min is refused",
    (value, { min }) => value === min,
  ),
  defines("elements-free", "REPO-17", "`items` is ignored", without("items")),
  mutant(
    "entities/first-element",
    "REPO-17",
    "only the first element of an array is looked at",
    ["createEntity"],
    () => async (wire) => {
      const answer = await wire.send();
      const data = wire.body?.data;
      if (answer.status < 400 || typeof data !== "object" || data === null) return answer;
      const mended = Object.fromEntries(
        Object.entries(data).map(([name, value]) => [name, Array.isArray(value) ? value.slice(0, 1) : value]),
      );
      const second = await wire.send({ body: { data: mended } });
      return second.status === 201 ? second : answer;
    },
  ),
  defines("more-elements", "REPO-18", "arrays may have one element more than maxItems", (definition) => {
    if (definition.maxItems !== undefined) definition.maxItems++;
  }),
  defines("zero-elements", "REPO-18", "a maxItems of 0 is no bound", (definition) => {
    if (definition.maxItems === 0) delete definition.maxItems;
  }),
  refusesValues(
    "exclusive-elements",
    "REPO-18",
    "an array of maxItems elements is refused",
    (value, { maxItems }) => Array.isArray(value) && maxItems !== undefined && value.length >= maxItems,
  ),
  defines("members-free", "REPO-19", "`properties` is ignored", without("properties")),
  defines(
    "members-at-one-depth",
    "REPO-19",
    "`properties` within `properties` is ignored",
    (definition, depth) => {
      if (depth > 1) delete definition.properties;
    },
  ),
  defines("members-not-required", "REPO-19", "members of objects need not be there", (definition, depth) => {
    if (depth > 1) delete definition.required;
  }),
  refusesValues(
    "empty-text",
    "REPO-20",
    "an empty text is refused where nothing bounds it",
    (value, definition) =>
      value === "" && definition.minLength === undefined && definition.maxLength === undefined,
  ),
  refusesValues(
    "empty-object",
    "REPO-20",
    "an empty object is refused",
    (value, { type }) => type === "object" && Object.keys(value ?? {}).length === 0,
  ),
  mutant(
    "entities/refused-but-stored",
    "REPO-22",
    "a refused entity is stored after all",
    ["createEntity"],
    () => {
      const good = new Map<string, Json>();
      return async (wire) => {
        const { repositoryId = "" } = wire.path;
        const answer = await wire.send();
        if (answer.status === 201) good.set(repositoryId, wire.body.data);
        else if (good.has(repositoryId)) await wire.send({ body: { data: good.get(repositoryId) } });
        return answer;
      };
    },
  ),
  mutant(
    "entities/refused-but-touched",
    "REPO-22",
    "a refused update moves updatedAt",
    ["updateEntity"],
    () => async (wire) => {
      const target = `/api/v1/repositories/${wire.path.repositoryId}/${wire.path.entityId}`;
      const answer = await wire.send();
      if (answer.status < 400) return answer;
      const before = await wire.ask("GET", target);
      if (before.status === 200) await wire.ask("PUT", target, { data: before.body.data });
      return answer;
    },
  ),
  mutant(
    "entities/update-unchecked",
    "REPO-31",
    "updates are not held to the schema",
    ["updateEntity"],
    () => async (wire) => {
      const answer = await wire.send();
      if (answer.status < 400 || typeof wire.body?.data !== "object" || wire.body.data === null)
        return answer;
      const before = await wire.ask(
        "GET",
        `/api/v1/repositories/${wire.path.repositoryId}/${wire.path.entityId}`,
      );
      return before.status === 200 ? withBody(before, { ...before.body, data: wire.body.data }) : answer;
    },
  ),
];
