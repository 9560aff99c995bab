import type { Emulator } from "../../emulator/api/emulator.js";

/** What an emulator says of itself: asked for once, because that counts all there is. */
export type EmulatorState = ReturnType<Emulator["state"]>;

/** As many of a kind as fit on a screen. */
const most = 20;

/** The users, API keys and databases of a world, whatever it was opened from. */
export function contentLines(emulator: Emulator, state: EmulatorState): string[] {
  return [...userLines(emulator, state), ...keyLines(state), ...databaseLines(emulator)];
}

/** Somewhere to go with a key that reads, as what stands behind the URL in a line for curl. */
export function tryPath(emulator: Emulator, { credentials: { apiKeys } }: EmulatorState): string {
  for (const { databaseId, organizationId, items } of emulator.databases.list()) {
    const reader = apiKeys.find(
      (key) =>
        key.organizationId === organizationId &&
        key.scopes.some((scope) => ["database:read", "database:*", "*"].includes(scope)),
    );
    if (reader === undefined || items === 0) continue;
    const isDemo = databaseId === "db_demo";
    const [operation, body] = isDemo ? ["query", '{"partitionKey":"customer#ada"}'] : ["scan", "{}"];
    return (
      `/api/v1/databases/${databaseId}/items/${operation} -H 'Authorization: Bearer ${reader.key}' ` +
      `-H 'Content-Type: application/json' -d '${body}'`
    );
  }
  return "/health";
}

function userLines(emulator: Emulator, { counts, credentials: { users } }: EmulatorState): string[] {
  const unknown = counts.users - users.length;
  if (users.length === 0) return [];
  const personal = new Set(
    emulator.organizations
      .list()
      .filter(({ isPersonal }) => isPersonal)
      .map(({ organizationId }) => organizationId),
  );
  const shown = users.slice(0, most);
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
  const lines = users.map(({ email, password, memberships }) => {
    const roles = memberships
      .filter(({ organizationId }) => !personal.has(organizationId))
      .map(({ organizationId, role }) => `${role} of ${organizationId}`);
    return `    ${email.padEnd(emails)} ${password.padEnd(passwords)}   ${roles.join(", ")}`.trimEnd();
  });
  const others = unknown > 0 ? [`    and ${unknown} whose passwords are not known`] : [];
  return ["", "  users (none of these is a real secret)", ...cut(lines), ...others];
}

function keyLines({ credentials: { apiKeys } }: EmulatorState): string[] {
  const organizations = [...new Set(apiKeys.map(({ organizationId }) => organizationId))];
  return organizations.flatMap((organizationId) => {
    const lines = apiKeys
      .filter((key) => key.organizationId === organizationId)
      .map(({ key, scopes }) => `    ${key.padEnd(28)} ${scopes.join(", ")}`);
    return ["", `  API keys of ${organizationId}`, ...cut(lines)];
  });
}

function databaseLines(emulator: Emulator): string[] {
  const lines = emulator.databases.list().map(({ databaseId, organizationId, ...held }) => {
    const counts = [
      [held.items, "item"],
      [held.repositories, "repository"],
      [held.sqlTables, "SQL table"],
    ] as const;
    const holds = counts.filter(([count]) => count > 0).map(([count, what]) => counted(count, what));
    return `    ${databaseId.padEnd(28)} of ${organizationId}${holds.length > 0 ? `: ${holds.join(", ")}` : ""}`;
  });
  return lines.length === 0 ? [] : ["", "  databases", ...cut(lines)];
}

function counted(count: number, what: string): string {
  return `${count} ${count === 1 ? what : `${what}s`.replace(/ys$/, "ies")}`;
}

function cut(lines: readonly string[]): string[] {
  return lines.length <= most ? [...lines] : [...lines.slice(0, most), `    and ${lines.length - most} more`];
}
