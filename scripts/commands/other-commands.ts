/**
 * The commands that are loaded when they run; `start` and `exec` do not need them. They are one module, because the
 * bundle has a file for each set of modules that are loaded together, and `start` loads faster from fewer files.
 */
export { runCertifyCommand } from "./certify-command.js";
export { mergeShards } from "./certify-reports.js";
export { runCompareCommand } from "./compare-command.js";
export { connectToNamespace } from "./connect-to-namespace.js";
export { printContract, printSchema } from "./contract-command.js";
export { mergeCoverage, runCoverageCommand } from "./coverage-command.js";
export { exportSeed } from "./export-command.js";
export { runObserveCommand } from "./observe-command.js";
