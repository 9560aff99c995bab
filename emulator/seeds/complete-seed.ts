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
import type { Role } from "../../openapi/schemas/roles.js";
import { startOfTime } from "../time/clock.js";
import { parseTimestamp } from "../time/parse-timestamp.js";
import { Directory, IdBook } from "./directory.js";
import { defaultPassword, defaultRegion, idWord, localPart } from "./seed-defaults.js";
import type { SeedMistake } from "./seed-error.js";

/** What a part of a seed has when nothing is left to be guessed: every id, references as ids, and its time. */
type Complete<Given, Added> = Omit<Given, keyof Added | "createdAt"> &
  Readonly<Added> & { readonly pointer: string; readonly createdAt: number };

export type CompleteUser = Complete<
  SeedUser,
  { id: string; email: string; name: string; password: string; personalOrganizationId: string }
>;
export type CompleteOrganization = Complete<
  SeedPersonalOrganization,
  {
    id: string;
    isPersonal: boolean;
    /** Who invites the others. */
    founder: string;
    ownerUserId: string;
    members: readonly CompleteMember[];
    /** Whether the seed says who the members are. */
    hasOwnMembers: boolean;
  }
>;
export type CompleteApiKey = Complete<
  SeedApiKey,
  { id: string; key: string; name: string; organization: string }
>;
export type CompleteDatabase = Complete<
  SeedDatabase,
  { id: string; organization: string; region: string; repositories: readonly CompleteRepository[] }
>;
export type CompleteRepository = Complete<
  SeedRepository,
  { id: string; entityName: string; entities: readonly (Entity & { readonly id: string })[] }
>;
type Entity = NonNullable<SeedRepository["entities"]>[number];

export interface CompleteMember {
  readonly pointer: string;
  /** Null for an invitation. */
  readonly userId: string | null;
  readonly email: string;
  readonly role: Role;
  readonly joinedAt: number | null;
  readonly invitedAt: number | null;
  readonly invitedBy: string | null;
}

/** A seed in which nothing is left to be guessed. */
export interface CompleteSeed {
  readonly users: readonly CompleteUser[];
  /** Personal ones first, in the order of their users. */
  readonly organizations: readonly CompleteOrganization[];
  readonly apiKeys: readonly CompleteApiKey[];
  readonly databases: readonly CompleteDatabase[];
}

/**
 * Fills in what a seed leaves out, and looks up whom it names. Ids that are given come before those that follow from
 * names, so that nothing given is ever taken.
 *
 * @param mistakes takes what cannot be completed
 */
export function completeSeed(seed: Seed, mistakes: SeedMistake[]): CompleteSeed {
  return new Completion(seed, mistakes).complete();
}

class Completion {
  readonly #seed: Seed;
  readonly #mistakes: SeedMistake[];
  readonly #createdAt: number;
  readonly #directory: Directory;

  constructor(seed: Seed, mistakes: SeedMistake[]) {
    this.#seed = seed;
    this.#mistakes = mistakes;
    this.#createdAt = timeOf(seed.createdAt) ?? timeOf(seed.clock?.now) ?? startOfTime;
    this.#directory = new Directory(mistakes);
  }

