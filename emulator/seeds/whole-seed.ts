import type {
  SeedApiKey,
  SeedDatabase,
  SeedPersonalOrganization,
  SeedRepository,
  SeedUser,
} from "../../fixtures/seed.js";
import type { Role } from "../../openapi/schemas/roles.js";

/** A seed in which nothing is left to be guessed: every id is there, and references are ids. */
export interface WholeSeed {
  /** When all was made that does not say so itself. */
  readonly createdAt: number;
  readonly users: readonly WholeUser[];
  /** Personal ones first, in the order of their users. */
  readonly organizations: readonly WholeOrganization[];
  readonly apiKeys: readonly WholeApiKey[];
  readonly databases: readonly WholeDatabase[];
}

/** Where something stands in the seed, and when it was made. */
export interface Entry {
  readonly pointer: string;
  readonly createdAt: number;
}

export interface WholeUser extends Entry {
  readonly given: SeedUser;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly personalOrganizationId: string;
}

export interface WholeOrganization extends Entry {
  readonly given: SeedPersonalOrganization;
  readonly organizationId: string;
  readonly isPersonal: boolean;
  /** Who invites the others. */
  readonly founder: string;
  readonly ownerUserId: string;
  readonly members: readonly WholeMember[];
}

export interface WholeMember {
  readonly pointer: string;
  /** Null for an invitation. */
  readonly userId: string | null;
  readonly email: string;
  readonly role: Role;
  readonly joinedAt: number | null;
  readonly invitedAt: number | null;
  readonly invitedBy: string | null;
}

export interface WholeApiKey extends Entry {
  readonly apiKeyId: string;
  readonly key: string;
  readonly name: string;
  readonly organizationId: string;
  readonly given: SeedApiKey;
}

export interface WholeDatabase extends Entry {
  readonly given: SeedDatabase;
  readonly databaseId: string;
  readonly organizationId: string;
  readonly region: string;
  readonly repositories: readonly WholeRepository[];
}

export interface WholeRepository extends Entry {
  readonly given: SeedRepository;
  readonly repositoryId: string;
  readonly entityName: string;
  /** In the order of the entities. */
  readonly entityIds: readonly string[];
}
