import type { OperationId } from "../../openapi/operations/register.js";

/** A kind of resource that an operation creates and that must be removed individually. */
export interface CreatedKind {
  readonly create: OperationId;
  /** The field of the request with the name, and how to read the name from it. */
  readonly nameField: string;
  readonly namePattern?: RegExp;
  /** The path parameter with the database or organization of the resource. */
  readonly parent?: string;
  /** The field of the response, and of the entries of the list, with the id; members need not have one. */
  readonly idField?: string;
  /** How the deployment lists and removes resources of this kind. */
  readonly listed?: ListedKind;
}

export interface ListedKind {
  readonly list: OperationId;
  /** The field of the list with its entries. */
  readonly field: string;
  /** The field of an entry with the name. */
  readonly nameField: string;
  readonly remove: OperationId;
  /** Returns the path parameters of the removal. */
  readonly getPath: (id: string, parent: string) => Readonly<Record<string, string>>;
}

/** Which operations create resources, and how these are found and removed. */
export const createdKinds = {
  database: {
    create: "createDatabase",
    nameField: "name",
    idField: "databaseId",
    listed: {
      list: "listDatabases",
      field: "databases",
      nameField: "name",
      remove: "deleteDatabase",
      getPath: (databaseId) => ({ databaseId }),
    },
  },
  repository: {
    create: "createRepository",
    nameField: "name",
    parent: "databaseId",
    idField: "repositoryId",
    listed: {
      list: "listRepositories",
      field: "repositories",
      nameField: "name",
      remove: "deleteRepository",
      getPath: (repositoryId, databaseId) => ({ databaseId, repositoryId }),
    },
  },
  organization: {
    create: "createOrganization",
    nameField: "name",
    idField: "organizationId",
    listed: {
      list: "listOrganizations",
      field: "organizations",
      nameField: "organizationName",
      remove: "deleteOrganization",
      getPath: (organizationId) => ({ organizationId }),
    },
  },
  member: {
    create: "inviteMember",
    nameField: "email",
    parent: "organizationId",
    listed: {
      list: "listMembers",
      field: "members",
      nameField: "email",
      remove: "removeMember",
      getPath: (memberId, organizationId) => ({ organizationId, memberId }),
    },
  },
  table: {
    create: "executeSql",
    nameField: "sql",
    namePattern: /(?<=^\s*create\s+table\s+(?:if\s+not\s+exists\s+)?)[\w-]+/i,
    parent: "databaseId",
  },
} satisfies Readonly<Record<string, CreatedKind>>;

const byOperation = new Map(
  (Object.entries(createdKinds) as [keyof typeof createdKinds, CreatedKind][]).map(([kind, created]) => [
    created.create,
    { kind, ...created },
  ]),
);

/** Returns the kind of resource that an operation creates; undefined if it creates none. */
export function findCreatedKind(
  operationId: OperationId | undefined,
): (CreatedKind & { readonly kind: keyof typeof createdKinds }) | undefined {
  return operationId === undefined ? undefined : byOperation.get(operationId);
}

/** Returns the kind with a name; undefined if no operation creates resources of this kind. */
export function getCreatedKind(kind: string): CreatedKind | undefined {
  return (createdKinds as Readonly<Record<string, CreatedKind>>)[kind];
}
