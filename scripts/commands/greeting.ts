import { version } from "../../emulator/domain/version.js";
import { describeOrigin } from "../../openapi/gaps/profile-origin.js";
import { formatContents, getTryPath } from "./format-contents.js";
import type { OpenedEmulator } from "./open-emulator.js";

/** What a person reads when the emulator is ready: where it is, whom it knows, what it holds, a line to try. */
export function formatGreeting({ emulator, url, data, exportTo, origin, console }: OpenedEmulator): string {
  const state = emulator.state();
  const { fixture, clock } = state;
  const lines = [
    `data-service emulator ${version}, fixture ${fixture}, ${clock.mode} clock at ${clock.now}`,
    "",
    `  service        ${url}`,
    `  control plane  ${url}/_emulator`,
    ...(console === undefined ? [] : [`  console        ${console}`]),
    `  start page     ${url}/`,
    `  contract       ${url}/openapi.json`,
    ...(origin === undefined ? [] : [`  profile        ${describeOrigin(origin)}`]),
    ...(data === undefined ? [] : [`  data           ${data}`]),
    ...(exportTo === undefined ? [] : [`  on exit        writes ${exportTo}`]),
    ...formatContents(emulator, state),
    "",
    "  try",
    `    curl${url.startsWith("https:") ? " --insecure" : ""} ${url}${getTryPath(emulator, state)}`,
    "",
    "  Ctrl+C stops it",
    "",
  ];
  return lines.join("\n");
}
