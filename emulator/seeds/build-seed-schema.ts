import type { SchemaObject } from "openapi3-ts/oas31";
import { namePattern, planTypes } from "../../openapi/clauses/limits.js";
import { settingsFields } from "../../openapi/control-plane/organizations.js";
import { healthFields } from "../../openapi/control-plane/state.js";
import { subscriptionStatuses } from "../../openapi/schemas/billing.js";
import { databaseStatuses } from "../../openapi/schemas/databases.js";
import { organizationStatuses } from "../../openapi/schemas/organizations.js";
import { allRoles, scopes } from "../../openapi/schemas/roles.js";

export const defaultPassword = "password";
export const defaultRegion = "eu-west-1";

/** Maximum of numbers that are counted up; a state file may have twice as many. */
const maxCount = 2 ** 51;

/** The JSON Schema of a seed file. The rules of the service restrict the data further. */
export function buildSeedSchema(): SchemaObject & { readonly $schema: string } {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Seed file for data-service-emulator",
    ...closed("Starting data for the emulator. Every field is optional.", {
      $schema: text("Path of this schema, for editors."),
      name: {
        ...text("Name of the fixture. Defaults to the file name without its extension."),
        pattern: `^${namePattern}$`,
      },
      description: text("What the fixture is for."),
      password: {
        ...text("Default password, used for every user whose entry does not set one."),
        default: defaultPassword,
      },
      clock: closed("The clock.", {
        mode: { type: "string", enum: ["manual", "system"], default: "manual" },
        now: time("Time at which a manual clock starts. Defaults to 2030-01-01T00:00:00Z."),
      }),
      createdAt: time(
        "Default for `createdAt` fields in the rest of the file. Defaults to `clock.now`, or to 2030-01-01T00:00:00Z, even if the clock follows the system's time.",
      ),
      ids: closed(
        "How new ids are generated. An export includes these fields so that the sequence of ids continues.",
        {
          seed: {
            type: "integer",
            minimum: 0,
            description: "Random seed for generating ids. The --seed option takes precedence.",
          },
          count: {
            type: "integer",
            minimum: 0,
            maximum: maxCount,
            description: "Number of ids generated so far.",
          },
        },
      ),
      health: closed("Statuses that the health endpoints report.", healthFields),
      users: list("People who can log in.", named(user(), "email address")),
      organizations: list("Organizations, except for personal organizations.", named(organization(), "name")),
      apiKeys: list("API keys.", named(apiKey(), "key")),
      databases: list("Databases and their contents.", named(database(), "name")),
    }),
  };
}

function user(): SchemaObject {
  return closed(
    "A user. Every user has a personal organization.",
    {
      id: id("Id. Derived from the email address by default: `user_ada` for `ada@acme.test`."),
      email: text(
        "Email address. The rest of the file can refer to the user by the part before the @ if this part is unique.",
      ),
      name: text("Full name. Defaults to the part of the email address before the @."),
      password: text("Password."),
      passwordHash: {
        ...id("Hash of the password. Used in exports if the password itself is unknown."),
        maxLength: 128,
      },
      emailVerified: { type: "boolean", default: true },
      mfaRequired: { type: "boolean", default: false },
      createdAt: time("Time at which the user signed up."),
      personalOrganization: {
        description:
          "Personal organization: either its id, or an object with the fields that differ from the defaults.",
        anyOf: [organizationId(), closed("The personal organization.", organizationMembers())],
      },
    },
    ["email"],
  );
}

function organization(): SchemaObject {
  return closed("An organization.", organizationMembers(), ["name"]);
}

function organizationMembers(): Record<string, SchemaObject> {
  return {
    id: organizationId(),
    name: text("Name. The rest of the file refers to the organization by its name or id."),
    slug: text("Slug. Derived from the name by default."),
    plan: { type: "string", enum: [...planTypes], default: "free", description: "Current plan." },
    status: { type: "string", enum: [...organizationStatuses], default: "active" },
    billingEmail: text("Billing email address. Defaults to the owner's address."),
    owner: text("The user shown as the owner. Defaults to the first owner among the members."),
    members: list(
      "Members. Each user is given by name, id or email address. By default, the first member is an owner, and all others have the role member. " +
        "Without this list, the first user in the file owns the organization.",
      named(member(), "user"),
    ),
    settings: closed("Settings. Limits default to the plan's limits.", settingsFields),
    subscription: closed(
      "Subscription to the plan. Needed only if it differs from a normal active subscription.",
      {
        id: id("Id of the subscription."),
        status: { type: "string", enum: [...subscriptionStatuses], default: "active" },
        cancelAtPeriodEnd: { type: "boolean", default: false },
        startedAt: time("Start of the first billing month."),
        trialStart: time("Start of the trial."),
        trialEnd: time("End of the trial."),
        trialUsed: { type: "boolean", description: "Whether the organization has already had a trial." },
      },
    ),
    orders: {
      ...list(
        "Orders (charges). If given, they replace the orders derived from the subscription.",
        closed(
          "An order.",
          {
            number: { type: "integer", minimum: 1, maximum: 1e9 },
            amount: { type: "integer", minimum: 0, maximum: 1e12, description: "Amount in cents." },
            status: { type: "string", enum: ["paid", "pending", "failed"] },
            createdAt: time("Time of the charge."),
          },
          ["number", "amount", "status", "createdAt"],
        ),
      ),
      minItems: 1,
    },
    aboveCeilings: {
      type: "boolean",
      default: false,
      description: "Whether the organization is allowed to exceed its plan's limits, e.g. after a downgrade.",
    },
    ...buildTimeProperties(),
  };
}

