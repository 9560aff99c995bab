/** The conformance suite of the data service, for use inside other test suites and tools. */
export { type Area, getArea, areas, type Check, defineChecks } from "./check/check.js";
export { type ActorName, actorNames, type Requirement } from "./target/requirements.js";
export { checks } from "./checks/register.js";
export type { Exchange, Fetch } from "./client/exchange.js";
export type { RateLimits } from "./client/rate-limiter.js";
export { CheckContext } from "./check/context.js";
export { registerChecks, type TestRunner } from "./run/register-checks.js";
export {
  type StartedComparison,
  compareDeployments,
  type CompareOptions,
  type CompareProgress,
} from "./compare/compare-deployments.js";
export {
  type ComparedOperation,
  type CompareReport,
  compareReportFormat,
  type ComparisonVerdict,
  type ReportedCause,
} from "./compare/compare-report.js";
export { type AcceptedCause, formatAcceptedCauses, parseAcceptedCauses } from "./compare/accepted-causes.js";
export { formatComparison } from "./compare/format-comparison.js";
export { renderComparisonPage } from "./report-files/html/compared-page.js";
export { renderHtmlReport, type HtmlReportOptions } from "./report-files/html/html-report.js";
export { buildReport, type ReportInput } from "./report/build-report.js";
export { type Report, reportFormat } from "./report/report.js";
export type { ComparedExchange } from "./report/findings.js";
export { formatSummary, type SummaryOptions } from "./report/format-summary.js";
export { writeComparison, writeReports, type WriteReportsOptions } from "./report-files/write-reports.js";
export { Ledger } from "./target/ledger.js";
export type { LeftoverResource } from "./resources/remove-resources.js";
export { beginRun, type BeginRunOptions } from "./run/register-checks.js";
export {
  Certification,
  type CertificationOptions,
  type CertificationResult,
  type CertificationProgress,
} from "./run/certification.js";
export { cleanUpRun } from "./run/cleanup.js";
export { decodeReplayToken, type ReplayRequest } from "./run/replay-token.js";
export type { CheckResult, Failure, CheckOutcome } from "./run/result.js";
export { generateRunId } from "./run/run-id.js";
export { Run, type RunOptions } from "./run/runner.js";
export { selectChecks } from "./run/select-checks.js";
export { exitCodes, type Verdict } from "./run/verdict.js";
export { createEmulatorTarget, type EmulatorTargetOptions } from "./target/emulator-target.js";
export { createTargetFromFile, type FileTargetOptions } from "./target/file-target.js";
export { openTarget, type TargetChoice } from "./target/open-target.js";
export type { Target } from "./target/target.js";
export { type Capability, loadTargetFile, parseTargetFile, type TargetFile } from "./target/target-file.js";
export { ClauseViolation, RunError } from "./client/violation.js";
