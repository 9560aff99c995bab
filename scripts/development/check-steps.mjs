import { readFileSync } from "node:fs";

const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** Slow steps start first. */
const longest = ["check:lint", "check:contract", "check:types"];
const names = Object.keys(scripts).filter((name) => name.startsWith("check:"));

/** Every `check:` script of package.json, for `runSideBySide`. */
export const checkSteps = [...new Set([...longest, ...names])].map((name) => ({
  name,
  command: ["npm", "run", "--silent", name],
}));
