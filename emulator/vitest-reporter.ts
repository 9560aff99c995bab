/** `data-service-emulator/vitest-reporter`: prints the contract coverage of all workers after a Vitest run. */
import { resolve } from "node:path";
import {
  buildCoverageReport,
  type CoverageThresholds,
  findShortfalls,
  findUnknownCoverageNames,
  formatCounts,
  isCoverageThreshold,
} from "../openapi/situations/coverage-report.js";
import { coverageGroups } from "../openapi/situations/situation.js";
import {
  clearCoverageFolder,
  coverageFolderVariable,
  readCoverageFolder,
} from "./coverage/write-coverage.js";

export type { CoverageThresholds };

export interface CoverageReporterOptions {
  /**
   * Folder to which the workers write their coverage (default `coverage/data-service`). A run first removes the coverage
   * of the previous run.
   */
  readonly folder?: string;
  /** Minimum percentages; a run below any of them fails. */
  readonly min?: CoverageThresholds;
  /** Situation ids, operations and areas to ignore. */
  readonly ignore?: readonly string[];
}

/**
 * A Vitest reporter that prints which situations of the contract the tests have covered.
 *
 *     reporters: ["default", ["data-service-emulator/vitest-reporter", { min: { refusals: 20 } }]],
 */
export default class CoverageReporter {
  readonly #folder: string;
  readonly #min: CoverageThresholds;
  readonly #ignore: readonly string[];

  constructor({ folder = "coverage/data-service", min = {}, ignore = [] }: CoverageReporterOptions = {}) {
    for (const [group, percent] of Object.entries(min))
      if (!isCoverageThreshold(group, percent))
        throw new TypeError(
          `coverage reporter: min.${group} must be a percentage; the groups are ${coverageGroups.join(", ")}`,
        );
    const [unknown] = findUnknownCoverageNames(ignore);
    if (unknown !== undefined)
      throw new TypeError(`coverage reporter: ignore: "${unknown}" is not a situation id, operation or area`);
    if (folder === "") throw new TypeError("coverage reporter: folder must not be empty");
    this.#folder = resolve(folder);
    this.#min = min;
    this.#ignore = ignore;
  }

  /** Vitest calls this before it starts the workers, which inherit the environment. */
  onInit(): void {
    process.env[coverageFolderVariable] = this.#folder;
  }

  onTestRunStart(): void {
    clearCoverageFolder(this.#folder);
  }

  onTestRunEnd(): void {
    const report = buildCoverageReport(readCoverageFolder(this.#folder), this.#ignore);
    process.stdout.write(`\nContract coverage\n${formatCounts(report)}`);
    const shortfalls = findShortfalls(report, this.#min);
    for (const line of shortfalls) process.stderr.write(`${line}\n`);
    if (shortfalls.length > 0) process.exitCode = 1;
  }
}
