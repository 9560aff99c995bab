/**
 * Compiles the examples in the guide "In containers": in TypeScript and, if Maven is installed, in Java. `npm run
 * testcontainers` installs Testcontainers first. Running the examples would need a container engine.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const guide = readFileSync(`${here}../../emulator/guides/containers.md`, "utf8");

mkdirSync(`${here}project`, { recursive: true });
try {
  writeExample("testcontainers.ts");
  writeExample("CurrencyTest.java");
  compile(process.execPath, [
    "node_modules/typescript/bin/tsc",
    ...["--strict", "--noEmit", "--skipLibCheck", "--module", "nodenext", "project/testcontainers.ts"],
  ]);
  if (spawnSync("mvn", ["--version"]).status === 0)
    compile("mvn", ["--quiet", "--batch-mode", "test-compile"]);
  else process.stdout.write("the Java example was not compiled, because Maven is not installed\n");
} finally {
  for (const folder of ["project", "target"]) rmSync(`${here}${folder}`, { recursive: true, force: true });
}

function writeExample(name) {
  const [, text] = guide.split(`<!-- example: ${name} -->`)[1]?.match(/```\w+\n(.*?)```/s) ?? [];
  if (text === undefined) throw new Error(`the guide has no example ${name}`);
  writeFileSync(`${here}project/${name}`, text);
}

function compile(command, words) {
  const { status, error } = spawnSync(command, words, { cwd: here, stdio: "inherit" });
  if (status !== 0) throw error ?? new Error(`${command} ended with exit code ${status}`);
}
