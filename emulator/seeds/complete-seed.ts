import type {
  Seed,
  SeedApiKey,
  SeedDatabase,
  SeedOrganization,
  SeedPersonalOrganization,
  SeedRepository,
} from "../../fixtures/seed.js";
import { parseTimestamp } from "../time/parse-timestamp.js";
import { startOfTime } from "../time/clock.js";
import { Directory } from "./directory.js";
import { IdBook } from "./id-book.js";
import { defaultPassword, defaultRegion, idWord, localPart } from "./seed-defaults.js";
import type {
  Entry,
  WholeApiKey,
  WholeDatabase,
  WholeMember,
  WholeOrganization,
  WholeRepository,
  WholeSeed,
  WholeUser,
} from "./whole-seed.js";
import type { SeedMistake } from "./seed-mistake.js";

/**
 * Fills in what a seed leaves out, and looks up whom it names. Ids that are given come before those that follow from
 * names, so that nothing given is ever taken.
 */
export function completeSeed(seed: Seed): {
  readonly whole: WholeSeed;
  readonly mistakes: readonly SeedMistake[];
} {
  const mistakes: SeedMistake[] = [];
  const createdAt = timeOf(seed.createdAt) ?? timeOf(seed.clock?.now) ?? startOfTime;
  const users = completeUsers(seed, createdAt, mistakes);
  const directory = new Directory(users, mistakes);
  const organizations = completeOrganizations(seed, users, directory, createdAt, mistakes);
  directory.addOrganizations(organizations);
  const [first] = [...organizations.filter(({ isPersonal }) => !isPersonal), ...organizations];
  const organizationOf = (name: string | undefined, pointer: string) => {
    if (name !== undefined) return directory.organization(name, `${pointer}/organization`);
    if (first === undefined)
      mistakes.push({ pointer, detail: "belongs to nobody: add an organization or a user" });
    return first?.organizationId ?? "";
  };
  const whole = {
    createdAt,
    users,
    organizations,
    apiKeys: completeApiKeys(seed, organizationOf, createdAt, mistakes),
    databases: completeDatabases(seed, organizationOf, createdAt, mistakes),
  };
  return { whole, mistakes };
}

function completeUsers(seed: Seed, createdAt: number, mistakes: SeedMistake[]): WholeUser[] {
  const entries = (seed.users ?? []).map((given) => (typeof given === "string" ? { email: given } : given));
  const ids = new IdBook(mistakes, "user");
  entries.forEach(({ id }, index) => ids.take(id, `/users/${index}/id`));
  const personal = new IdBook(mistakes, "organization");
  entries.forEach(({ personalOrganization: given }, index) => {
    const isId = typeof given === "string";
    personal.take(isId ? given : given?.id, `/users/${index}/personalOrganization${isId ? "" : "/id"}`);
  });
  return entries.map((given, index): WholeUser => {
    const { id, email, name, password, personalOrganization } = given;
    const word = idWord(localPart(email));
    const organizationId =
      typeof personalOrganization === "string" ? personalOrganization : personalOrganization?.id;
    return {
      pointer: `/users/${index}`,
      given,
      userId: id ?? ids.make(`user_${word}`),
      email: email.trim(),
      name: name ?? (localPart(email) || email),
      password: password ?? seed.password ?? defaultPassword,
      personalOrganizationId: organizationId ?? personal.make(`org_personal_${word}`),
      createdAt: timeOf(given.createdAt) ?? createdAt,
    };
  });
}

function completeOrganizations(
  seed: Seed,
  users: readonly WholeUser[],
  directory: Directory,
  createdAt: number,
  mistakes: SeedMistake[],
): WholeOrganization[] {
  const entries = (seed.organizations ?? []).map((given): SeedOrganization =>
    typeof given === "string" ? { name: given } : given,
  );
  const ids = new IdBook(mistakes, "organization");
  for (const { personalOrganizationId, pointer } of users)
    ids.take(personalOrganizationId, `${pointer}/personalOrganization`);
  entries.forEach(({ id }, index) => ids.take(id, `/organizations/${index}/id`));
  const [firstUser] = users;
  return [
    ...users.map((user): WholeOrganization => {
      const { personalOrganization } = user.given;
      const given = typeof personalOrganization === "object" ? personalOrganization : {};
      const at = {
        pointer: `${user.pointer}/personalOrganization`,
        createdAt: timeOf(given.createdAt) ?? user.createdAt,
      };
      return {
        ...at,
        given,
        organizationId: user.personalOrganizationId,
        isPersonal: true,
        ...completeMembers(given, [user.userId], at, directory, mistakes, user.userId),
      };
    }),
    ...entries.map((given, index): WholeOrganization => {
      const at = { pointer: `/organizations/${index}`, createdAt: timeOf(given.createdAt) ?? createdAt };
      const usual = firstUser === undefined ? [] : [firstUser.userId];
      return {
        ...at,
        given,
        organizationId: given.id ?? ids.make(`org_${idWord(given.name)}`),
        isPersonal: false,
        ...completeMembers(given, usual, at, directory, mistakes),
      };
    }),
  ];
}

