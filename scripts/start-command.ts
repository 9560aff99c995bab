import { createEmulator, type Emulator } from "../emulator/emulator.js";
import { version } from "../emulator/version.js";
import { fixtureNames, isFixtureName } from "../fixtures/register.js";
import { fail } from "./command-error.js";
import { readDataOptions } from "./read-data-options.js";
import { originInWords } from "../openapi/profile-origin.js";
import { readGivenProfile } from "./read-profile-file.js";
import { writeFileAtomically } from "./write-file-atomically.js";

export interface StartOptions {
  readonly port: number;
  readonly host: string;
  readonly fixture: string;
  readonly profile?: string;
  readonly seed?: number;
  readonly clock?: string;
  readonly data?: string;
  readonly exportOnExit?: string | true;
  readonly journal?: boolean | number;
  readonly json?: true;
}

/** `data-service start`: runs until SIGINT or SIGTERM. */
export async function start(options: StartOptions): Promise<void> {
  const { port, host, fixture, seed, clock, journal } = options;
  if (!isFixtureName(fixture))
    fail(`there is no fixture named ${fixture}; choose ${fixtureNames.join(" or ")}`);
  if (clock !== undefined && clock !== "manual" && clock !== "system")
    fail(`the clock is manual or system, not ${clock}`);
  const given = await readGivenProfile(options.profile);
  const { data, exportTo } = readDataOptions(options);
  const emulator = await createEmulator({
    fixture,
    ...(seed === undefined ? {} : { seed }),
    ...(clock === undefined ? {} : { clock }),
    ...(data === undefined ? {} : { data }),
    ...(journal === undefined ? {} : { journal }),
    ...(given === undefined ? {} : { profile: given.profile }),
  }).catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
  const url = await emulator
    .listen({ port, host })
    .catch((error: unknown) => fail(describeListenError(error, host, port)));
  if (!isLoopback(host))
    process.stderr.write(
      `warning: listening on ${host}: everyone who can reach this machine can use the emulator and its control plane\n`,
    );
  const files = { data: data ?? null, exportOnExit: exportTo ?? null };
  if (options.json === true)
    process.stdout.write(`${JSON.stringify({ ...readyLine(emulator, url), ...files })}\n`);
  else {
    const origin = given?.origin === undefined ? [] : [`  profile        ${originInWords(given.origin)}`];
    process.stdout.write(greeting(emulator, url, [...origin, ...describeFiles(data, exportTo)]));
  }
  stopOnSignals(emulator, exportTo);
}

/** The first signal lets requests under way finish; the second one does not wait for them. Both export. */
function stopOnSignals(emulator: Emulator, exportTo: string | undefined): void {
  let stopping = false;
  // without a pause from here on, so that no other signal comes between
  const end = (code: number) => {
    try {
      if (exportTo !== undefined) writeFileAtomically(exportTo, emulator.export());
    } catch (error) {
      fail(`cannot write ${exportTo}: ${error instanceof Error ? error.message : String(error)}`);
    }
    process.exit(code);
  };
  const stop = () => {
    if (stopping) end(130);
    stopping = true;
    emulator.stopListening().then(
      () => end(0),
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

function describeFiles(data: string | undefined, exportTo: string | undefined): string[] {
  return [
    ...(data === undefined ? [] : [`  data           ${data}`]),
    ...(exportTo === undefined ? [] : [`  on exit        writes ${exportTo}`]),
  ];
}

function greeting(emulator: Emulator, url: string, files: readonly string[]): string {
  const { fixture, credentials, clock } = emulator.state();
  const { users, apiKeys } = credentials;
  const lines = [
    `data-service emulator ${version}, fixture ${fixture}, ${clock.mode} clock at ${clock.now}`,
    "",
    `  service        ${url}`,
    `  control plane  ${url}/_emulator`,
    ...files,
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
