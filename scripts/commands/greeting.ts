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
  persisted?: PersistedState,
): string {
  const state = emulator.state();
  const { fixture, clock } = state;
  const source = persisted?.isUsed === true ? `state from ${persisted.folder}` : `fixture ${fixture}`;
  const tryPath = buildExampleCurlArguments(emulator.databases.list(), state.credentials.apiKeys);
  const lines = [
    `data-service emulator ${version}, ${source}, ${clock.mode} clock at ${clock.now}`,
    "",
    `  service        ${url}`,
    `  control plane  ${url}/_emulator`,
    ...(console === undefined ? [] : [`  console        ${console}`]),
    `  contract       ${url}/openapi.json`,
    ...(configFile === undefined ? [] : [`  configuration  ${configFile}`]),
    ...(origin === undefined ? [] : [`  profile        ${describeProfileOrigin(origin)}`]),
    ...(data === undefined ? [] : [`  data           ${data}`]),
    ...(persisted === undefined ? [] : [`  data           ${describePersistedState(persisted)}`]),
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

function describePersistedState({ folder, isUsed, fixture }: PersistedState): string {
  if (!isUsed) return `saved in ${folder}`;
  return `loaded from ${folder} and saved there; a reset restores the fixture ${fixture}`;
}

/** The state of an emulator. Computing it takes time, because it counts all data. */
export type EmulatorState = ReturnType<Emulator["state"]>;

/** Maximum number of lines in each list. */
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
  const emailWidth = Math.max(22, ...shown.map(({ email }) => email.length));
  const passwordWidth = Math.max(...shown.map(({ password }) => password.length));
  const reasons = new Map(emulator.users.list().map((user) => [user.userId, explainFailedLogin(user)]));
  const lines = users.map(({ userId, email, password, memberships }) => {
    const roles = memberships
      .filter(({ organizationId }) => !personal.has(organizationId))
      .map(({ organizationId, role }) => `${role} of ${organizationId}`);
    const notes = [...(reasons.get(userId) ?? []), ...roles].join(", ");
    return `    ${email.padEnd(emailWidth)} ${password.padEnd(passwordWidth)}   ${notes}`.trimEnd();
  });
  const others = unknown > 0 ? [`    and ${unknown} more, whose passwords are not shown`] : [];
  return ["", "  users (the passwords work only in this emulator)", ...truncateLines(lines), ...others];
}

type User = ReturnType<Emulator["users"]["list"]>[number];

/** Returns why a user cannot log in, with the status of the response; empty if the user can. */
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
  const lines = emulator.databases.list().map((database) => {
    const { databaseId, organizationId, items, repositories, sqlTables } = database;
    const counts = Object.entries({ item: items, repository: repositories, "SQL table": sqlTables });
    const contents = counts.filter(([, count]) => count > 0).map(([noun, count]) => formatCount(count, noun));
    return `    ${databaseId.padEnd(28)} of ${organizationId}${contents.length > 0 ? `: ${contents.join(", ")}` : ""}`;
  });
  return lines.length === 0 ? [] : ["", "  databases", ...truncateLines(lines)];
}

function truncateLines(lines: readonly string[]): string[] {
  return lines.length <= maxLines
    ? [...lines]
    : [...lines.slice(0, maxLines), `    and ${lines.length - maxLines} more`];
}
