import type { SchemaObject } from "openapi3-ts/oas31";
import { planTypes } from "../../openapi/clauses/limits.js";
import { settingsFields } from "../../openapi/control-plane/organizations.js";
import { healthFields } from "../../openapi/control-plane/state.js";
import { subscriptionStatuses } from "../../openapi/schemas/billing.js";
import { databaseStatuses } from "../../openapi/schemas/databases.js";
import { organizationStatuses } from "../../openapi/schemas/organizations.js";
import { allRoles, scopes } from "../../openapi/schemas/roles.js";
import { defaultPassword, defaultRegion } from "./seed-defaults.js";

/** The JSON Schema of a seed file. What data have to be beyond this, the rules of the service say. */
export function seedSchema(): SchemaObject & { readonly $schema: string } {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Seed of data-service-emulator",
    ...closed("What a world of the emulator begins with. Everything may be left out.", {
      $schema: text("Path of this schema, for editors."),
      name: {
        ...text("What the fixture is called; the name of the file without its ending unless it says so."),
        pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$",
      },
      description: text("What it is for."),
      password: { ...text("Password of the users that have none of their own."), default: defaultPassword },
      clock: closed("The clock.", {
        mode: { type: "string", enum: ["manual", "system"], default: "manual" },
        now: time("Where a manual clock starts; 2030-01-01T00:00:00Z unless it says so."),
      }),
      createdAt: time("When all was made that does not say so itself; the start of the clock by default."),
      ids: closed("What new ids follow from; an export has it so that they go on where they were.", {
        seed: { type: "integer", minimum: 0, description: "As the option --seed, which wins." },
        count: { type: "integer", minimum: 0, maximum: 2 ** 52, description: "How many were given out." },
      }),
      health: closed("What the health endpoints say.", healthFields),
      users: list("People who can log in.", named(user(), "E-mail address")),
      organizations: list("Organizations beside the personal ones.", named(organization(), "Name")),
      apiKeys: list("API keys.", named(apiKey(), "The key itself")),
      databases: list("Databases with what is in them.", named(database(), "Name")),
    }),
  };
}

