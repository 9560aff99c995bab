import type { Fetch } from "../client/exchange.js";
import { RunError } from "../client/violation.js";
import { createEmulatorTarget } from "./emulator-target.js";
import { parseBaseUrl, createTargetFromFile } from "./file-target.js";
import type { Target } from "./target.js";
import { loadTargetFile, type TargetFile } from "./target-file.js";

interface EmulatorChoice {
  /** URL of an emulator. */
  readonly emulator: string;
  readonly target?: undefined;
  readonly url?: undefined;
}

interface TargetFileChoice {
  readonly emulator?: undefined;
  /** Path of a target file, or its content. */
  readonly target: string | TargetFile;
  /** Base URL; overrides that of the target file. */
  readonly url?: string;
}

interface TargetSettings {
  /** Name of the deployment in reports. Defaults to its URL. */
  readonly title?: string;
  /** Replaces the global `fetch`, e.g. with the `fetch` of an emulator, or to use a proxy or your own certificates. */
  readonly fetch?: Fetch;
}

/** The deployment to certify: an emulator by URL, or a deployment described by a target file. */
export type TargetChoice = (EmulatorChoice | TargetFileChoice) & TargetSettings;

/**
 * Creates the target of a run.
 *
 * @param run the run id, which is also the name of the namespace in an emulator
 * @throws RunError when the target file cannot be used, or no emulator responds
 */
export async function openTarget(
  { emulator, target, url, title, fetch = globalThis.fetch }: TargetChoice,
  run: string,
): Promise<Target> {
  const named = title === undefined ? {} : { title };
  if (emulator !== undefined) {
    const url = parseBaseUrl(emulator);
    return { ...(await createEmulatorTarget({ url, fetch, run })), ...named };
  }
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- calls from JavaScript are not type-checked
  if (target === undefined) throw new RunError("specify an emulator or a target file");
  const file = typeof target === "string" ? await loadTargetFile(target) : target;
  return { ...createTargetFromFile({ file, fetch, ...(url === undefined ? {} : { url }) }), ...named };
}
