import { createEmulator, type Emulator } from "../emulator/emulator.js";
import { version } from "../emulator/version.js";
import { fixtureNames, isFixtureName } from "../fixtures/register.js";
import { fail } from "./command-error.js";
import { readProfileFile } from "./read-profile-file.js";

export interface StartOptions {
  readonly port: number;
  readonly host: string;
  readonly fixture: string;
  readonly profile?: string;
  readonly seed: number;
  readonly clock: string;
  readonly journal: boolean;
  readonly json?: true;
}

/** `data-service start`: runs until SIGINT or SIGTERM. */
export async function start(options: StartOptions): Promise<void> {
  const { port, host, fixture, seed, clock, journal } = options;
  if (!isFixtureName(fixture))
    fail(`there is no fixture named ${fixture}; choose ${fixtureNames.join(" or ")}`);
  if (clock !== "manual" && clock !== "system") fail(`the clock is manual or system, not ${clock}`);
  const profile = await readProfileFile(options.profile);
  const emulator = await createEmulator({
    fixture,
    seed,
    clock,
    journal,
    ...(profile === undefined ? {} : { profile }),
  });
  const url = await emulator
    .listen({ port, host })
    .catch((error: unknown) => fail(describeListenError(error, host, port)));
  if (!isLoopback(host))
    process.stderr.write(
      `warning: listening on ${host}: everyone who can reach this machine can use the emulator and its control plane\n`,
    );
  if (options.json === true) process.stdout.write(`${JSON.stringify(readyLine(emulator, url))}\n`);
  else process.stdout.write(greeting(emulator, url));
  stopOnSignals(emulator);
}

function stopOnSignals(emulator: Emulator): void {
  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(130);
    stopping = true;
    emulator.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error instanceof Error ? error.message : String(error)),
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}

function readyLine(emulator: Emulator, url: string) {
  const { fixture, seed, credentials, clock } = emulator.state();
  return {
    ready: true,
    version,
    url,
    controlPlane: `${url}/_emulator`,
    pid: process.pid,
    fixture,
    seed,
    clock,
    credentials,
  };
}

function greeting(emulator: Emulator, url: string): string {
  const { fixture, credentials, clock } = emulator.state();
  const { users, apiKeys } = credentials;
  const lines = [
    `data-service emulator ${version}, fixture ${fixture}, ${clock.mode} clock at ${clock.now}`,
    "",
    `  service        ${url}`,
    `  control plane  ${url}/_emulator`,
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

function tryLine(
  url: string,
  apiKeys: readonly { readonly key: string; readonly scopes: readonly string[] }[],
): string {
  const reader = apiKeys.find(({ scopes }) => scopes.includes("database:read"));
  if (reader === undefined) return `curl ${url}/health`;
  return (
    `curl ${url}/api/v1/databases/db_demo/items/query -H 'Authorization: Bearer ${reader.key}' ` +
    `-H 'Content-Type: application/json' -d '{"partitionKey":"customer#ada"}'`
  );
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

function describeListenError(error: unknown, host: string, port: number): string {
  const code = (error as { readonly code?: string }).code;
  if (code === "EADDRINUSE")
    return `port ${port} of ${host} is in use. Stop what listens there, or choose another: --port 0 takes any free one`;
  if (code === "EACCES") return `port ${port} needs more rights; choose one above 1023`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") return `${host} is no address of this machine`;
  return `cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`;
}
