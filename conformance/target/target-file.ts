import { readFile } from "node:fs/promises";
import type { SchemaObject } from "openapi3-ts/oas31";
import { type Scope, scopes } from "../../openapi/schemas/roles.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { buildProfileSchema } from "../../openapi/gaps/profile-schema.js";
import { parseProfile } from "../../openapi/document/parse-profile.js";
import { findFileMistakes } from "../../openapi/validation/find-file-mistakes.js";
import type { RateLimits } from "../client/rate-limiter.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";
import { parseYaml } from "../client/parse-yaml.js";
import { RunError } from "../client/violation.js";
import { type ObservationBounds, defaultObservationBounds } from "./observation-bounds.js";
import type { Login, LoginName } from "./actors.js";

/** What a target file permits the suite to do on a deployment. */
export const capabilities = {
  "create-databases": "Create and delete databases.",
  "create-organizations": "Create and delete organizations.",
  sql: "Use the SQL interface.",
  repositories: "Use repositories and entities.",
  invitations:
    "Invite members. The deployment might then send email to made-up addresses at `invitationDomain`.",
  checkout:
    "Start checkouts and request the billing portal. The deployment might then contact its payment provider.",
} as const;
export type Capability = keyof typeof capabilities;

/** Capabilities that apply if a target file lists none: all that have no effect outside the deployment. */
export const defaultCapabilities: readonly Capability[] = [
  "create-databases",
  "create-organizations",
  "sql",
  "repositories",
];

export const defaultRateLimits: RateLimits = { requestsPerSecond: 25, concurrency: 4, retries: 5 };
export const defaultTimeouts = {
  requestMs: 30_000,
  databaseReadyMs: 120_000,
  outageMs: 20_000,
  readLagMs: 0,
  countLagMs: 5000,
};

/** A deployment as its owner describes it to `certify`; the schema is `target.schema.json`. */
export interface TargetFile {
  readonly baseUrl?: string;
  readonly users: { readonly owner: Login } & Readonly<Partial<Record<LoginName, Login>>>;
  readonly apiKeys?: Readonly<Partial<Record<Scope | "expired", string>>>;
  readonly databaseId?: string;
  readonly region?: string;
  readonly capabilities?: readonly Capability[];
  readonly profile?: Readonly<Partial<Profile>>;
  readonly politeness?: Partial<RateLimits>;
  readonly timeouts?: Readonly<Partial<typeof defaultTimeouts>>;
  /** Domain of the made-up addresses to which invitations are sent. */
  readonly invitationDomain?: string;
  /** Settings of `observe`. */
  readonly observe?: { readonly bounds?: Partial<ObservationBounds> };
  /** The environment variables that the file refers to, by the path of the field that consists of the reference. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** A mistake in a target file. */
interface TargetFileMistake {
  /** Path of the field, such as `users.owner.email`; empty for the whole file. */
  readonly place: string;
  readonly detail: string;
}

/**
 * Parses a target file (YAML or JSON) and replaces each `${NAME}` with the environment variable.
 *
 * @returns the target file, or every mistake in it
 */
export function parseTargetFile(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly file: TargetFile } | { readonly mistakes: readonly TargetFileMistake[] } {
  const parsed = parseYaml(text);
  if ("mistake" in parsed) return { mistakes: [{ place: "", detail: parsed.mistake }] };
  const { value, variables, mistakes } = substituteVariables(parsed.value, environment);
  if (mistakes.length > 0) return { mistakes };
  const found = [...findSchemaMistakes(value), ...findProfileMistakes(value)];
  if (found.length > 0) return { mistakes: found };
  const file = value as TargetFile;
  return { file: Object.keys(variables).length === 0 ? file : { ...file, variables } };
}

/**
 * Reads a target file from a path.
 *
 * @throws RunError naming every mistake
 */
export async function loadTargetFile(
  path: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<TargetFile> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new RunError(`cannot read the target file ${path}: ${toErrorMessage(error)}`);
  });
  const read = parseTargetFile(text, environment);
  if ("file" in read) return read.file;
  const lines = read.mistakes.map(({ place, detail }) => `  ${place === "" ? "" : `${place}: `}${detail}`);
  throw new RunError(`the target file ${path} has errors:\n${lines.join("\n")}`);
}

const text = (description: string): SchemaObject => ({ type: "string", minLength: 1, description });
const secret = (description: string): SchemaObject => ({ type: "string", minLength: 6, description });

