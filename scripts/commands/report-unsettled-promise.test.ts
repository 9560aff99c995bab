import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const module = new URL("./report-unsettled-promise.ts", import.meta.url).href;

/** Runs a process that awaits the promise and then prints a line; returns how the process ends. */
function runPromiseScript(command: string): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const script = `
    import(${JSON.stringify(module)})
      .then(({ reportUnsettledPromise }) => reportUnsettledPromise(${command}))
      .then((result) => process.stdout.write(String(result)), () => process.stdout.write("failed"));
  `;
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  return new Promise((resolve) =>
    execFile(process.execPath, ["--import", "tsx", "-e", script], { cwd }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    ),
  );
}

it("a command whose promise never settles exits with 2 and says so", async () => {
  const { code, stdout, stderr } = await runPromiseScript("new Promise(() => {})");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("stopped early");
});

it.each([
  ["Promise.resolve(7)", "7"],
  ["Promise.reject(new Error())", "failed"],
  ["new Promise((resolve) => setTimeout(resolve, 20, 8))", "8"],
])("does not report %s", async (command, expected) => {
  const { code, stdout, stderr } = await runPromiseScript(command);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expected });
  expect(stderr).not.toContain("stopped early");
});
