import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { validate } from "dockerfile-utils";
import { expect, it } from "vitest";
import { findExample } from "../development/contract/guides.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const dockerfile = readFileSync(`${root}Dockerfile`, "utf8");

/** Lists the linter's findings, with line and text. */
const lint = (text: string) =>
  validate(text).map(
    ({ range, message }) =>
      `${range.start.line + 1}: ${typeof message === "string" ? message : message.value}`,
  );

it("the Dockerfile passes its linter, and the linter finds a fault", () => {
  expect(lint(dockerfile)).toEqual([]);
  expect(lint(dockerfile.replace("WORKDIR /source", "WORKDRI /source"))).toEqual([
    expect.stringContaining("WORKDRI"),
  ]);
});

it.each([
  ["the image", dockerfile],
  ["the image of the guide", findExample("emulator/guides/containers.md", "Dockerfile")],
])("%s does not run as root, owns the folder of its data and has a health check", (_, text) => {
  expect(lint(text)).toEqual([]);
  const last = text.slice(text.lastIndexOf("FROM "));
  expect(last).toMatch(/mkdir \/data && chown node:node \/data\nUSER node\n/);
  expect(last).toMatch(/\nHEALTHCHECK /);
});
