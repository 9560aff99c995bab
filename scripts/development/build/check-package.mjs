/** Packs the package and checks the tarball with publint, @arethetypeswrong/cli and limits on its size. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const maxFiles = 200;
/** Does not include dependencies, which have another 4.4 MB. */
const maxUnpackedBytes = 7_600_000;

const folder = mkdtempSync(join(tmpdir(), "package-"));
try {
  run(process.execPath, "scripts/development/build/build.mjs", "--types-only");
  const packed = run("npm", "pack", "--ignore-scripts", "--json", "--pack-destination", folder);
  const [{ filename, entryCount, unpackedSize }] = JSON.parse(packed);
  const tarball = join(folder, filename);
  run("npx", "publint", "run", tarball, "--strict");
  // most entry points are only available as ESM; the profile omits a resolution of TypeScript that ignores exports
  run("npx", "attw", tarball, "--no-emoji", "--profile", "node16", "--ignore-rules", "cjs-resolves-to-esm");
  process.stdout.write(`${entryCount} files, ${(unpackedSize / 1e6).toFixed(1)} MB unpacked\n`);
  if (entryCount > maxFiles) throw new Error(`the package has more than ${maxFiles} files`);
  if (unpackedSize > maxUnpackedBytes) throw new Error(`the package has more than ${maxUnpackedBytes} bytes`);
} catch (error) {
  process.stderr.write(`${error.stdout ?? ""}${error.stderr ?? ""}${error.message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** @param {string} command @param {string[]} words */
function run(command, ...words) {
  return execFileSync(command, words, { encoding: "utf8", stdio: "pipe" });
}
