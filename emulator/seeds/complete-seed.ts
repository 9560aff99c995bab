import type {
  Seed,
  SeedApiKey,
  SeedDatabase,
  SeedMember,
  SeedOrganization,
  SeedPersonalOrganization,
  SeedRepository,
  SeedUser,
} from "../../fixtures/seed.js";
import { manualClockStart } from "../time/clock.js";
import { parseTimestamp } from "../time/parse-timestamp.js";
import { defaultPassword, defaultRegion, toIdSuffix, getEmailLocalPart } from "./seed-defaults.js";
import type { SeedMistakes } from "./seed-error.js";
import { type Placed, SeedNames } from "./seed-names.js";

/** A seed with all defaults filled in: objects instead of names, ids instead of references, numbers instead of times. */
export type CompleteSeed = ReturnType<typeof completeSeed>;
export type CompleteOrganization = CompleteSeed["organizations"][number];
export type CompleteDatabase = CompleteSeed["databases"][number];

/** Fills in the defaults of a seed that matches its schema. @throws SeedError with every mistake */
export function completeSeed(seed: Seed, mistakes: SeedMistakes) {
  const names = new SeedNames(mistakes);
  const users = toObjects<SeedUser>(seed.users, "/users", "email").map((user) => {
    const { personalOrganization: given } = user;
    const fields: SeedPersonalOrganization = typeof given === "string" ? { id: given } : (given ?? {});
    return { ...user, personalOrganization: { ...fields, pointer: `${user.pointer}/personalOrganization` } };
  });
  const organizations = toObjects<SeedOrganization>(seed.organizations, "/organizations", "name");
  const apiKeys = toObjects<SeedApiKey>(seed.apiKeys, "/apiKeys", "key");
  const databases = toObjects<SeedDatabase>(seed.databases, "/databases", "name").map((database) => ({
    ...database,
    repositories: toObjects<SeedRepository>(
      database.repositories,
      `${database.pointer}/repositories`,
      "name",
    ),
  }));
  names.reserve("user", users);
  names.reserve("organization", [
    ...users.map(({ personalOrganization }) => personalOrganization),
    ...organizations,
  ]);
  names.reserve("API key", apiKeys);
  names.reserve("API key", apiKeys, "key");
  names.reserve("database", databases);
  names.reserve(
    "repository",
    databases.flatMap(({ repositories }) => repositories),
  );
  mistakes.throwIfAny();

  const completion = new Completion(names, mistakes);
  const start = completion.time({ ...seed.clock, pointer: "/clock" }, "now", manualClockStart);
  const createdAt = completion.time({ ...seed, pointer: "" }, "createdAt", start);
  const completeUsers = users.map((user) =>
    completion.user(user, seed.password ?? defaultPassword, createdAt),
  );
  const members = completeUsers.slice(0, 1).map(({ id }) => id);
  const complete = {
    name: seed.name,
    health: seed.health,
    ids: { seed: 1, count: 0, ...seed.ids },
    clock: { mode: seed.clock?.mode ?? "manual", start },
    users: completeUsers,
    organizations: [
      ...completeUsers.map((user) => {
        const defaults = { createdAt: user.createdAt, members: [user.id] };
        return completion.organization(user.personalOrganization, user.organizationId, defaults, user.id);
      }),
      ...organizations.map((organization) => {
        const { id = names.generate("organization", `org_${toIdSuffix(organization.name)}`) } = organization;
        return completion.organization(organization, id, { createdAt, members });
      }),
    ],
    apiKeys: apiKeys.map((key, index) => completion.apiKey(key, index, createdAt)),
    databases: databases.map((database) => completion.database(database, createdAt)),
    /** All ids and API keys. */
    allIds: names.ids,
  };
  mistakes.throwIfAny();
  return complete;
}

/** Returns the elements of a list (null if it is empty in YAML) as objects. A text is the value of the given field. */
function toObjects<Full extends object>(
  list: readonly (string | Full)[] | null | undefined,
  pointer: string,
  field?: keyof Full,
): Placed<Full>[] {
  return (list ?? []).map((element, index) => ({
    ...(typeof element === "string" ? ({ [field ?? ""]: element } as Full) : element),
    pointer: `${pointer}/${index}`,
  }));
}