function user(description: string): SchemaObject {
  return {
    type: "object",
    description,
    properties: {
      email: text("Email address for login."),
      password: secret("Password, preferably in an environment variable: ${NAME}."),
      organizationId: text(
        "Id of the organization that the user works in. For `admin`, `member` and `readonly`, the default is the " +
          "owner's organization. For all other users, it is the user's personal organization.",
      ),
    },
    required: ["email", "password"],
    additionalProperties: false,
  };
}

function integer(
  description: string,
  [minimum, maximum]: readonly [number, number],
  defaultValue: number,
): SchemaObject {
  return { type: "integer", description, minimum, maximum, default: defaultValue };
}

function closedObject(description: string, properties: Record<string, SchemaObject>): SchemaObject {
  return { type: "object", description, properties, additionalProperties: false };
}

/** The JSON Schema of a target file, published for editors. */
export function buildTargetSchema(): SchemaObject & { $schema: string } {
  const { properties: answers = {} } = buildProfileSchema();
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Target file",
    description:
      "Description of a data service deployment for `data-service certify --target`. In any string, ${NAME} is " +
      "replaced with the value of the environment variable NAME; write $${ for a literal ${.",
    type: "object",
    properties: {
      $schema: { type: "string" },
      baseUrl: {
        ...text("Base URL of the deployment. A URL on the command line overrides it."),
        pattern: "^https?://",
      },
      users: {
        ...closedObject("Users by role in the organization that the suite works in.", {
          owner: user("Owner of the organization that the suite works in."),
          admin: user("Admin of the organization that the suite works in."),
          member: user("User with the role member in the organization that the suite works in."),
          readonly: user("User with the role readonly in the organization that the suite works in."),
          outsider: user(
            "User who owns an organization, but is not a member of the organization that the suite works in.",
          ),
          unverified: user("User whose email address is not verified."),
          mfa: user("User who logs in with a second factor."),
        }),
        required: ["owner"],
      },
      apiKeys: closedObject(
        "API keys for the organization that the suite works in, by scope.",
        Object.fromEntries([
          ...scopes.map((scope) => [scope, secret(`API key with the scope ${scope}.`)] as const),
          ["expired", secret("Expired API key with any scope.")],
        ]),
      ),
      databaseId: text(
        "Id of the database that the suite works in. By default, the suite creates a database.",
      ),
      region: text(
        "Region in which the suite creates databases. Defaults to the first allowed region of the organization. " +
          "If the organization does not restrict regions, the default is the region of an existing database.",
      ),
      invitationDomain: {
        ...text("Domain of the made-up email addresses to which the suite sends invitations."),
        pattern: "^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$",
        default: defaultInvitationDomain,
      },
      capabilities: {
        type: "array",
        description: `What the suite may do on the deployment. ${Object.entries(capabilities)
          .map(([name, means]) => `${name}: ${means}`)
          .join(" ")}`,
        items: { type: "string", enum: Object.keys(capabilities) },
        uniqueItems: true,
        default: [...defaultCapabilities],
      },
      profile: closedObject(
        "Known answers to gaps in the specification, such as a path that the suite cannot find by itself.",
        answers as Record<string, SchemaObject>,
      ),
      observe: buildObserveSchema(),
      politeness: closedObject("Limits on the load that the suite puts on the deployment.", {
        requestsPerSecond: {
          type: "number",
          description: "Maximum number of requests per second.",
          exclusiveMinimum: 0,
          maximum: 100_000,
          default: defaultRateLimits.requestsPerSecond,
        },
        concurrency: integer(
          "Maximum number of concurrent requests.",
          [1, 256],
          defaultRateLimits.concurrency,
        ),
        retries: integer(
          "How many times the suite retries a request that fails temporarily, for example with 429 or 503.",
          [0, 100],
          defaultRateLimits.retries,
        ),
      }),
      timeouts: closedObject("Time limits, in milliseconds.", {
        requestMs: integer(
          "Maximum time, in milliseconds, that the suite waits for a response.",
          [10, 600_000],
          defaultTimeouts.requestMs,
        ),
        databaseReadyMs: integer(
          "Maximum time, in milliseconds, that the suite waits for a new database to become ready.",
          [10, 3_600_000],
          defaultTimeouts.databaseReadyMs,
        ),
        outageMs: integer(
          "Maximum time, in milliseconds, that the suite waits for a deployment to recover after it has stopped " +
            "responding. If it does not recover in time, the run does not wait again.",
          [0, 600_000],
          defaultTimeouts.outageMs,
        ),
        readLagMs: integer(
          "Maximum time, in milliseconds, until a write is visible to reads. Before each read, the suite waits until this " +
            "much time has passed since the last write.",
          [0, 60_000],
          defaultTimeouts.readLagMs,
        ),
        countLagMs: integer(
          "Maximum time, in milliseconds, until counts (`totalCount`, `itemCount`, `rowCount`, usage) reflect a write.",
          [0, 3_600_000],
          defaultTimeouts.countLagMs,
        ),
      }),
    },
    required: ["users"],
    additionalProperties: false,
  };
}

