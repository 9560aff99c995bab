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
import { SeedNames } from "./seed-names.js";

/** A seed with all defaults filled in: objects instead of names, ids instead of references, numbers instead of times. */
export type CompleteSeed = ReturnType<typeof completeSeed>;
export type CompleteOrganization = CompleteSeed["organizations"][number];
export type CompleteDatabase = CompleteSeed["databases"][number];

/** Fills in the defaults of a seed that matches its schema. @throws SeedError with every mistake */
export function completeSeed(seed: Seed, mistakes: SeedMistakes) {
  const names = new SeedNames(mistakes);
  const users = inFull<SeedUser>(seed.users, "email");
  const personal = users.map(({ personalOrganization: given }) =>
    typeof given === "string" ? { id: given } : (given ?? {}),
  );
  const organizations = inFull<SeedOrganization>(seed.organizations, "name");
  const apiKeys = inFull<SeedApiKey>(seed.apiKeys, "key");
  const databases = inFull<SeedDatabase>(seed.databases, "name").map((database) => ({
    ...database,
    repositories: inFull<SeedRepository>(database.repositories, "name"),
  }));
  names.take("user", users, "/users/#/id");
  names.take("organization", personal, "/users/#/personalOrganization/id");
  names.take("organization", organizations, "/organizations/#/id");
  names.take("API key", apiKeys, "/apiKeys/#/id");
  names.take(
    "API key",
    apiKeys.map(({ key: id }) => ({ id })),
    "/apiKeys/#/key",
  );
  names.take("database", databases, "/databases/#/id");
  for (const [index, { repositories }] of databases.entries())
    names.take("repository", repositories, `/databases/${index}/repositories/#/id`);
  mistakes.refuse();

  const { clock = {}, ids = {} } = seed;
  const completion = new Completion(names, mistakes);
  const now = completion.times(clock, "/clock")("now", undefined);
  const createdAt = completion.times(seed, "")("createdAt", now ?? manualClockStart);
  const completeUsers = users.map((user, index) =>
    completion.user({ password: seed.password ?? defaultPassword, ...user }, `/users/${index}`, createdAt),
  );
  // references may precede the elements that they refer to
  const ofUsers = completeUsers.map(({ id: userId, word, createdAt: at, pointer }, index) => {
    const given = personal[index] ?? {};
    const { id = names.make("organization", `org_personal_${word}`) } = given;
    const place = { id, pointer: `${pointer}/personalOrganization`, usual: at, usualMembers: [userId] };
    return completion.organization(given, place, userId);
  });
  const usualMembers = names.users.slice(0, 1).map(({ id }) => id);
  const others = organizations.map((given, index) => {
    const { id = names.make("organization", `org_${toIdSuffix(given.name)}`) } = given;
    const place = { id, pointer: `/organizations/${index}`, usual: createdAt, usualMembers };
    return completion.organization(given, place);
  });
  const complete = {
    name: seed.name,
    health: seed.health,
    ids: { seed: ids.seed ?? 1, count: ids.count ?? 0 },
    clock: { mode: clock.mode ?? "manual", start: now ?? manualClockStart },
    users: completeUsers.map((user, index) => ({ ...user, organizationId: ofUsers[index]?.id ?? "" })),
    organizations: [...ofUsers, ...others],
    apiKeys: apiKeys.map((key, index) => completion.apiKey(key, index, createdAt)),
    databases: databases.map((database, index) =>
      completion.database(database, `/databases/${index}`, createdAt),
    ),
    /** All ids and keys. */
    known: names.ids,
  };
  mistakes.refuse();
  return complete;
}

/** Returns the elements of a list (null if it is empty in YAML) as objects; a text is the value of the given field. */
function inFull<Full>(list: readonly (string | Full)[] | null | undefined, member: keyof Full): Full[] {
  return (list ?? []).map((given) => (typeof given === "string" ? ({ [member]: given } as Full) : given));
}

class Completion {
  constructor(
    private readonly names: SeedNames,
    private readonly mistakes: SeedMistakes,
  ) {}

