import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { getClauseRange } from "../../openapi/clauses/register.js";
import type { CheckContext } from "../check/context.js";
import type { ApiResponse } from "../client/client.js";
import { isClientError } from "../client/is-client-error.js";
import { isSuccess } from "../client/is-success.js";
import { JsonText } from "../client/json-text.js";
import { isWidelySupportedJson } from "../generators/is-widely-supported-json.js";
import {
  boundedTextPlan,
  type EntityCase,
  buildEntityCases,
  declareContents,
  defaultNumberPlan,
  examplePlans,
  type Field,
  buildField,
  fieldPlan,
  fieldPlans,
  isOrdinarySchema,
  requiredTextPlan,
  type FieldWrapper,
  wrapField,
} from "../generators/field-plans.js";
import { type RepositorySchema, applyDefaults, removeNullsForOmitted } from "../models/repository-schema.js";
import type { KnownEntity } from "../models/entities.js";
import { defineRepositoryChecks, EntityClient } from "../steps/entity-client.js";
import { parseInstant } from "../steps/parse-instant.js";

type Data = Record<string, unknown>;

/** Generates indexes of cases of a schema, modulo the number of cases. */
const picks = fc.array(fc.nat(60), { minLength: 1, maxLength: 25, size: "max" });

/** Selects every case of a small schema. */
const allPicks = Array.from({ length: 30 }, (_, index) => index);

function selectCases(cases: readonly EntityCase[], given: readonly number[]): readonly EntityCase[] {
  const indexes = new Set(given.map((pick) => pick % cases.length));
  return cases.filter((_, index) => indexes.has(index));
}

/** Asserts that data is returned unchanged, with its defaults. Omitted fields without a default may be null. */
function assertData(context: CheckContext, schema: RepositorySchema, returned: Data, data: Data): void {
  const expected = applyDefaults(schema, data);
  const actual = removeNullsForOmitted(schema, returned, expected);
  for (const [name, value] of Object.entries(expected)) {
    const hasDefault = !isDeepStrictEqual(value, data[name]) || schema[name]?.default !== undefined;
    context.assertEqual(hasDefault ? "REPO-13" : "REPO-23", actual[name], value, `data.${name}`);
  }
  const added = Object.keys(actual).filter((name) => !Object.hasOwn(expected, name));
  context.assert("REPO-23", added.length === 0, `data ${JSON.stringify(expected)}`, actual);
}

/** Creates a repository with a schema; returns undefined if an unusual schema is refused, which is allowed. */
async function createRepository(
  context: CheckContext,
  databaseId: string,
  given: RepositorySchema,
): Promise<EntityClient | undefined> {
  for (const schema of [given, declareContents(given)]) {
    if (isOrdinarySchema(schema)) return EntityClient.withNewRepository(context, databaseId, { schema });
    const { answer, repositoryId } = await context.resources.tryToCreateRepository(databaseId, { schema });
    if (repositoryId !== undefined) return new EntityClient(context, repositoryId);
    context.assertRefused("REPO-20", answer, "the schema is unusual");
  }
  return undefined;
}

/** Whether data was refused that not every store can store. */
function mayRefuse(response: ApiResponse, data: Data): boolean {
  return isClientError(response) && !isWidelySupportedJson(new JsonText(JSON.stringify(data)));
}

/** Creates a repository with fields, tries some cases, and asserts that refused requests created nothing. */
async function tryCases(
  context: CheckContext,
  databaseId: string,
  fields: readonly Field[],
  given: readonly number[],
): Promise<void> {
  const { schema, cases } = buildEntityCases(fields);
  const entities = await createRepository(context, databaseId, schema);
  if (entities === undefined) return;
  const accepted: string[] = [];
  for (const entityCase of selectCases(cases, given)) {
    const { clause, data, refused, omitted, isIncomplete } = entityCase;
    const response = await entities.create(data, { intent: refused === undefined ? "valid" : "invalid" });
    if (refused === undefined) {
      if (mayRefuse(response, data)) continue;
      context.assertStatus(clause, response, 201);
      const id = response.body.id as string;
      accepted.push(id);
      assertData(context, schema, response.body.data, data);
      if (omitted !== undefined) assertData(context, schema, { ...(await entities.read(id)).data }, data);
      continue;
    }
    context.assertRefused(clause, response, refused);
    if (accepted[0] === undefined || isIncomplete) continue;
    context.assertRefused(
      "REPO-31",
      await entities.update(accepted[0], data, { intent: "invalid" }),
      refused,
    );
  }
  await entities.assertIds("REPO-22", accepted, "the entities that were accepted");
  await context.resources.remove("repository", entities.repositoryId);
}

/** Plans to nest in arrays and objects. */
const nestedExamples = examplePlans.filter((_, index) => [0, 5, 8, 12, 13, 16].includes(index));

