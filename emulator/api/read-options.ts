import { fixtureNames, isFixtureName } from "../../fixtures/register.js";
import { readProfile } from "../../openapi/document/read-profile.js";
import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";
import { Coverage } from "../coverage/coverage.js";
import { maxEntries, defaultEntries } from "../journal/journal.js";
import { emulatorLimits } from "../memory/limits.js";
import { strictModeAnswers } from "../../openapi/gaps/profile.js";
import { isSeedPath } from "../seeds/seed-path.js";
import type { NamespacesOptions } from "../namespaces/namespaces.js";
import { isClockMode } from "../time/clock.js";
import type { EmulatorOptions, ListenOptions } from "./emulator-options.js";

/** What is wrong with the value of an option; nothing where it may stand. */
type Rule = (value: unknown) => string | undefined;

const whole =
  (name: string, from: number, to = Number.MAX_SAFE_INTEGER): Rule =>
  (value) =>
    isWhole(value, from, to)
      ? undefined
      : `${name} from ${from} ${describeRange(to)}, not ${describeValue(value)}`;

const rules: Readonly<Record<keyof EmulatorOptions, Rule>> = {
  fixture: (value) =>
    isFixture(value)
      ? undefined
      : `there is no fixture named ${describeName(value)}; choose ${fixtureNames.join(" or ")}, or give the path of a seed file, such as ./seed.yaml`,
  profile: (value) => {
    const read = readProfile(value);
    if ("profile" in read) return undefined;
    return read.mistakes
      .map(({ gap, detail }) => `profile: ${gap === "" ? "" : `${gap}: `}${detail}`)
      .join("\n");
  },
  strict: (value) =>
    typeof value === "boolean" ? undefined : `strict is true or false, not ${describeValue(value)}`,
  seed: whole("the seed must be a whole number", 0),
  clock: (value) =>
    typeof value === "string" && isClockMode(value)
      ? undefined
      : `the clock is manual or system, not ${describeName(value)}`,
  data: (value) =>
    (typeof value === "string" && value !== "") || value instanceof URL || value instanceof Uint8Array
      ? undefined
      : `data is the name of a file, a file: URL or the bytes, not ${describeValue(value)}`,
  maxNamespaces: whole("maxNamespaces must be a whole number", 1),
  maxMemoryBytes: whole("maxMemoryBytes must be a whole number", 1),
  journal: (value) =>
    typeof value === "boolean"
      ? undefined
      : whole("the journal remembers a whole number of requests", 0, maxEntries)(value),
  coverage: (value) =>
    typeof value === "boolean" ? undefined : `coverage is true or false, not ${describeValue(value)}`,
  console: (value) =>
    typeof value === "boolean" ? undefined : `console is true or false, not ${describeValue(value)}`,
  allowHosts: (value) =>
    Array.isArray(value) && value.every((name) => typeof name === "string" && isHostName(name))
      ? undefined
      : `allowHosts is a list of host names, without scheme, port and path, not ${describeValue(value)}`,
  namespaceIdleSeconds: whole("namespaceIdleSeconds must be a whole number", 1, 604_800),
  middleware: (value) =>
    Array.isArray(value) && value.every((one) => typeof one === "function")
      ? undefined
      : `middleware is a list of functions, as Hono's \`app.use\` takes them, not ${describeValue(value)}`,
  onRequest: (value) =>
    typeof value === "function" ? undefined : `onRequest is a function, not ${describeValue(value)}`,
};

const listenRules: Readonly<Record<keyof ListenOptions, Rule>> = {
  port: whole("the port must be a whole number", 0, 65_535),
  host: (value) =>
    typeof value === "string" && value !== ""
      ? undefined
      : `the host is a name or an address, not ${describeValue(value)}`,
  https: (value) =>
    typeof value === "boolean" ? undefined : `https is true or false, not ${describeValue(value)}`,
};

/** @throws Error with every mistake in the options */
export function readOptions(
  options: EmulatorOptions,
): Omit<NamespacesOptions, "data" | "fixtures" | "fixture"> {
  refuseMistakes("createEmulator", options, rules);
  const { profile = {}, strict = false, seed, clock, journal = true, coverage = true } = options;
  const {
    maxNamespaces = emulatorLimits.namespaces,
    maxMemoryBytes,
    allowHosts = [],
    namespaceIdleSeconds,
    onRequest,
  } = options;
  const entries = typeof journal === "number" ? journal : journal ? defaultEntries : 0;
  const read = readProfile({ ...(strict ? strictModeAnswers : {}), ...profile });
  const whole: Profile = "profile" in read ? read.profile : defaultProfile;
  return {
    profile: whole,
    seed,
    clock,
    journal: entries,
    coverage: coverage ? new Coverage() : undefined,
    maxNamespaces,
    maxMemoryBytes,
    allowHosts,
    namespaceIdleSeconds,
    onRequest: rethrowAsync(onRequest),
  };
}

/** @throws Error with every mistake in the options */
export function checkListenOptions(options: ListenOptions): void {
  refuseMistakes("listen", options, listenRules);
}

function refuseMistakes(of: string, given: unknown, known: Readonly<Record<string, Rule>>): void {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new Error(`${of} takes an object of options, not ${describeValue(given)}`);
  const mistakes = Object.entries(given).flatMap(([name, value]) => {
    if (!Object.hasOwn(known, name))
      return [`${of} has no option ${describeName(name)}; there are ${Object.keys(known).join(", ")}`];
    const mistake = value === undefined ? undefined : known[name]?.(value);
    return mistake === undefined ? [] : [mistake];
  });
  if (mistakes.length > 0) throw new Error(mistakes.join("\n"));
}

/** An error of `onRequest` must not fail the request: it is thrown outside of it. */
function rethrowAsync(onRequest: EmulatorOptions["onRequest"]): EmulatorOptions["onRequest"] {
  if (onRequest === undefined) return undefined;
  return (request) => {
    try {
      onRequest(request);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };
}

/** A known name, the path of a file, or a seed; their readers check the contents. */
function isFixture(value: unknown): boolean {
  if (typeof value === "string") return isFixtureName(value) || isSeedPath(value);
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}

function isHostName(name: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,252}$/i.test(name);
}

function isWhole(value: unknown, from: number, to: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= from && (value as number) <= to;
}

function describeRange(to: number): string {
  return to === Number.MAX_SAFE_INTEGER ? "on" : `to ${to}`;
}

function describeName(value: unknown): string {
  return typeof value === "string" ? value : describeValue(value);
}

function describeValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (value === null || typeof value !== "object") return String(value);
  return Array.isArray(value) ? "an array" : "an object";
}