  /** Returns a function that reads the time in a field of an object, or a default if the field is missing. */
  times<Given extends object>(given: Given, pointer: string) {
    return <Usual>(name: keyof Given & string, usual: Usual): number | Usual => {
      const text = given[name];
      if (typeof text !== "string") return usual;
      const time = parseTimestamp(text);
      if (time === undefined)
        this.mistakes.add(
          `${pointer}/${name}`,
          "must be an ISO 8601 time with a time zone, such as 2030-06-01T00:00:00Z",
        );
      return time ?? usual;
    };
  }

  user(given: SeedUser & { readonly password: string }, pointer: string, usual: number) {
    const email = given.email.trim();
    const word = toIdSuffix(getEmailLocalPart(email));
    const { id = this.names.make("user", `user_${word}`), password, passwordHash } = given;
    const { name = getEmailLocalPart(email) || email, emailVerified = true, mfaRequired = false } = given;
    const createdAt = this.times(given, pointer)("createdAt", usual);
    this.names.users.push({ id, email });
    const flags = { emailVerified, mfaRequired };
    return { pointer, word, id, email, name, password, passwordHash, ...flags, createdAt };
  }

  /** @param person the user, for a personal organization */
  organization(given: SeedPersonalOrganization, place: OrganizationPlace, person?: string) {
    const { id, pointer, usual, usualMembers } = place;
    const time = this.times(given, pointer);
    const createdAt = time("createdAt", usual);
    const named =
      given.owner === undefined ? undefined : this.names.user(given.owner, `${pointer}/owner`)?.id;
    const isOwnersAlone = person === undefined && named !== undefined;
    const members = (given.members ?? (isOwnersAlone ? [named] : usualMembers)).map((member, index) =>
      this.#member(member, index, `${pointer}/members/${index}`, createdAt),
    );
    const owners = members.flatMap(({ role, userId }) =>
      role === "owner" && userId !== null ? [userId] : [],
    );
    const [first] = owners;
    // whoever was the last owner is still shown as the owner (gap `last-owner`)
    if (first === undefined && named === undefined) {
      const todo =
        usualMembers.length === 0 ? "add a user to the seed file" : "give one of its users the role owner";
      this.mistakes.add(pointer, `has no owner: ${todo}`);
    }
    if (named !== undefined && first !== undefined && !owners.includes(named))
      this.mistakes.add(`${pointer}/owner`, "must also be in members, with the role owner");
    const ownerUserId = named ?? owners.find((userId) => userId === person) ?? first ?? "";
    /** The user who invites the others. */
    const founder = person ?? ownerUserId;
    const isPersonal = person !== undefined;
    this.names.organizations.push({ id, isPersonal, name: given.name });
    const { subscription = {}, orders } = given;
    const billed = this.times(subscription, `${pointer}/subscription`);
    return {
      ...given,
      id,
      pointer,
      createdAt,
      updatedAt: time("updatedAt", createdAt),
      isPersonal,
      founder,
      ownerUserId,
      members: members.map((member) =>
        member.userId === null && member.invitedBy === null ? { ...member, invitedBy: founder } : member,
      ),
      /** Whether the seed lists the members. */
      hasOwnMembers: given.members !== undefined,
      plan: given.plan ?? "free",
      status: given.status ?? "active",
      aboveCeilings: given.aboveCeilings ?? false,
      subscription: {
        ...subscription,
        status: subscription.status ?? "active",
        cancelAtPeriodEnd: subscription.cancelAtPeriodEnd ?? false,
        startedAt: billed("startedAt", undefined),
        trialStart: billed("trialStart", undefined),
        trialEnd: billed("trialEnd", undefined),
      },
      orders: orders?.map((order, index) => ({
        ...order,
        createdAt: this.times(order, `${pointer}/orders/${index}`)("createdAt", createdAt),
      })),
    };
  }

