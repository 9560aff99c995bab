import type { ClauseId } from "../clauses/register.js";
import type { SchemaGroup } from "../schemas/schema-builders.js";
import { batchOperations } from "./batches.js";
import { billingOperations } from "./billing.js";
import { databaseOperations } from "./databases.js";
import { apiDescription } from "./guide.js";
import { entityOperations } from "./entities.js";
import { healthOperations } from "./health.js";
import { itemOperations } from "./items.js";
import { memberOperations } from "./members.js";
import type { OperationDefinition } from "./operation.js";
import { organizationOperations } from "./organizations.js";
import { planOperations } from "./plans.js";
import { repositoryOperations } from "./repositories.js";
import { sessionOperations } from "./session.js";
import { sqlOperations } from "./sql.js";
import { batchSchemas } from "../schemas/batches.js";
import { billingSchemas } from "../schemas/billing.js";
import { sharedSchemas } from "../schemas/shared-schemas.js";
import { databaseSchemas } from "../schemas/databases.js";
import { entitySchemas } from "../schemas/entities.js";
import { healthSchemas } from "../schemas/health.js";
import { itemSchemas } from "../schemas/items.js";
import { memberSchemas } from "../schemas/members.js";
import { organizationSchemas } from "../schemas/organizations.js";
import { planSchemas } from "../schemas/plans.js";
import { repositorySchemas } from "../schemas/repositories.js";
import { sessionSchemas } from "../schemas/session.js";
import { sqlSchemas } from "../schemas/sql.js";

/** An HTTP interface described by operations and schemas: the service itself, or the emulator's control plane. */
export interface ApiDefinition<Id extends string = string> {
  readonly title: string;
  readonly description: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly operations: Readonly<Record<Id, OperationDefinition>>;
  /** Whether the description of each operation lists the permitted callers. */
  readonly describesAccess?: true;
  readonly schemas: readonly SchemaGroup[];
}

export const serviceOperations = {
  ...sessionOperations,
  ...itemOperations,
  ...batchOperations,
  ...databaseOperations,
  ...repositoryOperations,
  ...entityOperations,
  ...organizationOperations,
  ...memberOperations,
  ...billingOperations,
  ...planOperations,
  ...sqlOperations,
  ...healthOperations,
} as const;

/** The operations of the specification, by their logical id. */
export type OperationId = keyof typeof serviceOperations;

/** Returns the clause that describes the response of an operation. */
export function getResponseClause(operationId: OperationId): ClauseId {
  const [clause] = serviceOperations[operationId].clauses;
  if (clause === undefined) throw new Error(`no clause describes the response of ${operationId}`);
  return clause;
}

/** The operations of the service, in the order of the register. */
export const operationIds = Object.keys(serviceOperations) as readonly OperationId[];

/** The hosted data service. */
export const serviceApi: ApiDefinition<OperationId> = {
  title: "Data service",
  description: apiDescription,
  tags: [
    { name: "Session", description: "Login, token refresh and organization switching." },
    { name: "Items", description: "Raw items, identified by partition key and sort key." },
    { name: "Databases", description: "Database management." },
    { name: "Repositories", description: "Management of repositories and schemas." },
    { name: "Entities", description: "Records in repositories." },
    { name: "Organizations", description: "Organizations and their settings." },
    { name: "Members", description: "Organization members and their roles." },
    { name: "Billing", description: "Subscription, checkout, portal and usage." },
    { name: "Plans", description: "The public plan catalog." },
    { name: "SQL", description: "A database's tables, accessed with SQL." },
    { name: "Health", description: "Health checks for monitoring." },
  ],
  operations: serviceOperations,
  describesAccess: true,
  schemas: [
    sharedSchemas,
    sessionSchemas,
    databaseSchemas,
    itemSchemas,
    batchSchemas,
    repositorySchemas,
    entitySchemas,
    organizationSchemas,
    memberSchemas,
    billingSchemas,
    planSchemas,
    sqlSchemas,
    healthSchemas,
  ],
};
