/** Builds another commit of this repository in a separate folder. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * @param revision as Git names it
 * @returns the folder and a function that removes it
 * @throws Error where there is no such commit, or it cannot be built with the packages that are installed
 */
export function buildCommit(revision) {
  const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  const folder = mkdtempSync(join(tmpdir(), "bench-commit-"));
  const commit = git("rev-parse", "--verify", `${revision}^{commit}`);
  git("worktree", "add", "--detach", "--force", folder, commit);
  const remove = () => git("worktree", "remove", "--force", folder);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const script = "scripts/development/build/build.mjs";
  const { status, stderr } = spawnSync(process.execPath, [script, "--js-only"], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status === 0) return { folder, remove };
  remove();
  throw new Error(`${revision} cannot be built with the installed packages:\n${stderr}`);
}
