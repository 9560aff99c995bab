import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Returns the path of `chromium`, if it is on the `PATH`. */
export function findChromium(): string | undefined {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "chromium"))
    .find((path) => existsSync(path));
}
