/** Writes the pages of the reference from the commands, the OpenAPI documents and the registers. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import type { OpenAPIObject } from "openapi3-ts/oas31";
import { clauseIds, clauses } from "../../openapi/clauses/register.js";
import { specificationParts, partTitles } from "../../openapi/clauses/part-titles.js";
import { listAnswerForms } from "../../openapi/gaps/gap.js";
import { getDefaultAnswer, getGap, type GapId, gapIds } from "../../openapi/gaps/register.js";
import { program } from "../commands/cli.js";
import { renderReferencePage } from "../commands/contract-command.js";

const folder = fileURLToPath(new URL("generated", import.meta.url));
/** Folder of files that the site serves unchanged. */
const publicFolder = `${folder}/public/reference`;

mkdirSync(publicFolder, { recursive: true });
writePage("command-line", "Command line", formatCommandSections(program, program.name()));
writePage("gaps", "Gaps", formatGapSections());
writePage("clauses", "Clauses", formatClauseSections());
for (const [name, file] of Object.entries({ api: "openapi.json", "control-plane": "control-plane.json" })) {
  const text = readFileSync(new URL(`../../openapi/${file}`, import.meta.url), "utf8");
  writeFileSync(`${publicFolder}/${name}.html`, renderReferencePage(JSON.parse(text) as OpenAPIObject));
}

function writePage(name: string, title: string, sections: readonly string[]): void {
  writeFileSync(`${folder}/${name}.md`, [`# ${title}`, ...sections, ""].join("\n\n"));
}

function formatCommandSections(command: Command, name: string): string[] {
  let help = "";
  command.configureHelp({ helpWidth: 68, minWidthToWrap: 30 });
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return [
    `## ${name}`,
    `\`\`\`text\n${help.trim()}\n\`\`\``,
    ...command.commands.flatMap((one) => formatCommandSections(one, `${name} ${one.name()}`)),
  ];
}

function formatGapSections(): string[] {
  return [
    "Questions that the specification leaves open, by part, with the answers that [a profile](../../../openapi/guides/profiles.md) can give. A deployment never fails because of its answer.",
    ...specificationParts.flatMap((part) => {
      const ofPart = gapIds.filter((id) => getPartWithoutRule(getGap(id).part) === part);
      if (ofPart.length === 0) return [];
      return [`## ${part} ${partTitles[part] ?? ""}`, ...ofPart.map(formatGapSection)];
    }),
  ];
}

function formatGapSection(id: GapId): string {
  const gap = getGap(id);
  const { question, note, choices } = gap;
  const answers = [
    ...choices.map((choice) => code(String(choice))),
    ...listAnswerForms(gap).map(({ description }) => escapeForVue(description)),
  ];
  return [
    `### ${id} {#${id}}`,
    escapeForVue(question),
    `Answers: ${answers.join(", ")}. By default ${code(formatDefaultAnswer(id))}.`,
    ...(note === undefined ? [] : [escapeForVue(note)]),
  ].join("\n\n");
}

function formatDefaultAnswer(id: GapId): string {
  const answer = getDefaultAnswer(id);
  return typeof answer === "string" ? answer : JSON.stringify(answer);
}

function formatClauseSections(): string[] {
  return [
    "Testable statements of the specification, by part. `data-service certify` checks a deployment against these clauses.",
    ...specificationParts.flatMap((part) => {
      const rows = clauseIds
        .filter((id) => getPartWithoutRule(clauses[id].part) === part)
        .map((id) => {
          const { part: place, statement } = clauses[id];
          return `| <span id="${id}">${id}</span> | ${place} | ${escapeForVue(statement).replaceAll("|", "\\|")} |`;
        });
      const table = ["| clause | part | statement |", "| --- | --- | --- |", ...rows].join("\n");
      return rows.length === 0 ? [] : [`## ${part} ${partTitles[part] ?? ""}`, table];
    }),
  ];
}

/** Returns a part of the specification without its rule: `4.2` for `4.2 rule 7`. */
function getPartWithoutRule(part: string): string {
  return part.split(/[ ,]/)[0] ?? "";
}

function code(text: string): string {
  return `\`${text}\``;
}

/** Escapes a Markdown text for Vue, except in code. */
function escapeForVue(text: string): string {
  return text.replace(/`[^`]*`|[<{]/g, (found) => ({ "<": "&lt;", "{": "&#123;" })[found] ?? found);
}
