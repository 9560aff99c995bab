import { maxIdleSeconds } from "../../openapi/clauses/limits.js";
import { isObject } from "../../openapi/text/is-object.js";
import { fixtureNames, isFixtureName, isSeedPath } from "../../fixtures/register.js";
import { parseProfile } from "../../openapi/document/parse-profile.js";
import { defaultProfile, strictModeAnswers } from "../../openapi/gaps/profile.js";
import { Coverage } from "../coverage/coverage.js";
import { maxJournalEntries, defaultJournalEntryCount } from "../journal/journal.js";
import { emulatorLimits } from "../memory/limits.js";
import type { NamespacesOptions } from "../namespaces/namespaces.js";
import { isClockMode } from "../time/clock.js";
import type { EmulatorOptions, ListenOptions } from "./emulator-options.js";
import { describeName, describeValue, must, rejectMistakes, type Rule } from "./reject-mistakes.js";

const boolean = (name: string) =>
  must(`${name} must be true or false`, (value) => typeof value === "boolean");

const whole = (name: string, from: number, to?: number) =>
  must(
    `${name} must be a whole number ${to === undefined ? `of at least ${from}` : `from ${from} to ${to}`}`,
    (value) => isWhole(value, from, to),
  );

const arrayOf =
  (requirement: string, isValid: (value: unknown) => boolean): Rule =>
  (value) => {
    if (!Array.isArray(value)) return `${requirement}, not ${describeValue(value)}`;
    const invalid = value.findIndex((one) => !isValid(one));
    return invalid < 0 ? undefined : `${requirement}; entry ${invalid} is ${describeValue(value[invalid])}`;
  };

const rules: Readonly<Record<keyof EmulatorOptions, Rule>> = {
  fixture: (value) =>
    isFixture(value)
      ? undefined
      : `there is no fixture named ${describeName(value)}; choose ${fixtureNames.join(" or ")}, or give the path to a ` +
        "seed file, such as ./seed.yaml",
  profile: (value) => {
    const parsed = parseProfile(value);
    if ("profile" in parsed) return undefined;
    return parsed.mistakes
      .map(({ gap, detail }) => `profile: ${gap === "" ? "" : `${gap}: `}${detail}`)
      .join("\n");
  },
  strict: boolean("strict"),
  seed: whole("the seed", 0),
  clock: must(
    "the clock must be manual or system",
    (value) => typeof value === "string" && isClockMode(value),
  ),
  data: must(
    "data must be a file name, a file: URL or the bytes of a file",
    (value) => (typeof value === "string" && value !== "") || isFileUrl(value) || value instanceof Uint8Array,
  ),
  maxNamespaces: whole("maxNamespaces", 1),
  maxMemoryBytes: whole("maxMemoryBytes", 1),
  journal: must(
    `journal must be true, false or a whole number of requests from 0 to ${maxJournalEntries}`,
    (value) => typeof value === "boolean" || isWhole(value, 0, maxJournalEntries),
  ),
  coverage: boolean("coverage"),
  console: boolean("console"),
  allowHosts: arrayOf(
    "allowHosts must be a list of host names without a scheme, port or path",
    (name) => typeof name === "string" && /^[a-z0-9][a-z0-9._-]{0,252}$/i.test(name),
  ),
  namespaceIdleSeconds: whole("namespaceIdleSeconds", 1, maxIdleSeconds),
  middleware: arrayOf(
    "middleware must be a list of Hono middleware functions",
    (one) => typeof one === "function",
  ),
  onRequest: must("onRequest must be a function", (value) => typeof value === "function"),
};

const listenRules: Readonly<Record<keyof ListenOptions, Rule>> = {
  port: whole("the port", 0, 65_535),
  host: must("the host must be a name or an address", (value) => typeof value === "string" && value !== ""),
  https: boolean("https"),
};

/** @throws Error with every mistake in the options */
export function parseEmulatorOptions(
  options: EmulatorOptions,
): Omit<NamespacesOptions, "data" | "fixtures" | "fixture" | "buildState"> {
  rejectMistakes("createEmulator", options, rules);
  const { profile, strict = false, journal = true, coverage = true } = options;
  const parsed = parseProfile({ ...(strict ? strictModeAnswers : {}), ...profile });
  return {
    profile: "profile" in parsed ? parsed.profile : defaultProfile,
    seed: options.seed,
    clock: options.clock,
    journal: typeof journal === "number" ? journal : journal ? defaultJournalEntryCount : 0,
    coverage: coverage ? new Coverage() : undefined,
    maxNamespaces: options.maxNamespaces ?? emulatorLimits.namespaces,
    maxMemoryBytes: options.maxMemoryBytes,
    allowHosts: options.allowHosts ?? [],
    namespaceIdleSeconds: options.namespaceIdleSeconds,
    onRequest: rethrowAsync(options.onRequest),
  };
}

/** @throws Error with every mistake in the options */
export function checkListenOptions(options: ListenOptions): void {
  rejectMistakes("listen", options, listenRules);
}

/** Rethrows errors from `onRequest` asynchronously, so that they do not fail the request. */
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

/** Whether a value is the name of a fixture, a path or a seed object. The contents are checked when they are read. */
function isFixture(value: unknown): boolean {
  if (typeof value === "string") return isFixtureName(value) || isSeedPath(value);
  if (value instanceof URL) return isFileUrl(value);
  return isObject(value) && !(value instanceof Uint8Array);
}

function isFileUrl(value: unknown): boolean {
  return value instanceof URL && value.protocol === "file:";
}

function isWhole(value: unknown, from: number, to = Number.MAX_SAFE_INTEGER): boolean {
  return Number.isSafeInteger(value) && (value as number) >= from && (value as number) <= to;
}
