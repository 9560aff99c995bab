/** `data-service-emulator/vitest-reporter`: the coverage of all workers after a run of Vitest. */
import { mkdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import {
  buildCoverageReport,
  type CoverageThresholds,
  findShortfalls,
  formatCounts,
} from "../openapi/situations/coverage-report.js";
import { coverageFolderVariable, readCoverageFolder } from "./coverage/write-coverage.js";

export type { CoverageThresholds };

export interface CoverageReporterOptions {
  /** The folder for the coverage of each worker, emptied before a run (default `coverage/data-service`). */
  readonly folder?: string;
  /** Percentages to reach; a run below one fails. */
  readonly min?: CoverageThresholds;
  /** Ids, operations and areas that are out of scope. */
  readonly ignore?: readonly string[];
}

/**
 * A reporter of Vitest that prints which situations of the contract the tests have met.
 *
 *     reporters: ["default", ["data-service-emulator/vitest-reporter", { min: { refusals: 20 } }]],
 */
export default class CoverageReporter {
  readonly #folder: string;
  readonly #min: CoverageThresholds;
  readonly #ignore: readonly string[];

  constructor({ folder = "coverage/data-service", min = {}, ignore = [] }: CoverageReporterOptions = {}) {
    this.#folder = resolve(folder);
    this.#min = min;
    this.#ignore = ignore;
  }

  /** Called by Vitest before it starts workers, which inherit the environment. */
  onInit(): void {
    process.env[coverageFolderVariable] = this.#folder;
  }

  onTestRunStart(): void {
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true });
  }

  onTestRunEnd(): void {
    const report = buildCoverageReport(readCoverageFolder(this.#folder), this.#ignore);
    process.stdout.write(`\nContract coverage\n${formatCounts(report)}`);
    const shortfalls = findShortfalls(report, this.#min);
    for (const line of shortfalls) process.stderr.write(`${line}\n`);
    if (shortfalls.length > 0) process.exitCode = 1;
  }
}
