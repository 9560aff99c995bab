import type { Emulator } from "../../emulator/api/emulator.js";
import { version } from "../../emulator/domain/version.js";
import { originInWords } from "../../openapi/gaps/profile-origin.js";
import type { OpenedEmulator } from "./open-emulator.js";

/** What a person reads when the emulator is ready: where it is, whom it knows, a line to try. */
export function greeting({ emulator, url, data, exportTo, origin, console }: OpenedEmulator): string {
  const { fixture, credentials, clock } = emulator.state();
  const { users, apiKeys } = credentials;
  const lines = [
    `data-service emulator ${version}, fixture ${fixture}, ${clock.mode} clock at ${clock.now}`,
    "",
    `  service        ${url}`,
    `  control plane  ${url}/_emulator`,
    ...(console === undefined ? [] : [`  console        ${console}`]),
    `  start page     ${url}/`,
    `  contract       ${url}/openapi.json`,
    ...(origin === undefined ? [] : [`  profile        ${originInWords(origin)}`]),
    ...(data === undefined ? [] : [`  data           ${data}`]),
    ...(exportTo === undefined ? [] : [`  on exit        writes ${exportTo}`]),
  ];
  if (users.length > 0) {
    lines.push("", "  users (none of these is a real secret)");
    for (const { email, password, memberships } of users) {
      const roles = memberships
        .filter(({ organizationId }) => !organizationId.startsWith("org_personal_"))
        .map(({ organizationId, role }) => `${role} of ${organizationId}`);
      lines.push(`    ${email.padEnd(22)} ${password}   ${roles.join(", ")}`);
    }
  }
  if (apiKeys.length > 0) {
    lines.push("", `  API keys of ${apiKeys[0]?.organizationId ?? ""}`);
    for (const { key, scopes } of apiKeys) lines.push(`    ${key.padEnd(28)} ${scopes.join(", ")}`);
  }
  lines.push("", "  try", `    ${tryLine(url, apiKeys)}`, "", "  Ctrl+C stops it", "");
  return lines.join("\n");
}

function tryLine(url: string, apiKeys: ReturnType<Emulator["state"]>["credentials"]["apiKeys"]): string {
  const insecure = url.startsWith("https:") ? " --insecure" : "";
  const reader = apiKeys.find(({ scopes }) => scopes.includes("database:read"));
  if (reader === undefined) return `curl${insecure} ${url}/health`;
  return (
    `curl${insecure} ${url}/api/v1/databases/db_demo/items/query -H 'Authorization: Bearer ${reader.key}' ` +
    `-H 'Content-Type: application/json' -d '{"partitionKey":"customer#ada"}'`
  );
}