function user(): SchemaObject {
  return closed(
    "A user; each has a personal organization.",
    {
      id: id("user_ada for ada@acme.test unless it says so."),
      email: text(
        "E-mail address; what stands before the @ is a name for references, where it is the only one.",
      ),
      name: text("Full name; what stands before the @ unless it says so."),
      password: text("Password."),
      passwordHash: { ...id("In place of the password, where an export does not know it."), maxLength: 128 },
      emailVerified: { type: "boolean", default: true },
      mfaRequired: { type: "boolean", default: false },
      createdAt: time("When they signed up."),
      personalOrganization: {
        description: "Id of the personal organization, or what else is not as usual.",
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
    name: text("Name; organizations are referred to by it or by their id."),
    slug: text("Made from the name unless it says so."),
    plan: { type: "string", enum: [...planTypes], default: "free", description: "The plan that was bought." },
    status: { type: "string", enum: [...organizationStatuses], default: "active" },
    billingEmail: text("The owner's unless it says so."),
    owner: text("The user who is shown as its owner: the first owner among the members unless it says so."),
    members: list(
      "Users by name, id or e-mail address; the first is an owner and the others members unless they say so. " +
        "Without it, the first user of the file owns the organization.",
      named(member(), "A user"),
    ),
    settings: closed("Settings; ceilings are the plan's unless they say so.", settingsFields),
    subscription: closed("The subscription of the plan, where it is not simply active.", {
      id: id("Its id."),
      status: { type: "string", enum: [...subscriptionStatuses], default: "active" },
      cancelAtPeriodEnd: { type: "boolean", default: false },
      startedAt: time("From when the months of billing count."),
      trialStart: time("When the trial began."),
      trialEnd: time("When it ends."),
      trialUsed: { type: "boolean", description: "Whether there was a trial." },
    }),
    orders: list(
      "What was charged, in place of what follows from the subscription.",
      closed(
        "An order.",
        {
          number: { type: "integer", minimum: 1, maximum: 1e9 },
          amount: { type: "integer", minimum: 0, maximum: 1e12, description: "Cents." },
          status: { type: "string", enum: ["paid", "pending", "failed"] },
          createdAt: time("When it was charged."),
        },
        ["number", "amount", "status", "createdAt"],
      ),
    ),
    aboveCeilings: {
      type: "boolean",
      default: false,
      description: "Whether it may hold more than its plan allows, as after a change of plan.",
    },
    ...times("it"),
  };
}

function member(): SchemaObject {
  return closed("A member, or with `invite` somebody who was invited.", {
    user: text("A user by name, id or e-mail address."),
    invite: text("E-mail address of an invitation that is not accepted."),
    role: { type: "string", enum: [...allRoles] },
    joinedAt: time("When they joined."),
    invitedAt: time("When they were invited."),
    invitedBy: text("The user who invited them."),
  });
}

function apiKey(): SchemaObject {
  return closed("An API key.", {
    id: id("key_ci for the name ci unless it says so."),
    key: id("What goes into the Authorization header; dsk_ci for the name ci unless it says so."),
    name: text("Name; that of its key unless it says so."),
    organization: text("Organization that it works for; the first of the file unless it says so."),
    scopes: {
      type: "array",
      minItems: 1,
      uniqueItems: true,
      items: { type: "string", enum: [...scopes] },
      default: ["*"],
    },
    expiresAt: { anyOf: [time("When it expires; never unless it says so."), { type: "null" }] },
    createdAt: time("When it was made."),
  });
}

function database(): SchemaObject {
  return closed(
    "A database.",
    {
      id: id("db_shop for the name shop unless it says so."),
      name: text("Name."),
      organization: text(
        "Organization that it belongs to: the first of the file, or else the first user's personal one, unless it says so.",
      ),
      region: { ...text("Region."), default: defaultRegion },
      status: { type: "string", enum: [...databaseStatuses], default: "Active" },
      readyAt: time("When one that is Creating becomes Active, and one that is Deleting is gone."),
      settings: free("Settings."),
      items: list(
        "Raw items.",
        closed(
          "An item.",
          {
            pk: { type: "string", description: "Partition key." },
            sk: { type: ["string", "null"], description: "Sort key, if it has one." },
            data: free("Its data."),
            ...times("it"),
          },
          ["pk", "data"],
        ),
      ),
      repositories: list("Repositories.", named(repository(), "Name")),
      tables: list("SQL tables.", table()),
      ...times("it"),
    },
    ["name"],
  );
}

function repository(): SchemaObject {
  return closed(
    "A repository.",
    {
      id: id("repo_products for the name products unless it says so."),
      name: text("Name."),
      entityName: text("Name of one entity; that of the repository unless it says so."),
      schema: free("Field name → definition, as the service takes it."),
      entities: list(
        "Entities, oldest first.",
        closed(
          "An entity.",
          {
            id: id("ent_products_1 for the first of products unless it says so."),
            data: free("Its data."),
            version: { type: "integer", minimum: 1, maximum: 2 ** 52, default: 1 },
            ...times("it"),
          },
          ["data"],
        ),
      ),
      ...times("it"),
    },
    ["name"],
  );
}

function table(): SchemaObject {
  return closed(
    "An SQL table.",
    {
      create: text("A statement CREATE TABLE."),
      indexes: list("Statements CREATE INDEX.", text("A statement CREATE INDEX.")),
      rows: list("Rows.", free("Column → value, as parameters of an INSERT.")),
      createdAt: time("When it was made."),
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

/** A list; one that is left empty in YAML is null. */
function list(description: string, items: SchemaObject): SchemaObject {
  return { type: ["array", "null"], description, items };
}

function named(whole: SchemaObject, what: string): SchemaObject {
  return { anyOf: [{ ...text(`${what}; all else as usual.`) }, whole] };
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
    description: "Id; org_acme for the name Acme unless it says so.",
  };
}

function time(description: string): SchemaObject {
  return { type: "string", description: `${description} ISO 8601 with a time zone.` };
}

function times(what: string): Record<string, SchemaObject> {
  return {
    createdAt: time(`When ${what} was made.`),
    updatedAt: time(`When ${what} was changed last.`),
  };
}