function buildObserveSchema(): SchemaObject {
  return closedObject("Settings for `data-service observe`.", {
    bounds: closedObject("Limits on costly observations.", {
      requestsPerSecond: integer(
        "Maximum number of requests per second that the suite sends to find a rate limit; 0 skips this observation.",
        [0, 501],
        defaultObservationBounds.requestsPerSecond,
      ),
      entries: integer(
        "Maximum number of items, rows and entities that one observation creates.",
        [50, 110_000],
        defaultObservationBounds.entries,
      ),
      requestBytes: integer(
        "Maximum size, in bytes, of the requests that the suite sends to find the deployment's request size limit.",
        [5 * 1024 * 1024, defaultObservationBounds.requestBytes + 1],
        defaultObservationBounds.requestBytes,
      ),
      waitMs: integer(
        "Maximum time, in milliseconds, that one observation waits for a change in the deployment.",
        [100, 600_000],
        defaultObservationBounds.waitMs,
      ),
    }),
  });
}

/** A domain reserved for examples, where nobody receives email. */
export const defaultInvitationDomain = "certify.example";

function findSchemaMistakes(value: unknown): TargetFileMistake[] {
  return (
    findFileMistakes(value, buildTargetSchema())
      // For the profile, `findProfileMistakes` gives better messages.
      .filter(({ pointer }) => !pointer.startsWith("/profile/"))
      .map(({ pointer, detail }) => ({ place: formatPlace(pointer), detail }))
  );
}

function findProfileMistakes(value: unknown): TargetFileMistake[] {
  const { profile } = (value ?? {}) as { profile?: unknown };
  if (profile === undefined || typeof profile !== "object") return [];
  const completed = parseProfile(profile);
  return "mistakes" in completed
    ? completed.mistakes.map(({ gap, detail }) => ({
        place: `profile${gap === "" ? "" : `.${gap}`}`,
        detail,
      }))
    : [];
}

function formatPlace(pointer: string): string {
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".");
}

const reference = /\$\$\{|\$\{([^}]*)\}?/g;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Replaces each `${NAME}` in the strings of a JSON value with the environment variable; `$${` is a literal `${`.
 * Runs after parsing, so that no value of a variable can change the structure.
 */
function substituteVariables(value: unknown, environment: Readonly<Record<string, string | undefined>>) {
  const mistakes: TargetFileMistake[] = [];
  const variables: Record<string, string> = {};
  const substitute = (part: unknown, place: string): unknown => {
    if (typeof part === "string")
      return part.replace(reference, (whole, name: string | undefined) => {
        if (name === undefined) return "${";
        if (!variableName.test(name) || !whole.endsWith("}")) {
          mistakes.push({ place, detail: `"${whole}" is not a reference to a variable; write \${NAME}` });
          return whole;
        }
        const found = environment[name];
        if (found === undefined || found === "") {
          const state = found === undefined ? "is not set" : "is empty";
          mistakes.push({ place, detail: `the environment variable ${name} ${state}; export it first` });
        }
        if (whole === part) variables[place] = name;
        return found ?? "";
      });
    if (Array.isArray(part)) return part.map((entry, index) => substitute(entry, appendPlace(place, index)));
    if (typeof part === "object" && part !== null)
      return Object.fromEntries(
        Object.entries(part).map(([name, entry]) => [name, substitute(entry, appendPlace(place, name))]),
      );
    return part;
  };
  return { value: substitute(value, ""), variables, mistakes };
}

function appendPlace(place: string, name: string | number): string {
  return place === "" ? String(name) : `${place}.${name}`;
}
