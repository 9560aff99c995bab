import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The `chromium` on `PATH`; nothing where there is none. */
export function findChromium(): string | undefined {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "chromium"))
    .find((path) => existsSync(path));
}
