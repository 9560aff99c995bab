import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { escapeInvisibleInJson } from "../../openapi/text/escape-invisible.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";
import type { Recorder } from "../client/recorder.js";
import type { SecretMasker } from "../client/secrets.js";
import { RunError } from "../client/violation.js";
import type { CompareReport } from "../compare/compare-report.js";
import { formatFailure } from "../report/format-failure.js";
import type { Report } from "../report/report.js";
import { listFailures } from "../report/outcome-labels.js";
import { generateHar } from "./har.js";
import { renderComparisonPage } from "./html/compared-page.js";
import { renderHtmlReport } from "./html/html-report.js";
import { renderJunitXml } from "./junit.js";

export interface WriteReportsOptions {
  /** The command line without options that select what to run, shown on the page for replays. */
  readonly command?: string;
  /** The exchanges of the run; without them, `exchanges.har` is not written. */
  readonly exchanges?: { readonly recorder: Recorder; readonly secrets: SecretMasker };
}

/**
 * Writes `report.json`, `report.html`, `junit.xml` and `exchanges.har` into a folder, which is created if it does not exist.
 *
 * @returns the paths written
 */
export function writeReports(
  folder: string,
  report: Report,
  { command = `data-service certify ${report.target.baseUrl} …`, exchanges }: WriteReportsOptions = {},
): readonly string[] {
  return writeFiles(folder, {
    "report.json": report,
    "report.html": renderHtmlReport(report, { command: exchanges?.secrets.hide(command) ?? command }),
    "junit.xml": renderJunitXml(report),
    ...(exchanges && { "exchanges.har": generateHar(exchanges.recorder, exchanges.secrets) }),
  });
}

/**
 * Writes `compared.html` and `compared.json` into a folder, which is created if it does not exist.
 *
 * @returns the paths written
 */
export function writeComparison(folder: string, report: CompareReport): readonly string[] {
  return writeFiles(folder, { "compared.html": renderComparisonPage(report), "compared.json": report });
}

/** Minimum number of characters per write, because many short writes take long. */
const minWriteLength = 1024 * 1024;

/**
 * Writes files into a folder, which is created if it does not exist.
 *
 * @param files content by file name: a text, an iterable of the pieces of a very long text, or a value to write as JSON
 * @returns the paths written
 */
export function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | Iterable<string> | object>>,
): readonly string[] {
  tryToWrite(folder, () => mkdirSync(folder, { recursive: true }));
  return Object.entries(files).map(([name, content]) => {
    const path = join(folder, name);
    if (typeof content === "string") writePieces(path, [content]);
    else if (Symbol.iterator in content) writePieces(path, content);
    else writePieces(path, [JSON.stringify(content, null, 2), "\n"]);
    return path;
  });
}

function writePieces(path: string, pieces: Iterable<string>): void {
  let [buffer, flag] = ["", "w"];
  const flush = () => {
    // Unlike this function, `writeSync` may write only part of a text.
    tryToWrite(path, () => writeFileSync(path, buffer, { flag }));
    [buffer, flag] = ["", "a"];
  };
  for (const piece of pieces) {
    buffer += piece;
    if (buffer.length >= minWriteLength) flush();
  }
  flush();
}

/** @throws RunError if the file system fails */
function tryToWrite(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new RunError(`cannot write ${path}: ${toErrorMessage(error)}`);
  }
}

/** Names of files that {@link writeFailures} writes. */
const failureFileName = /^\d{3}-[a-z0-9-]+\.(?:txt|sh)$/;

/**
 * Writes a text and a script for each failure into the folder `failures` of the reports; removes files of an earlier run.
 *
 * @returns the text file and the script of each failed check
 */
export function writeFailures(
  folder: string,
  report: Report,
  command: string,
): ReadonlyMap<string, { readonly file: string; readonly script: string }> {
  const failures = listFailures(report);
  const place = join(folder, "failures");
  tryToWrite(place, () => {
    if (existsSync(place))
      for (const name of readdirSync(place)) if (failureFileName.test(name)) rmSync(join(place, name));
    if (failures.length > 0) mkdirSync(place, { recursive: true });
  });
  return new Map(
    failures.map(({ id, failure }, index) => {
      const name = `${String(index + 1).padStart(3, "0")}-${id.replaceAll("/", "-")}`;
      const files = { file: join(place, `${name}.txt`), script: join(place, `${name}.sh`) };
      const text = formatFailure(escapeInvisibleInJson(failure), { command, isVerbose: true });
      tryToWrite(place, () => {
        writeFileSync(files.file, `${[id, ...text].join("\n")}\n`);
        writeFileSync(files.script, `#!/usr/bin/env bash\n${failure.curl}`, { mode: 0o755 });
      });
      return [id, files];
    }),
  );
}
