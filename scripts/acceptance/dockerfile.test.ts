import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { validate } from "dockerfile-utils";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const dockerfile = readFileSync(`${root}Dockerfile`, "utf8");

/** What the linter finds, as line and text. */
const faults = (text: string) =>
  validate(text).map(
    ({ range, message }) =>
      `${range.start.line + 1}: ${typeof message === "string" ? message : message.value}`,
  );

it("the Dockerfile passes its linter, and the linter finds a fault", () => {
  expect(faults(dockerfile)).toEqual([]);
  expect(faults(dockerfile.replace("WORKDIR /source", "WORKDRI /source"))).toEqual([
    expect.stringContaining("WORKDRI"),
  ]);
});

it("the image does not run as root and has a health check", () => {
  const last = dockerfile.slice(dockerfile.lastIndexOf("\nFROM "));
  expect(last).toMatch(/\nUSER node\n/);
  expect(last).toMatch(/\nHEALTHCHECK /);
});
