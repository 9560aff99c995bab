/**
 * Runs the steps of `npm run check`, and tests that take too long for everyday use. They are independent, and most use
 * only one core, so they run concurrently. They use the JavaScript in `dist/`, which must be built first.
 */
import { checkSteps } from "../scripts/development/check-steps.mjs";
import { runSideBySide } from "../scripts/development/run-side-by-side.mjs";

const clients = "scripts/clients";

const trials = [
  {
    // Compares an emulator with a random profile with itself; there must be no differences.
    name: "self-test of compare",
    command: npmRun(
      "compare:self-test",
      ...["--law", "same", "--seeds", "1", "--profiles", "20", "--sample", "1"],
      ...["--seed", "1", "--jobs", "1"],
    ),
  },
  {
    // A sample of mutants must fail, a sample of permitted variants must pass, and each failure must be reproducible.
    name: "self-test of the suite",
    command: npmRun("conformance:self-test", "--sample", "35", "--seed", "2", "--jobs", "1"),
  },
  {
    // A deployment with many permitted differences must conform.
    name: "certify a deployment with many permitted differences",
    command: npmRun("conformance:odd-deployment", "--mixture", "1", "--shard", "1/4"),
  },
  {
    // The client generators that are npm packages must accept the contract.
    name: "clients",
    command: [
      "sh",
      "-c",
      `npm --prefix ${clients} ci --ignore-scripts && node ${clients}/clients.mjs hey-api orval swagger-typescript-api`,
    ],
  },
  {
    name: "Jest",
    command: ["sh", "-c", "npm --prefix scripts/jest ci --ignore-scripts && node scripts/jest/jest.mjs"],
  },
  { name: "the documentation site", command: npmRun("site") },
  {
    // Observers must find the answers of emulators with known profiles, without a control plane.
    name: "self-test of observe",
    command: npmRun("observe:self-test", "--sample", "2", "--seed", "1"),
  },
  { name: "certify", command: [".ci/certify.sh"] },
  { name: "fuzz", command: npmRun("fuzz", "--rounds", "2", "--seed", "1", "--jobs", "1") },
];

const [comparison, selfTest, ...others] = trials.map((trial) => ({ ...trial, talkative: true }));
// the slowest steps come first
const failed = await runSideBySide([comparison, selfTest, ...checkSteps, ...others]);
if (failed.length > 0) process.exitCode = 1;

function npmRun(name, ...options) {
  return ["npm", "run", "--silent", name, "--", ...options];
}
