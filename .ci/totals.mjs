/**
 * Prints the failed tests in a Vitest JSON report, which are hard to find in a long log, and then the totals on one
 * line. A test file that fails before its tests run counts as one failure, and so does a missing report.
 */
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const { passed, failed, skipped } = totals(process.argv[2]);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed > 0 ? 1 : 0;

function totals(file) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    console.error(`the test report cannot be read: ${error.message}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && assertionResults.every((result) => result.status !== "failed"),
  );
  for (const { name, message, assertionResults } of report.testResults) {
    const file = relative(".", name);
    for (const { status, fullName, failureMessages } of assertionResults)
      if (status === "failed") console.log(`FAILED  ${file} > ${fullName}\n${failureMessages.join("\n")}`);
    if (broken.some((result) => result.name === name)) console.log(`FAILED  ${file}\n${message}`);
  }
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