  complete(): CompleteSeed {
    const users = this.#users();
    this.#directory.users = users;
    const organizations = this.#organizations(users);
    this.#directory.organizations = organizations;
    return { users, organizations, apiKeys: this.#apiKeys(), databases: this.#databases() };
  }

  #users(): CompleteUser[] {
    const entries = inFull(this.#seed.users, (email): SeedUser => ({ email }));
    const ids = new IdBook(this.#mistakes, "user");
    entries.forEach(({ id }, index) => ids.take(id, `/users/${index}/id`));
    const personal = new IdBook(this.#mistakes, "organization");
    entries.forEach(({ personalOrganization: given }, index) => {
      const place = `/users/${index}/personalOrganization`;
      personal.take(personalOf(given).id, typeof given === "string" ? place : `${place}/id`);
    });
    return entries.map((given, index) => {
      const { id, email, name, password, personalOrganization } = given;
      const word = idWord(localPart(email));
      return {
        ...given,
        pointer: `/users/${index}`,
        id: id ?? ids.make(`user_${word}`),
        email: email.trim(),
        name: name ?? (localPart(email) || email),
        password: password ?? this.#seed.password ?? defaultPassword,
        personalOrganizationId: personalOf(personalOrganization).id ?? personal.make(`org_personal_${word}`),
        createdAt: timeOf(given.createdAt) ?? this.#createdAt,
      };
    });
  }

  #organizations(users: readonly CompleteUser[]): CompleteOrganization[] {
    const entries = inFull(this.#seed.organizations, (name): SeedOrganization => ({ name }));
    const ids = new IdBook(this.#mistakes, "organization");
    for (const { personalOrganizationId, pointer } of users)
      ids.take(personalOrganizationId, `${pointer}/personalOrganization`);
    entries.forEach(({ id }, index) => ids.take(id, `/organizations/${index}/id`));
    const first = users.slice(0, 1).map(({ id }) => id);
    return [
      ...users.map((user) => {
        const given = personalOf(user.personalOrganization);
        const place = {
          pointer: `${user.pointer}/personalOrganization`,
          id: user.personalOrganizationId,
          createdAt: timeOf(given.createdAt) ?? user.createdAt,
        };
        return this.#organization(given, place, [user.id], user.id);
      }),
      ...entries.map((given, index) => {
        const place = {
          pointer: `/organizations/${index}`,
          id: given.id ?? ids.make(`org_${idWord(given.name)}`),
          createdAt: timeOf(given.createdAt) ?? this.#createdAt,
        };
        return this.#organization(given, place, first);
      }),
    ];
  }

  /** @param usual its members where the seed does not say, and `person` whose own it is, if it is somebody's */
  #organization(
    given: SeedPersonalOrganization,
    place: Pick<CompleteOrganization, "pointer" | "id" | "createdAt">,
    usual: readonly string[],
    person?: string,
  ): CompleteOrganization {
    const { pointer, createdAt } = place;
    const named = this.#userId(given.owner, `${pointer}/owner`);
    const members = (given.members ?? usual).map((member, index) =>
      this.#member(member, index, `${pointer}/members/${index}`, createdAt),
    );
    const owners = members.flatMap(({ role, userId }) =>
      role === "owner" && userId !== null ? [userId] : [],
    );
    const [first] = owners;
    if (first === undefined) {
      const todo = usual.length === 0 ? "add a user to the seed" : "give one of its users the role owner";
      this.#mistake(pointer, `has no owner: ${todo}`);
    }
    if (named !== null && !owners.includes(named))
      this.#mistake(`${pointer}/owner`, "must be one of its members with the role owner");
    const usualOwner = owners.find((userId) => userId === person) ?? first;
    const ownerUserId = named ?? usualOwner ?? "";
    const founder = person ?? ownerUserId;
    return {
      ...given,
      ...place,
      isPersonal: person !== undefined,
      founder,
      ownerUserId,
      hasOwnMembers: given.members !== undefined,
      members: members.map((member) =>
        member.userId === null && member.invitedBy === null ? { ...member, invitedBy: founder } : member,
      ),
    };
  }

  #member(given: string | SeedMember, index: number, pointer: string, createdAt: number): CompleteMember {
    const member = typeof given === "string" ? { user: given } : given;
    const { user, invite, role = index === 0 && invite === undefined ? "owner" : "member" } = member;
    if ((user === undefined) === (invite === undefined)) this.#mistake(pointer, "has either user or invite");
    const place = typeof given === "string" ? pointer : `${pointer}/user`;
    const found = user === undefined ? undefined : this.#directory.user(user, place);
    return {
      pointer,
      userId: found?.id ?? null,
      email: found?.email ?? invite ?? "",
      role,
      joinedAt: user === undefined ? null : (timeOf(member.joinedAt) ?? createdAt),
      invitedAt: timeOf(member.invitedAt) ?? (user === undefined ? createdAt : null),
      invitedBy: this.#userId(member.invitedBy, `${pointer}/invitedBy`),
    };
  }

  #apiKeys(): CompleteApiKey[] {
    const entries = inFull(this.#seed.apiKeys, (key): SeedApiKey => ({ key }));
    const ids = new IdBook(this.#mistakes, "API key");
    const keys = new IdBook(this.#mistakes, "API key");
    entries.forEach(({ id, key }, index) => {
      const pointer = `/apiKeys/${index}`;
      ids.take(id, `${pointer}/id`);
      keys.take(key, typeof this.#seed.apiKeys?.[index] === "string" ? pointer : `${pointer}/key`);
    });
    return entries.map((given, index) => {
      const pointer = `/apiKeys/${index}`;
      const name = given.name ?? given.key ?? `key ${index + 1}`;
      const word = idWord(name.replace(/^dsk_/, ""));
      return {
        ...given,
        pointer,
        id: given.id ?? ids.make(`key_${word}`),
        key: given.key ?? keys.make(`dsk_${word}`),
        name,
        organization: this.#organizationOf(given.organization, pointer),
        createdAt: timeOf(given.createdAt) ?? this.#createdAt,
      };
    });
  }

  #databases(): CompleteDatabase[] {
    const entries = inFull(this.#seed.databases, (name): SeedDatabase => ({ name })).map((given) => ({
      given,
      repositories: inFull(given.repositories, (name): SeedRepository => ({ name })),
    }));
    const ids = new IdBook(this.#mistakes, "database");
    const repositoryIds = new IdBook(this.#mistakes, "repository");
    entries.forEach(({ given, repositories }, index) => {
      ids.take(given.id, `/databases/${index}/id`);
      repositories.forEach(({ id }, place) =>
        repositoryIds.take(id, `/databases/${index}/repositories/${place}/id`),
      );
    });
    return entries.map(({ given, repositories }, index) => {
      const pointer = `/databases/${index}`;
      const createdAt = timeOf(given.createdAt) ?? this.#createdAt;
      return {
        ...given,
        pointer,
        id: given.id ?? ids.make(`db_${idWord(given.name)}`),
        organization: this.#organizationOf(given.organization, pointer),
        region: given.region ?? defaultRegion,
        createdAt,
        repositories: repositories.map((repository, place) =>
          this.#repository(repository, `${pointer}/repositories/${place}`, createdAt, repositoryIds),
        ),
      };
    });
  }

  #repository(given: SeedRepository, pointer: string, usual: number, ids: IdBook): CompleteRepository {
    const word = idWord(given.name);
    const entities = given.entities ?? [];
    const entityIds = new IdBook(this.#mistakes, "entity of the repository");
    entities.forEach(({ id }, index) => entityIds.take(id, `${pointer}/entities/${index}/id`));
    return {
      ...given,
      pointer,
      id: given.id ?? ids.make(`repo_${word}`),
      entityName: given.entityName ?? given.name,
      entities: entities.map((entity, index) => ({
        ...entity,
        id: entity.id ?? entityIds.make(`ent_${word}_${index + 1}`),
      })),
      createdAt: timeOf(given.createdAt) ?? usual,
    };
  }

  #userId(name: string | undefined, pointer: string): string | null {
    return name === undefined ? null : (this.#directory.user(name, pointer)?.id ?? null);
  }

  /** The id of the organization that something belongs to: without a name the first, personal ones last. */
  #organizationOf(name: string | undefined, pointer: string): string {
    if (name !== undefined) return this.#directory.organization(name, `${pointer}/organization`)?.id ?? "";
    const all = this.#directory.organizations;
    const first = all.find(({ isPersonal }) => !isPersonal) ?? all[0];
    if (first === undefined) this.#mistake(pointer, "belongs to nobody: add an organization or a user");
    return first?.id ?? "";
  }

  #mistake(pointer: string, detail: string): void {
    this.#mistakes.push({ pointer, detail });
  }
}

/** The elements of a list, which is null where it is left empty in YAML, in full. */
function inFull<Full>(
  list: readonly (string | Full)[] | null | undefined,
  make: (name: string) => Full,
): Full[] {
  return (list ?? []).map((given) => (typeof given === "string" ? make(given) : given));
}

function personalOf(given: SeedUser["personalOrganization"]): SeedPersonalOrganization {
  return typeof given === "string" ? { id: given } : (given ?? {});
}

/** The time that a text says, which was looked at before. */
export function timeOf(text: string | null | undefined): number | undefined {
  return typeof text === "string" ? parseTimestamp(text) : undefined;
}
