import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import packageJson from "../../../package.json" with { type: "json" };
import { repositoryRoot } from "../../development/contract/guides.js";

/** A folder in which to follow the guides: a clone of the repository, or a project that has installed the package. */
export interface PackageInstallation {
  readonly name: "in a clone" | "installed";
  /** Working directory for the commands in a guide; the examples write their files here. */
  readonly folder: string;
  /** Writes a file to the folder; returns its path. */
  readonly write: (file: string, text: string) => string;
  /** Runs a shell script; returns the lines of its output. */
  readonly run: (script: string, env?: NodeJS.ProcessEnv) => Promise<readonly string[]>;
  /** Starts a server; returns the URL that the server prints, and a function that stops the server like Ctrl+C. */
  readonly start: (
    command: string,
  ) => Promise<{ readonly url: string; readonly stop: () => Promise<number> }>;
  readonly remove: () => void;
}

/** Creates a folder that looks like a clone after `npm ci`: it contains links to all files of this repository. */
export function createCloneInstallation(): PackageInstallation {
  const folder = mkdtempSync(join(tmpdir(), "clone-"));
  for (const entry of readdirSync(repositoryRoot))
    if (!/^(?:\.git|dist-test-.*|coverage|reports)$/.test(entry))
      symlinkSync(join(repositoryRoot, entry), join(folder, entry));
  return createInstallation("in a clone", folder, join(folder, "dist/cli.js"));
}

/** Creates a project, and installs the packed package and the other packages that the examples use. */
export function installPackage(): PackageInstallation {
  const folder = mkdtempSync(join(tmpdir(), "installed-"));
  const modules = join(folder, "node_modules");
  const home = join(modules, packageJson.name);
  mkdirSync(home, { recursive: true });
  // packs the files that `npm ci` has built
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], {
    cwd: repositoryRoot,
  });
  const tarball = `${packageJson.name}-${packageJson.version}.tgz`;
  execFileSync("tar", ["-xzf", join(folder, tarball), "--strip-components=1", "-C", home]);
  const others = [
    "vitest",
    "@playwright/test",
    "playwright",
    "playwright-core",
    "openapi-fetch",
    "openapi-typescript-helpers",
    "@types/node",
    "undici-types",
  ];
  for (const name of [...Object.keys(packageJson.dependencies), ...others]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(repositoryRoot, "node_modules", name), join(modules, name));
  }
  mkdirSync(join(modules, ".bin"));
  symlinkSync(`../${packageJson.name}/dist/cli.js`, join(modules, ".bin/data-service"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  return createInstallation("installed", folder, join(modules, ".bin/data-service"));
}

function createInstallation(
  name: PackageInstallation["name"],
  folder: string,
  command: string,
): PackageInstallation {
  // replaces npx, which takes a second to find the command; another test runs `npx data-service` itself
  const bin = mkdtempSync(join(tmpdir(), "bin-"));
  writeFileSync(join(bin, "npx"), `#!/bin/sh\nshift\nexec "${process.execPath}" "${command}" "$@"\n`);
  chmodSync(join(bin, "npx"), 0o755);
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH ?? ""}` };
  const running = new Set<ChildProcess>();
  return {
    name,
    folder,
    write: (file, text) => {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
      return join(folder, file);
    },
    run: async (script, more = {}) => {
      const { stdout } = await promisify(execFile)("bash", ["-eu", "-c", script], {
        cwd: folder,
        env: { ...env, ...more },
        maxBuffer: 2 ** 26,
      });
      return stdout.split("\n").filter((line) => line !== "");
    },
    start: (line) =>
      new Promise((resolve, reject) => {
        const child = spawn("bash", ["-c", `exec ${line}`], { cwd: folder, env });
        running.add(child);
        const ended = new Promise<number>((end) => child.on("exit", (code) => end(code ?? -1)));
        let output = "";
        child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
        child.stdout.on("data", (chunk: Buffer) => {
          output += chunk.toString();
          const url = /http:\/\/127\.0\.0\.1:\d+(?=\s)/.exec(output)?.[0];
          if (url !== undefined) resolve({ url, stop: () => (child.kill("SIGINT"), ended) });
        });
        child.on("exit", () => reject(new Error(`${line} ended before it printed its URL:\n${output}`)));
      }),
    remove: () => {
      for (const child of running) child.kill("SIGKILL");
      for (const used of [folder, bin]) rmSync(used, { recursive: true, force: true });
    },
  };
}
