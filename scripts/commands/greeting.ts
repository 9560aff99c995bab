import { version } from "../../emulator/domain/version.js";
import { describeProfileOrigin } from "../../openapi/gaps/profile-origin.js";
import type { OpenedEmulator } from "./open-emulator.js";
import type { Emulator } from "../../emulator/api/emulator.js";
import { buildExampleCurlArguments } from "../../emulator/access/build-example-curl-arguments.js";
import type { PersistedState } from "./persistence.js";
import { formatCount } from "../../openapi/text/format-count.js";

/** Formats the text printed when the emulator is ready: its URLs, users, keys, databases and a command to try. */
export function formatGreeting(
  { emulator, url, data, exportTo, origin, configFile, console }: OpenedEmulator,
  kept?: PersistedState,
): string {
  const state = emulator.state();
  const { fixture, clock } = state;
  const begin = kept?.isUsed === true ? `state from ${kept.folder}` : `fixture ${fixture}`;
  const tryPath = buildExampleCurlArguments(emulator.databases.list(), state.credentials.apiKeys);
  const lines = [
    `data-service emulator ${version}, ${begin}, ${clock.mode} clock at ${clock.now}`,
    "",
    `  service        ${url}`,
    `  control plane  ${url}/_emulator`,
    ...(console === undefined ? [] : [`  console        ${console}`]),
    `  contract       ${url}/openapi.json`,
    ...(configFile === undefined ? [] : [`  configuration  ${configFile}`]),
    ...(origin === undefined ? [] : [`  profile        ${describeProfileOrigin(origin)}`]),
    ...(data === undefined ? [] : [`  data           ${data}`]),
    ...(kept === undefined ? [] : [`  data           ${describeKeptState(kept)}`]),
    ...(exportTo === undefined ? [] : [`  on exit        writes ${exportTo}`]),
    ...formatEmulatorContents(emulator, state),
    "",
    "  try",
    `    curl${url.startsWith("https:") ? " --insecure" : ""} ${url}${tryPath}`,
    "",
    "  Ctrl+C stops the emulator",
    "",
  ];
  return lines.join("\n");
}

function describeKeptState({ folder, isUsed, fixture }: PersistedState): string {
  if (!isUsed) return `saved in ${folder}`;
  return `loaded from ${folder} and saved there; a reset restores the fixture ${fixture}`;
}

/** The state of an emulator; computed once, because it counts everything. */
export type EmulatorState = ReturnType<Emulator["state"]>;

/** Maximum number of lines of a kind. */
const maxLines = 20;

/** Formats the users, API keys and databases of an emulator. */
export function formatEmulatorContents(emulator: Emulator, state: EmulatorState): string[] {
  return [...formatUsers(emulator, state), ...formatApiKeys(state), ...formatDatabases(emulator)];
}

function formatUsers(emulator: Emulator, { counts, credentials: { users } }: EmulatorState): string[] {
  const unknown = counts.users - users.length;
  if (users.length === 0) return [];
  const personal = new Set(
    emulator.organizations
      .list()
      .filter(({ isPersonal }) => isPersonal)
      .map(({ organizationId }) => organizationId),
  );
  const shown = users.slice(0, maxLines);
  const widthOf = (texts: readonly string[], least: number) =>
    Math.max(least, ...texts.map(({ length }) => length));
  const emails = widthOf(
    shown.map(({ email }) => email),
    22,
  );
  const passwords = widthOf(
    shown.map(({ password }) => password),
    0,
  );
  const reasons = new Map(emulator.users.list().map((user) => [user.userId, explainFailedLogin(user)]));
  const lines = users.map(({ userId, email, password, memberships }) => {
    const roles = memberships
      .filter(({ organizationId }) => !personal.has(organizationId))
      .map(({ organizationId, role }) => `${role} of ${organizationId}`);
    const notes = [...(reasons.get(userId) ?? []), ...roles].join(", ");
    return `    ${email.padEnd(emails)} ${password.padEnd(passwords)}   ${notes}`.trimEnd();
  });
  const others = unknown > 0 ? [`    and ${unknown} more, whose passwords are unknown`] : [];
  return ["", "  users (the passwords work only in this emulator)", ...truncateLines(lines), ...others];
}

type User = ReturnType<Emulator["users"]["list"]>[number];

/** Returns why a user cannot log in, if so, with the status of the response. */
function explainFailedLogin({ emailVerified, mfaRequired }: User): readonly string[] {
  if (!emailVerified) return ["cannot log in (EmailVerificationRequired)"];
  return mfaRequired ? ["cannot log in (MfaRequired)"] : [];
}

function formatApiKeys({ credentials: { apiKeys } }: EmulatorState): string[] {
  const organizations = [...new Set(apiKeys.map(({ organizationId }) => organizationId))];
  return organizations.flatMap((organizationId) => {
    const lines = apiKeys
      .filter((key) => key.organizationId === organizationId)
      .map(({ key, scopes }) => `    ${key.padEnd(28)} ${scopes.join(", ")}`);
    return ["", `  API keys of ${organizationId}`, ...truncateLines(lines)];
  });
}

function formatDatabases(emulator: Emulator): string[] {
  const lines = emulator.databases.list().map(({ databaseId, organizationId, ...held }) => {
    const counts = [
      [held.items, "item"],
      [held.repositories, "repository"],
      [held.sqlTables, "SQL table"],
    ] as const;
    const holds = counts.filter(([count]) => count > 0).map(([count, what]) => formatCount(count, what));
    return `    ${databaseId.padEnd(28)} of ${organizationId}${holds.length > 0 ? `: ${holds.join(", ")}` : ""}`;
  });
  return lines.length === 0 ? [] : ["", "  databases", ...truncateLines(lines)];
}

function truncateLines(lines: readonly string[]): string[] {
  return lines.length <= maxLines
    ? [...lines]
    : [...lines.slice(0, maxLines), `    and ${lines.length - maxLines} more`];
}