function member(): SchemaObject {
  return closed("A member (`user`), or a pending invitation (`invite`).", {
    user: text("The user's name, id or email address."),
    invite: text("Email address to which a pending invitation was sent."),
    role: { type: "string", enum: [...allRoles] },
    joinedAt: time("Time at which the user joined."),
    invitedAt: time("Time of the invitation."),
    invitedBy: text("Name, id or email address of the user who sent the invitation."),
  });
}

function apiKey(): SchemaObject {
  return closed("An API key.", {
    id: id("Id. Derived from the name by default: `key_ci` for the name `ci`."),
    key: id(
      "The key, for the Authorization header. Derived from the name by default: `dsk_ci` for the name `ci`.",
    ),
    name: text("Name. Defaults to the key itself."),
    organization: buildOrganizationProperty("key"),
    scopes: {
      type: "array",
      minItems: 1,
      uniqueItems: true,
      items: { type: "string", enum: [...scopes] },
      default: ["*"],
    },
    expiresAt: { anyOf: [time("Expiry time. By default, the key never expires."), { type: "null" }] },
    createdAt: time("Creation time."),
  });
}

function buildOrganizationProperty(what: string): SchemaObject {
  return text(
    `Organization that the ${what} belongs to. Defaults to the first organization in the file or, if there is none, to ` +
      "the first user's personal organization.",
  );
}

function database(): SchemaObject {
  return closed(
    "A database.",
    {
      id: id("Id. Derived from the name by default: `db_shop` for the name `shop`."),
      name: text("Name."),
      organization: buildOrganizationProperty("database"),
      region: { ...text("Region."), default: defaultRegion },
      status: { type: "string", enum: [...databaseStatuses], default: "Active" },
      readyAt: time(
        "Time at which the status changes from Creating to Active, or at which a database with the status Deleting is removed.",
      ),
      settings: free("Settings."),
      items: list(
        "Raw items.",
        closed(
          "An item.",
          {
            pk: { type: "string", description: "Partition key." },
            sk: { type: ["string", "null"], description: "Sort key, if any." },
            data: free("The item's data."),
            ...buildTimeProperties(),
          },
          ["pk", "data"],
        ),
      ),
      repositories: list("Repositories.", named(repository(), "name")),
      tables: list("SQL tables.", table()),
      ...buildTimeProperties(),
    },
    ["name"],
  );
}

function repository(): SchemaObject {
  return closed(
    "A repository.",
    {
      id: id("Id. Derived from the name by default: `repo_products` for the name `products`."),
      name: text("Name."),
      entityName: text("Name of a single entity. Defaults to the repository's name."),
      schema: free("Schema in the service's format: an object that maps field names to definitions."),
      entities: list(
        "Entities, oldest first.",
        closed(
          "An entity.",
          {
            id: id(
              "Id. Derived from the repository by default: `ent_products_1` for the first entity in `products`.",
            ),
            data: free("The entity's data."),
            version: { type: "integer", minimum: 1, maximum: maxCount, default: 1 },
            ...buildTimeProperties(),
          },
          ["data"],
        ),
      ),
      ...buildTimeProperties(),
    },
    ["name"],
  );
}

function table(): SchemaObject {
  return closed(
    "An SQL table.",
    {
      create: text("A CREATE TABLE statement."),
      indexes: list("CREATE INDEX statements.", text("A CREATE INDEX statement.")),
      rows: list(
        "Rows.",
        free("A row: an object that maps columns to values, in the format of INSERT parameters."),
      ),
      createdAt: time("Creation time."),
    },
    ["create"],
  );
}

function closed(
  description: string,
  properties: Readonly<Record<string, SchemaObject>>,
  required: string[] = [],
): SchemaObject {
  return {
    type: "object",
    description,
    properties: { ...properties },
    required,
    additionalProperties: false,
  };
}

/** A list, or null: YAML reads an empty value as null. */
function list(description: string, items: SchemaObject): SchemaObject {
  return { type: ["array", "null"], description, items };
}

function named(whole: SchemaObject, what: string): SchemaObject {
  return {
    anyOf: [
      { ...text(`Short form: only the ${what} is given; all other fields get their default values.`) },
      whole,
    ],
  };
}

function text(description: string): SchemaObject {
  return { type: "string", minLength: 1, description };
}

function free(description: string): SchemaObject {
  return { type: "object", description, additionalProperties: true };
}

function id(description: string): SchemaObject {
  return { type: "string", pattern: "^[A-Za-z0-9_-]{1,128}$", description };
}

function organizationId(): SchemaObject {
  return {
    type: "string",
    pattern: "^org_[a-z0-9]+([_-][a-z0-9]+)*$",
    maxLength: 100,
    description: "Id. Derived from the name by default: `org_acme` for the name `Acme`.",
  };
}

function time(description: string): SchemaObject {
  return { type: "string", description: `${description} Format: ISO 8601 with a time zone.` };
}

function buildTimeProperties(): Record<string, SchemaObject> {
  return { createdAt: time("Creation time."), updatedAt: time("Time of the last change.") };
}
