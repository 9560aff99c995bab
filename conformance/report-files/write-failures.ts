import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatFailure } from "../report/failure-text.js";
import type { Report } from "../report/report.js";
import { listFailures, getFailureName } from "../report/words.js";
import { escapeInvisibleInJson } from "../../openapi/text/escape-invisible.js";

/** The files of one failure. */
interface FailureFiles {
  /** All that is known, as `--verbose` prints it. */
  readonly file: string;
  /** The script for bash. */
  readonly script: string;
}

/** What this suite has written, by its name. */
const ours = /^\d{3}-[a-z0-9-]+\.(?:txt|sh)$/;

/**
 * Writes a text and a script for each failure into the folder `failures` of the reports; those of an earlier run go.
 *
 * @returns the files of each failed check; under the empty name those of what failed before the first one
 */
export function writeFailures(
  folder: string,
  report: Report,
  command: string,
): ReadonlyMap<string, FailureFiles> {
  const failures = listFailures(report);
  const place = join(folder, "failures");
  if (existsSync(place))
    for (const name of readdirSync(place)) if (ours.test(name)) rmSync(join(place, name));
  if (failures.length === 0) return new Map();
  mkdirSync(place, { recursive: true });
  return new Map(
    failures.map((shown, index) => {
      const { id = "", failure } = shown;
      const name = `${String(index + 1).padStart(3, "0")}-${getFailureName(shown).replaceAll(/[/ ]/g, "-")}`;
      const files = { file: join(place, `${name}.txt`), script: join(place, `${name}.sh`) };
      const text = formatFailure(escapeInvisibleInJson(failure), { command, isVerbose: true });
      writeFileSync(files.file, `${[id, ...text].join("\n")}\n`);
      writeFileSync(files.script, `#!/usr/bin/env bash\n${failure.curl}`, { mode: 0o755 });
      return [id, files];
    }),
  );
}