/** Checks of parts 2 and 4.3: validation of entities against the schema of their repository. */
export const entitySchemaChecks = defineRepositoryChecks(
  {
    id: "entities/schema",
    title: "Data that matches the schema is accepted; data with a single schema violation is rejected",
    clauses: [...getClauseRange("REPO-10", "REPO-16"), "REPO-18", "REPO-20", "REPO-22", "REPO-23", "REPO-31"],
    run: (databaseId, context) =>
      context.property(
        { plans: fieldPlans, given: picks },
        ({ plans, given }) => tryCases(context, databaseId, plans.map(buildField), given),
        { examples: examplePlans.map((plan) => ({ plans: [plan], given: allPicks })) },
      ),
  },
  {
    id: "entities/nested-schema",
    title: "Elements of arrays and fields of objects are validated at every depth",
    clauses: ["REPO-13", "REPO-17", "REPO-19", "REPO-22", "REPO-31"],
    after: ["entities/schema"],
    run: (databaseId, context) =>
      context.property(
        {
          plan: fieldPlan,
          wrappers: fc.array(fc.constantFrom<FieldWrapper>("items", "properties"), {
            minLength: 1,
            maxLength: 3,
          }),
          position: fc.nat(2),
          given: picks,
        },
        ({ plan, wrappers, position, given }) => {
          // The name differs from the names of the surrounding fields.
          const field = buildField({ ...plan, name: `in${plan.name}` });
          return tryCases(context, databaseId, [wrapField(field, wrappers, position)], given);
        },
        {
          examples: [
            ...nestedExamples.flatMap((plan, index) =>
              (["items", "properties"] as const).map((wrapper) => ({
                ...{ plan, wrappers: [wrapper], given: allPicks },
                position: wrapper === "items" ? index % 3 : 0,
              })),
            ),
            { plan: boundedTextPlan, wrappers: ["items", "items"], position: 1, given: allPicks },
            { plan: boundedTextPlan, wrappers: ["properties", "items"], position: 2, given: allPicks },
            { plan: requiredTextPlan, wrappers: ["items", "properties"], position: 1, given: allPicks },
            { plan: defaultNumberPlan, wrappers: ["items", "properties"], position: 2, given: allPicks },
            {
              plan: requiredTextPlan,
              wrappers: ["properties", "properties", "properties"],
              position: 0,
              given: allPicks,
            },
          ],
        },
      ),
  },
  {
    id: "entities/pattern-alternatives",
    title: "All alternatives of a pattern must match the same part of a string",
    clauses: ["REPO-15", "REPO-20"],
    after: ["entities/schema"],
    run: async (databaseId, context) => {
      const schema = { color: { type: "string", pattern: "red|green" } } as const;
      const entities = await EntityClient.withNewRepository(context, databaseId, { schema });
      for (const color of ["red", "green"])
        context.assertStatus("REPO-20", await entities.create({ color }), 201);
      const blue = await entities.create({ color: "blue" }, { intent: "invalid" });
      context.assertRefused("REPO-15", blue, "the string matches no alternative");
      const accepted: string[] = [];
      for (const color of ["redx", "xgreen", "xredx"])
        if (isSuccess(await entities.create({ color }, { intent: "may-be-refused" }))) accepted.push(color);
      // The pattern may have to match any part, the whole or the beginning of a string (gap `pattern-match`).
      const isPossible = ["redx,xgreen,xredx", "", "redx"].includes(accepted.join());
      context.assert("REPO-15", isPossible, "red and green required in the same part of a string", {
        accepted,
      });
    },
  },
  {
    id: "entities/schema-on-update",
    title: "An update that violates the schema changes nothing",
    clauses: ["REPO-22", "REPO-30", "REPO-31"],
    after: ["entities/schema"],
    run: async (databaseId, context) => {
      await context.property(
        { plans: fieldPlans, given: picks },
        async ({ plans, given }) => {
          const fields = plans.map(buildField);
          const { schema, valid, cases } = buildEntityCases(fields);
          const entities = await createRepository(context, databaseId, schema);
          if (entities === undefined) return;
          const created = context.assertStatus("REPO-20", await entities.create(valid, { setUp: true }), 201);
          const id = created.body.id as string;
          let before = (await entities.get(id, { setUp: true })).body as KnownEntity;
          for (const { data, refused, omitted, isIncomplete: isPartial } of selectCases(cases, given)) {
            if (omitted !== undefined) continue;
            const intent = refused === undefined ? "valid" : "invalid";
            const response = await entities.update(id, data, { intent });
            if (mayRefuse(response, data)) continue;
            // An update may keep omitted fields.
            const isValid = refused === undefined || (isPartial && response.status === 200);
            if (isValid) context.assertStatus("REPO-30", response, 200);
            else context.assertRefused("REPO-31", response, refused);
            const after = (await entities.get(id)).body as KnownEntity;
            if (!isValid) assertUnchanged(context, after, before);
            else if (!isPartial) context.assertEqual("REPO-30", after.data, data, "data");
            else
              context.assertEqual("REPO-31", after.data, { ...before.data, ...data }, "all required fields");
            before = after;
          }
          await context.resources.remove("repository", entities.repositoryId);
        },
        {
          share: 0.5,
          examples: examplePlans
            .filter((_, index) => index % 3 === 2)
            .map((plan) => ({ plans: [plan], given: allPicks })),
        },
      );
    },
  },
);

function assertUnchanged(context: CheckContext, after: KnownEntity, before: KnownEntity): void {
  context.assertFields("REPO-22", after, before, "the entity after the refusal", ["data", "version"]);
  for (const member of ["createdAt", "updatedAt"] as const)
    context.assertEqual("REPO-22", parseInstant(after[member]), parseInstant(before[member]), member);
}