function completeMembers(
  given: SeedPersonalOrganization,
  usual: readonly string[],
  { pointer, createdAt }: Entry,
  directory: Directory,
  mistakes: SeedMistake[],
  person?: string,
): Pick<WholeOrganization, "founder" | "ownerUserId" | "members"> {
  const entries = (given.members ?? usual).map((member) =>
    typeof member === "string" ? { user: member } : member,
  );
  const named =
    given.owner === undefined ? undefined : directory.user(given.owner, `${pointer}/owner`)?.userId;
  const members = entries.map((member, index): WholeMember => {
    const place = `${pointer}/members/${index}`;
    const { user, invite, role = index === 0 && invite === undefined ? "owner" : "member" } = member;
    if ((user === undefined) === (invite === undefined))
      mistakes.push({ pointer: place, detail: "has either user or invite" });
    const found =
      user === undefined
        ? undefined
        : directory.user(user, typeof given.members?.[index] === "string" ? place : `${place}/user`);
    const invitedBy =
      member.invitedBy === undefined
        ? null
        : (directory.user(member.invitedBy, `${place}/invitedBy`)?.userId ?? null);
    return {
      pointer: place,
      userId: found?.userId ?? null,
      email: found?.email ?? invite ?? "",
      role,
      joinedAt: user === undefined ? null : (timeOf(member.joinedAt) ?? createdAt),
      invitedAt: timeOf(member.invitedAt) ?? (user === undefined ? createdAt : null),
      invitedBy,
    };
  });
  const owners = members.filter(({ role, userId }) => role === "owner" && userId !== null);
  const [first] = owners;
  if (first === undefined) {
    const todo = usual.length === 0 ? "add a user to the seed" : "give one of its users the role owner";
    mistakes.push({ pointer, detail: `has no owner: ${todo}` });
  }
  if (named !== undefined && !owners.some(({ userId }) => userId === named))
    mistakes.push({ pointer: `${pointer}/owner`, detail: "must be one of its members with the role owner" });
  const usualOwner = owners.find(({ userId }) => userId === person) ?? first;
  const ownerUserId = named ?? usualOwner?.userId ?? "";
  const founder = person ?? ownerUserId;
  return {
    founder,
    ownerUserId,
    members: members.map((member) =>
      member.userId === null && member.invitedBy === null ? { ...member, invitedBy: founder } : member,
    ),
  };
}

type OrganizationOf = (name: string | undefined, pointer: string) => string;

function completeApiKeys(
  seed: Seed,
  organizationOf: OrganizationOf,
  createdAt: number,
  mistakes: SeedMistake[],
): WholeApiKey[] {
  const entries = (seed.apiKeys ?? []).map((given): SeedApiKey =>
    typeof given === "string" ? { key: given } : given,
  );
  const ids = new IdBook(mistakes, "API key");
  const keys = new IdBook(mistakes, "API key");
  entries.forEach(({ id, key }, index) => {
    ids.take(id, `/apiKeys/${index}/id`);
    keys.take(key, typeof seed.apiKeys?.[index] === "string" ? `/apiKeys/${index}` : `/apiKeys/${index}/key`);
  });
  return entries.map((given, index) => {
    const pointer = `/apiKeys/${index}`;
    const name = given.name ?? given.key ?? `key ${index + 1}`;
    const word = idWord(name.replace(/^dsk_/, ""));
    return {
      pointer,
      given,
      apiKeyId: given.id ?? ids.make(`key_${word}`),
      key: given.key ?? keys.make(`dsk_${word}`),
      name,
      organizationId: organizationOf(given.organization, pointer),
      createdAt: timeOf(given.createdAt) ?? createdAt,
    };
  });
}

function completeDatabases(
  seed: Seed,
  organizationOf: OrganizationOf,
  createdAt: number,
  mistakes: SeedMistake[],
): WholeDatabase[] {
  const entries = (seed.databases ?? []).map((given): SeedDatabase =>
    typeof given === "string" ? { name: given } : given,
  );
  const ids = new IdBook(mistakes, "database");
  entries.forEach(({ id }, index) => ids.take(id, `/databases/${index}/id`));
  const repositoryIds = new IdBook(mistakes, "repository");
  const repositories = entries.map(({ repositories: within }) =>
    (within ?? []).map((given): SeedRepository => (typeof given === "string" ? { name: given } : given)),
  );
  repositories.forEach((within, database) =>
    within.forEach(({ id }, index) =>
      repositoryIds.take(id, `/databases/${database}/repositories/${index}/id`),
    ),
  );
  return entries.map((given, index): WholeDatabase => {
    const pointer = `/databases/${index}`;
    const made = timeOf(given.createdAt) ?? createdAt;
    return {
      pointer,
      given,
      databaseId: given.id ?? ids.make(`db_${idWord(given.name)}`),
      organizationId: organizationOf(given.organization, pointer),
      region: given.region ?? defaultRegion,
      createdAt: made,
      repositories: (repositories[index] ?? []).map((repository, place) =>
        completeRepository(repository, `${pointer}/repositories/${place}`, made, repositoryIds, mistakes),
      ),
    };
  });
}

function completeRepository(
  given: SeedRepository,
  pointer: string,
  createdAt: number,
  ids: IdBook,
  mistakes: SeedMistake[],
): WholeRepository {
  const word = idWord(given.name);
  const entities = given.entities ?? [];
  const entityIds = new IdBook(mistakes, "entity of the repository");
  entities.forEach(({ id }, index) => entityIds.take(id, `${pointer}/entities/${index}/id`));
  return {
    pointer,
    given,
    repositoryId: given.id ?? ids.make(`repo_${word}`),
    entityName: given.entityName ?? given.name,
    entityIds: entities.map(({ id }, index) => id ?? entityIds.make(`ent_${word}_${index + 1}`)),
    createdAt: timeOf(given.createdAt) ?? createdAt,
  };
}

/** The time that a text says, which was looked at before. */
export function timeOf(text: string | null | undefined): number | undefined {
  return typeof text === "string" ? parseTimestamp(text) : undefined;
}
