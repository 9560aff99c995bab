import type { Scope } from "../../openapi/schemas/roles.js";
import type { CheckContext } from "../check/context.js";
import type { LoginName, Session } from "../target/actors.js";

/** A value that differs between targets and existed before the history. */
export interface SharedValue {
  readonly find: (on: ValueSource) => string | undefined | Promise<string | undefined>;
  /** The kind of value, because values of different kinds may be equal. */
  readonly field: string;
  /** The user to whose session the value belongs. */
  readonly of?: LoginName;
}

/** Source of the values of a target. */
export interface ValueSource {
  readonly context: Pick<CheckContext, "actors" | "resources">;
  readonly session: (of: LoginName) => Promise<Session>;
}

function shared(field: string, find: SharedValue["find"]): SharedValue {
  return { field, find };
}

/** The values that exist on targets before a history. */
export const sharedValues = {
  session: (of: LoginName, field: keyof Session): SharedValue => ({
    ...shared(field, async ({ session }) => String((await session(of))[field])),
    of,
  }),
  login: (of: LoginName, field: "email" | "password") =>
    shared(field, async ({ context }) => (await context.actors.getLogin(of))[field]),
  organization: (of: LoginName) =>
    shared("organizationId", ({ context }) => context.actors.getOrganizationId(of)),
  key: (of: Scope | "expired") =>
    shared("key", async ({ context }) => (await context.actors.getKeyCaller(of)).credential),
  region: () => shared("region", ({ context }) => context.resources.region),
  database: () => shared("databaseId", ({ context }) => context.resources.getDatabase()),
  repository: () => shared("repositoryId", ({ context }) => context.resources.getRepository()),
};
