/** Writes the pages of the reference, which are generated from the commands, the OpenAPI documents and the registers. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import {
  isReferenceObject,
  type OpenAPIObject,
  type ParameterObject,
  type ReferenceObject,
  type ResponseObject,
  type SchemaObject,
} from "openapi3-ts/oas31";
import { clauseIds, clauses } from "../../openapi/clauses/register.js";
import { specificationParts, partTitles } from "../../openapi/clauses/part-titles.js";
import { type ListedOperation, listOperations } from "../../openapi/document/list-operations.js";
import { listAnswerForms } from "../../openapi/gaps/gap.js";
import { getDefaultAnswer, getGap, type GapId, gapIds } from "../../openapi/gaps/register.js";
import { program } from "../commands/cli.js";

const folder = fileURLToPath(new URL("generated", import.meta.url));

mkdirSync(folder, { recursive: true });
writePage("command-line", "Command line", commandSections(program, program.name()));
writePage("api", "The API", documentSections("openapi.json"));
writePage("control-plane", "The API of the control plane", documentSections("control-plane.json"));
writePage("gaps", "Gaps", gapSections());
writePage("clauses", "Clauses", clauseSections());

function writePage(name: string, title: string, sections: readonly string[]): void {
  writeFileSync(`${folder}/${name}.md`, [`# ${title}`, ...sections, ""].join("\n\n"));
}

function commandSections(command: Command, name: string): string[] {
  let help = "";
  command.configureHelp({ helpWidth: 68, minWidthToWrap: 30 });
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return [
    `## ${name}`,
    `\`\`\`text\n${help.trim()}\n\`\`\``,
    ...command.commands.flatMap((one) => commandSections(one, `${name} ${one.name()}`)),
  ];
}

function documentSections(file: string): string[] {
  const url = new URL(`../../openapi/${file}`, import.meta.url);
  const document = JSON.parse(readFileSync(url, "utf8")) as OpenAPIObject;
  const schemas = Object.entries(document.components?.schemas ?? {}) as [string, SchemaObject][];
  return [
    escaped(document.info.description ?? ""),
    `As OpenAPI 3.1: [${file}](../../../openapi/${file}).`,
    ...(document.tags ?? []).flatMap(({ name, description = "" }) => [
      `## ${name}`,
      description,
      ...listOperations(document)
        .filter(({ operation }) => operation.tags?.includes(name))
        .map((listed) => operationSection(document, listed)),
    ]),
    "## Schemas",
    ...schemas.map(([name, schema]) => schemaSection(name, schema)),
  ];
}

function operationSection(document: OpenAPIObject, { method, path, operation }: ListedOperation): string {
  const { operationId = "", summary = "", description = "", requestBody } = operation;
  const parameters = (operation.parameters ?? []).map((one) => resolve<ParameterObject>(document, one));
  const content = resolve<Pick<ResponseObject, "content">>(document, requestBody ?? {}).content ?? {};
  const bodies = Object.entries(content).map(([type, { schema = {}, example }]) =>
    sectionsOf(
      `Body, \`${type}\`: ${typeOf(schema)}`,
      example === undefined ? "" : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
    ),
  );
  const responses = Object.entries(operation.responses ?? {}).map(([status, given]) => {
    const response = resolve<ResponseObject>(document, given as ReferenceObject | ResponseObject);
    const schema = Object.values(response.content ?? {})[0]?.schema;
    return [
      status,
      `${escaped(response.description)}${schema === undefined ? "" : ` ${typeOf(schema)}`}`,
      namesOf(response, "x-problems").map(code).join(", "),
      namesOf(response, "x-gap").map(gapLink).join(", "),
    ];
  });
  return sectionsOf(
    `### ${operationId} {#${operationId}}`,
    `**${escaped(summary)}.** \`${method.toUpperCase()} ${path}\``,
    description === `${summary}.` ? "" : escaped(description),
    table(
      ["parameter", "in", "type", "is"],
      parameters.map(({ name, in: place, required, schema = {}, description: about = "" }) => [
        code(name),
        place,
        `${typeOf(schema)}${required ? "" : ", optional"}`,
        escaped(about),
      ]),
    ),
    ...bodies,
    table(["status", "means", "problems", "gaps"], responses),
    linesOf("Gaps", namesOf(operation, "x-gap").map(gapLink)),
    linesOf("Clauses", namesOf(operation, "x-clauses").map(clauseLink)),
  );
}

function schemaSection(name: string, schema: SchemaObject): string {
  const required = schema.required ?? [];
  const fields = Object.entries(schema.properties ?? {}).map(([field, type]) => [
    code(field),
    `${typeOf(type)}${required.includes(field) ? "" : ", optional"}`,
    escaped(type.description ?? ""),
  ]);
  return sectionsOf(
    `### ${name} {#schema-${name}}`,
    escaped(schema.description ?? ""),
    fields.length === 0 ? typeOf(schema) : table(["field", "type", "is"], fields),
    linesOf("Gaps", namesOf(schema, "x-gap").map(gapLink)),
  );
}

/** The type of a value in a few words; a schema with a name is a link. */
function typeOf(schema: SchemaObject | ReferenceObject): string {
  if (isReferenceObject(schema)) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    return `[${name}](#schema-${name})`;
  }
  const { type, items, enum: values, anyOf = schema.oneOf, format, additionalProperties } = schema;
  if (anyOf !== undefined) return anyOf.map(typeOf).join(" or ");
  if (values !== undefined) return values.map((one) => code(JSON.stringify(one))).join(", ");
  if ("const" in schema) return code(JSON.stringify(schema.const));
  if (items !== undefined) return `list of ${typeOf(items)}`;
  if (typeof additionalProperties === "object") return `object of ${typeOf(additionalProperties)}`;
  const names = type === undefined ? "any value" : [type].flat().join(" or ");
  return format === undefined ? names : `${names} (${format})`;
}