  #member(given: string | SeedMember, index: number, pointer: string, createdAt: number) {
    const member = typeof given === "string" ? { user: given } : given;
    const { user, invite, invitedBy } = member;
    const isInvited = user === undefined;
    if (isInvited === (invite === undefined)) this.mistakes.add(pointer, "must have either user or invite");
    const place = typeof given === "string" ? pointer : `${pointer}/user`;
    const found = isInvited ? undefined : this.names.user(user, place);
    const time = this.times(member, pointer);
    return {
      pointer,
      /** Null for an invitation. */
      userId: found?.id ?? null,
      email: found?.email ?? invite ?? "",
      role: member.role ?? (index === 0 && invite === undefined ? "owner" : "member"),
      joinedAt: isInvited ? null : time("joinedAt", createdAt),
      invitedAt: time("invitedAt", isInvited ? createdAt : null),
      invitedBy:
        invitedBy === undefined ? null : (this.names.user(invitedBy, `${pointer}/invitedBy`)?.id ?? null),
    };
  }

  apiKey(given: SeedApiKey, index: number, usual: number) {
    const pointer = `/apiKeys/${index}`;
    const { name = given.key ?? `key ${index + 1}`, scopes = ["*"], expiresAt = null } = given;
    const word = toIdSuffix(name.replace(/^dsk_/, ""));
    const { id = this.names.make("API key", `key_${word}`) } = given;
    const { key = this.names.make("API key", `dsk_${word}`) } = given;
    const time = this.times(given, pointer);
    time("expiresAt", null);
    const organizationId = this.names.organizationId(given.organization, pointer);
    return { pointer, id, key, organizationId, name, scopes, expiresAt, createdAt: time("createdAt", usual) };
  }

  database(
    given: Omit<SeedDatabase, "repositories"> & { readonly repositories: readonly SeedRepository[] },
    pointer: string,
    usual: number,
  ) {
    const {
      name,
      id = this.names.make("database", `db_${toIdSuffix(name)}`),
      region = defaultRegion,
    } = given;
    const time = this.times(given, pointer);
    const createdAt = time("createdAt", usual);
    return {
      pointer,
      id,
      organizationId: this.names.organizationId(given.organization, pointer),
      name,
      region,
      settings: given.settings,
      status: given.status ?? "Active",
      readyAt: time("readyAt", null),
      createdAt,
      updatedAt: time("updatedAt", createdAt),
      items: (given.items ?? []).map((item, index) => ({
        ...item,
        ...this.#times(item, `${pointer}/items/${index}`, createdAt),
      })),
      repositories: given.repositories.map((one, index) =>
        this.#repository(one, `${pointer}/repositories/${index}`, createdAt),
      ),
      tables: (given.tables ?? []).map((table, index) => {
        const place = `${pointer}/tables/${index}`;
        return {
          ...table,
          pointer: place,
          createdAt: this.times(table, place)("createdAt", createdAt),
        };
      }),
    };
  }

  #repository(given: SeedRepository, pointer: string, usual: number) {
    const { name, entityName = name, schema, entities } = given;
    const word = toIdSuffix(name);
    const { id = this.names.make("repository", `repo_${word}`) } = given;
    const time = this.times(given, pointer);
    const createdAt = time("createdAt", usual);
    const all = entities ?? [];
    const kind = "entity of the repository";
    this.names.take(kind, all, `${pointer}/entities/#/id`, pointer);
    return {
      pointer,
      id,
      name,
      entityName,
      schema,
      createdAt,
      /** Undefined if it is the time of the last change of an entity. */
      updatedAt: time("updatedAt", undefined),
      entities: all.map((entity, index) => ({
        id: entity.id ?? this.names.make(kind, `ent_${word}_${index + 1}`, pointer),
        data: entity.data,
        version: entity.version ?? 1,
        ...this.#times(entity, `${pointer}/entities/${index}`, createdAt),
      })),
    };
  }

  #times(
    given: { readonly createdAt?: string; readonly updatedAt?: string },
    pointer: string,
    usual: number,
  ) {
    const time = this.times(given, pointer);
    const createdAt = time("createdAt", usual);
    return { pointer, createdAt, updatedAt: time("updatedAt", createdAt) };
  }
}

interface OrganizationPlace {
  readonly pointer: string;
  readonly id: string;
  /** Default creation time and members. */
  readonly usual: number;
  readonly usualMembers: readonly string[];
}
