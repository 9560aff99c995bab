import type { Database } from "sql.js";
import { endOfTime } from "../time/timestamp.js";
import { StateFileError } from "./state-file-error.js";

/** Which form the values of `meta` have; `open-world.ts` reads clockAndIds and fixture of every world that it opens. */
const forms: Readonly<Record<string, (value: unknown) => boolean>> = {
  health: (value) =>
    isRecord(value) &&
    Object.keys(value).length === 4 &&
    ["Healthy", "Unhealthy"].includes(value.health as string) &&
    ["Ready", "NotReady"].includes(value.ready as string) &&
    ["Alive", "Dead"].includes(value.live as string) &&
    typeof value.details === "string",
  seeded: (value) => isRecord(value) && isTexts(value.users) && isTexts(value.apiKeys),
  requestWindows: (value) => Array.isArray(value) && value.every(isWindow),
};

/** Looks into the single values of a state. @throws StateFileError */
export function checkMeta(database: Database): void {
  for (const [name, isRight] of Object.entries(forms)) {
    const [found] = database.exec("SELECT value FROM meta WHERE name = ?", [name]);
    const text = found?.values[0]?.[0];
    if (text === undefined) continue;
    if (!isRight(parsed(String(text))))
      throw new StateFileError(
        `it is damaged: what meta says of ${name} cannot be read; delete that row, and it begins anew`,
      );
  }
}

function isWindow(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [organizationId, window] = value as readonly unknown[];
  return (
    typeof organizationId === "string" &&
    isRecord(window) &&
    isCount(window.start, endOfTime) &&
    isCount(window.requests, Number.MAX_SAFE_INTEGER)
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

function isCount(value: unknown, most: number): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= most;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