function gapSections(): string[] {
  return [
    "Questions that the specification leaves open, by part, with the answers that [a profile](../../../openapi/guides/profiles.md) can give. A deployment never fails because of its answer.",
    ...specificationParts.flatMap((part) => {
      const ofPart = gapIds.filter((id) => chapterOf(getGap(id).part) === part);
      if (ofPart.length === 0) return [];
      return [`## ${part} ${partTitles[part] ?? ""}`, ...ofPart.map(gapSection)];
    }),
  ];
}

function gapSection(id: GapId): string {
  const gap = getGap(id);
  const { question, note, choices } = gap;
  const answers = [
    ...choices.map((choice) => code(String(choice))),
    ...listAnswerForms(gap).map(({ description }) => escaped(description)),
  ];
  return sectionsOf(
    `### ${id} {#${id}}`,
    escaped(question),
    `Answers: ${answers.join(", ")}. By default ${code(defaultAnswerOf(id))}.`,
    escaped(note ?? ""),
  );
}

function defaultAnswerOf(id: GapId): string {
  const answer = getDefaultAnswer(id);
  return typeof answer === "string" ? answer : JSON.stringify(answer);
}

function clauseSections(): string[] {
  return [
    "Testable statements of the specification, by part. `data-service certify` checks a deployment against these clauses.",
    ...specificationParts.flatMap((part) => {
      const rows = clauseIds
        .filter((id) => chapterOf(clauses[id].part) === part)
        .map((id) => [`<span id="${id}">${id}</span>`, clauses[id].part, escaped(clauses[id].statement)]);
      return rows.length === 0
        ? []
        : [`## ${part} ${partTitles[part] ?? ""}`, table(["clause", "part", "statement"], rows)];
    }),
  ];
}

/** The part of the specification without its rule: `4.2` of `4.2 rule 7`. */
function chapterOf(part: string): string {
  return part.split(/[ ,]/)[0] ?? "";
}

/** Resolves a reference to a component. */
function resolve<T extends object>(document: OpenAPIObject, given: ReferenceObject | T): T {
  if (!isReferenceObject(given)) return given;
  const [, , kind = "", name = ""] = given.$ref.split("/");
  const components = document.components as Record<string, Record<string, T> | undefined> | undefined;
  const found = components?.[kind]?.[name];
  if (found === undefined) throw new Error(`the document has no ${given.$ref}`);
  return found;
}

function namesOf(object: object, extension: `x-${string}`): readonly string[] {
  return [(object as Record<string, string | readonly string[] | undefined>)[extension] ?? []].flat();
}

function gapLink(id: string): string {
  return `[${id}](gaps.md#${id})`;
}

function clauseLink(id: string): string {
  return `[${id}](clauses.md#${id})`;
}

function code(text: string): string {
  return `\`${text}\``;
}

function linesOf(title: string, links: readonly string[]): string {
  return links.length === 0 ? "" : `${title}: ${links.join(", ")}`;
}

function sectionsOf(...sections: readonly string[]): string {
  return sections.filter((section) => section !== "").join("\n\n");
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const lines = [
    heads,
    heads.map(() => "---"),
    ...rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|"))),
  ];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** A text of the documents, which is Markdown, with nothing that Vue would take for its own outside of code. */
function escaped(text: string): string {
  return text.replace(/`[^`]*`|[<{]/g, (found) => ({ "<": "&lt;", "{": "&#123;" })[found] ?? found);
}
