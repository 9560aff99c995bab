import type { Fetch } from "../client/exchange.js";
import { RunError } from "../client/violation.js";
import { createEmulatorTarget } from "./emulator-target.js";
import { createFileTarget } from "./file-target.js";
import type { Target } from "./target.js";
import { loadTargetFile, type TargetFile } from "./target-file.js";

/** Which deployment is to be judged: an emulator by its URL, or one that a target file describes. */
export interface TargetChoice {
  /** URL of an emulator. */
  readonly emulator?: string;
  /** Path of a target file, or what stands in one. */
  readonly target?: string | TargetFile;
  /** Base URL in place of the target file's. */
  readonly url?: string;
  /** How the deployment is named in reports, in place of its URL. */
  readonly title?: string;
  /** In place of the global `fetch`: an emulator's own, or one with a proxy or certificates of its own. */
  readonly fetch?: Fetch;
}

/**
 * Makes the target of a run.
 *
 * @param run the run id, which names an emulator's namespace
 * @throws RunTrouble when the target file cannot be used, or no emulator answers
 */
export async function openTarget({ title, ...choice }: TargetChoice, run: string): Promise<Target> {
  const target = await openChosenTarget(choice, run);
  return title === undefined ? target : { ...target, title };
}

async function openChosenTarget(
  { emulator, target, url, fetch = globalThis.fetch }: TargetChoice,
  run: string,
): Promise<Target> {
  if (emulator !== undefined) {
    if (!URL.canParse(emulator) || !/^https?:$/.test(new URL(emulator).protocol))
      throw new RunError(`"${emulator}" is not a base URL; it must begin with http:// or https://`);
    return createEmulatorTarget({ url: emulator, fetch, run });
  }
  if (target === undefined) throw new RunError("name an emulator or a target file");
  const file = typeof target === "string" ? await loadTargetFile(target) : target;
  return createFileTarget({ file, fetch, ...(url === undefined ? {} : { url }) });
}