class Completion {
  constructor(
    private readonly names: SeedNames,
    private readonly mistakes: SeedMistakes,
  ) {}

  /** Returns the time in a field in milliseconds, or the default if the field is missing or invalid. */
  time<Given extends Placed<object>, Default>(
    given: Given,
    field: keyof Given & string,
    defaultTime: Default,
  ): number | Default {
    const text = given[field];
    if (typeof text !== "string") return defaultTime;
    const time = parseTimestamp(text);
    if (time === undefined)
      this.mistakes.add(
        `${given.pointer}/${field}`,
        "must be an ISO 8601 time with a time zone, such as 2030-06-01T00:00:00Z",
      );
    return time ?? defaultTime;
  }

  #times(
    given: Placed<{ readonly createdAt?: string; readonly updatedAt?: string }>,
    defaultCreatedAt: number,
  ) {
    const createdAt = this.time(given, "createdAt", defaultCreatedAt);
    return { createdAt, updatedAt: this.time(given, "updatedAt", createdAt) };
  }

  user(
    given: Placed<SeedUser> & { readonly personalOrganization: Placed<SeedPersonalOrganization> },
    password: string,
    defaultCreatedAt: number,
  ) {
    const email = given.email.trim();
    const localPart = getEmailLocalPart(email);
    const suffix = toIdSuffix(localPart);
    const { id = this.names.generate("user", `user_${suffix}`), personalOrganization } = given;
    this.names.users.add({ id, email });
    return {
      name: localPart || email,
      password,
      emailVerified: true,
      mfaRequired: false,
      ...given,
      id,
      email,
      organizationId:
        personalOrganization.id ?? this.names.generate("organization", `org_personal_${suffix}`),
      createdAt: this.time(given, "createdAt", defaultCreatedAt),
    };
  }

  /** @param userId the user, for a personal organization */
  organization(
    given: Placed<SeedPersonalOrganization>,
    id: string,
    defaults: { readonly createdAt: number; readonly members: readonly string[] },
    userId?: string,
  ) {
    const { pointer } = given;
    const times = this.#times(given, defaults.createdAt);
    const isPersonal = userId !== undefined;
    const owner =
      given.owner === undefined ? undefined : this.names.user(given.owner, `${pointer}/owner`)?.id;
    const defaultMembers = !isPersonal && owner !== undefined ? [owner] : defaults.members;
    const members = toObjects<SeedMember>(given.members ?? defaultMembers, `${pointer}/members`, "user").map(
      (member, index) => this.#member(member, index, times.createdAt),
    );
    const owners = members.filter(({ role }) => role === "owner").map((member) => member.userId);
    const [firstOwner = null] = owners.filter((member) => member !== null);
    // The last owner stays the shown owner after leaving (gap `last-owner`).
    if (firstOwner === null && owner === undefined) {
      const advice =
        defaults.members.length === 0
          ? "add a user to the seed file"
          : "give one of its users the role owner";
      this.mistakes.add(pointer, `has no owner: ${advice}`);
    }
    if (owner !== undefined && firstOwner !== null && !owners.includes(owner))
      this.mistakes.add(`${pointer}/owner`, "must also be in members, with the role owner");
    const ownerUserId = owner ?? owners.find((member) => member === userId) ?? firstOwner ?? "";
    this.names.organizations.add({ id, isPersonal, name: given.name });
    const subscription = { ...given.subscription, pointer: `${pointer}/subscription` };
    return {
      ...given,
      ...times,
      id,
      isPersonal,
      /** The user who invites the other members. */
      founder: userId ?? ownerUserId,
      ownerUserId,
      members,
      /** Whether the seed lists the members. */
      hasOwnMembers: given.members !== undefined,
      plan: given.plan ?? "free",
      status: given.status ?? "active",
      aboveCeilings: given.aboveCeilings ?? false,
      subscription: {
        cancelAtPeriodEnd: false,
        ...subscription,
        status: subscription.status ?? "active",
        startedAt: this.time(subscription, "startedAt", undefined),
        trialStart: this.time(subscription, "trialStart", undefined),
        trialEnd: this.time(subscription, "trialEnd", undefined),
      },
      orders: given.orders
        ? toObjects(given.orders, `${pointer}/orders`).map((order) => ({
            ...order,
            createdAt: this.time(order, "createdAt", times.createdAt),
          }))
        : undefined,
    };
  }

  #member(given: Placed<SeedMember>, index: number, organizationCreatedAt: number) {
    const { pointer, user, invite, invitedBy } = given;
    const isInvited = user === undefined;
    if (isInvited === (invite === undefined)) this.mistakes.add(pointer, "must have either user or invite");
    const found = isInvited ? undefined : this.names.user(user, `${pointer}/user`);
    const inviter = invitedBy === undefined ? undefined : this.names.user(invitedBy, `${pointer}/invitedBy`);
    return {
      pointer,
      /** Null for an invitation. */
      userId: found?.id ?? null,
      email: found?.email ?? invite ?? "",
      role: given.role ?? (index === 0 && invite === undefined ? "owner" : "member"),
      joinedAt: isInvited ? null : this.time(given, "joinedAt", organizationCreatedAt),
      invitedAt: this.time(given, "invitedAt", isInvited ? organizationCreatedAt : null),
      invitedBy: inviter?.id ?? null,
    };
  }

  apiKey(given: Placed<SeedApiKey>, index: number, defaultCreatedAt: number) {
    const { name = given.key ?? `key ${index + 1}` } = given;
    const suffix = toIdSuffix(name.replace(/^dsk_/, ""));
    // Only checks the format, because the control plane takes the text.
    this.time(given, "expiresAt", null);
    return {
      expiresAt: null,
      ...given,
      id: given.id ?? this.names.generate("API key", `key_${suffix}`),
      key: given.key ?? this.names.generate("API key", `dsk_${suffix}`),
      organizationId: this.names.organizationId(given),
      name,
      scopes: given.scopes ?? ["*" as const],
      createdAt: this.time(given, "createdAt", defaultCreatedAt),
    };
  }

  database(
    given: Placed<Omit<SeedDatabase, "repositories">> & {
      readonly repositories: readonly Placed<SeedRepository>[];
    },
    defaultCreatedAt: number,
  ) {
    const times = this.#times(given, defaultCreatedAt);
    const { createdAt } = times;
    return {
      region: defaultRegion,
      ...given,
      ...times,
      id: given.id ?? this.names.generate("database", `db_${toIdSuffix(given.name)}`),
      organizationId: this.names.organizationId(given),
      status: given.status ?? "Active",
      readyAt: this.time(given, "readyAt", null),
      items: toObjects(given.items, `${given.pointer}/items`).map((item) => ({
        ...item,
        ...this.#times(item, createdAt),
      })),
      repositories: given.repositories.map((repository) => this.#repository(repository, createdAt)),
      tables: toObjects(given.tables, `${given.pointer}/tables`).map((table) => ({
        ...table,
        createdAt: this.time(table, "createdAt", createdAt),
      })),
    };
  }

  #repository(given: Placed<SeedRepository>, defaultCreatedAt: number) {
    const { pointer, name } = given;
    const suffix = toIdSuffix(name);
    const createdAt = this.time(given, "createdAt", defaultCreatedAt);
    const entities = toObjects(given.entities, `${pointer}/entities`);
    const kind = "entity of the repository";
    this.names.reserve(kind, entities, "id", pointer);
    return {
      entityName: name,
      ...given,
      id: given.id ?? this.names.generate("repository", `repo_${suffix}`),
      createdAt,
      /** Undefined if it is the time of the last change of an entity. */
      updatedAt: this.time(given, "updatedAt", undefined),
      entities: entities.map((entity, index) => ({
        version: 1,
        ...entity,
        id: entity.id ?? this.names.generate(kind, `ent_${suffix}_${index + 1}`, pointer),
        ...this.#times(entity, createdAt),
      })),
    };
  }
}
