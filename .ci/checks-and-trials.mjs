/**
 * What `npm run check` runs, and the trials that take too long for everyday: none depends on another, and most keep one
 * processor busy, so they share all there are. The JavaScript in dist/ is built before, and nothing here builds it anew.
 */
import { randomInt } from "node:crypto";
import { checkSteps } from "../scripts/development/check-steps.mjs";
import { runSideBySide } from "../scripts/development/run-side-by-side.mjs";

const clients = "scripts/clients";

/** A seed of this time; all else has the same inputs every time. */
const newSeed = randomInt(1, 2 ** 31);

const trials = [
  {
    // an emulator is like itself, whatever it answers: one profile of random answers
    name: "self-test of comparison",
    command: npmRun(
      "compare:self-test",
      ...["--law", "same", "--seeds", "1", "--profiles", "20", "--sample", "1"],
      ...["--seed", "1", "--jobs", "1"],
    ),
  },
  {
    // the suite itself: a sample of its faults and of harmless differences; each failure comes back
    name: "self-test of the suite",
    // the others are beside it
    command: npmRun("conformance:self-test", "--sample", "35", "--seed", "2", "--jobs", "1"),
  },
  {
    // no false alarm: the emulator is conformant with a seed that nobody has tried
    name: `certify with the seed ${newSeed}`,
    command: npmRun("conformance:self-test", "--seeds", "1", "--seed", String(newSeed), "--jobs", "1"),
  },
  {
    // nor does one with many permitted differences at once
    name: "certify a deployment of many differences",
    command: npmRun("conformance:together", "--mixture", "1"),
  },
  {
    // clients that generators make of the contract: those that npm brings
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
    // observation: emulators whose answers are known, without their control plane
    name: "self-test of observation",
    command: npmRun("observe:self-test", "--sample", "2", "--seed", "1"),
  },
  { name: "certify", command: [".ci/certify.sh"] },
  // requests that are to do harm
  { name: "fuzz", command: npmRun("fuzz", "--rounds", "4", "--seed", "1", "--jobs", "1") },
];

const [comparison, selfTest, ...others] = trials.map((trial) => ({ ...trial, talkative: true }));
// the longest first
const failed = await runSideBySide([comparison, selfTest, ...checkSteps, ...others]);
if (failed.length > 0) process.exitCode = 1;

function npmRun(name, ...options) {
  return ["npm", "run", "--silent", name, "--", ...options];
}
