import type { OperationId } from "../../openapi/operations/register.js";
import { batchGetItems, batchWriteItems } from "./batches.js";
import { createDatabase, deleteDatabase, getDatabase, listDatabases } from "./databases.js";
import { createEntity, deleteEntity, getEntity, updateEntity } from "./entities.js";
import { listEntities, queryEntities } from "./entity-pages.js";
import type { Handler } from "./handler.js";
import { getHealth, getLiveness, getReadiness } from "./health.js";
import { inviteMember, listMembers, removeMember, updateMember } from "./members.js";
import {
  createOrganization,
  deleteOrganization,
  getOrganization,
  listOrganizations,
  updateOrganization,
} from "./organizations.js";
import { createCheckout, getPaymentInfo, getPaymentPortal, getPaymentStatus, getUsage } from "./payment.js";
import { getPlan, listPlans } from "./plans.js";
import { queryItems, scanItems } from "./item-pages.js";
import { deleteItem, deleteItemWithSortKey, getItem, getItemWithSortKey, putItem } from "./items.js";
import { createRepository, deleteRepository, getRepository, listRepositories } from "./repositories.js";
import { executeSql, getSqlTableSchema, listSqlTables, runSqlQuery } from "./sql.js";
import { transactGetItems, transactWriteItems } from "./transactions.js";
import { login, refreshSession, switchOrganization } from "./session.js";

/** The handler of every operation of the service; one that is missing does not compile. */
export const serviceHandlers = {
  login,
  refreshSession,
  switchOrganization,
  putItem,
  getItem,
  getItemWithSortKey,
  deleteItem,
  deleteItemWithSortKey,
  queryItems,
  scanItems,
  batchWriteItems,
  batchGetItems,
  transactGetItems,
  transactWriteItems,
  createDatabase,
  listDatabases,
  getDatabase,
  deleteDatabase,
  createOrganization,
  listOrganizations,
  getOrganization,
  updateOrganization,
  deleteOrganization,
  listMembers,
  inviteMember,
  updateMember,
  removeMember,
  getPaymentInfo,
  createCheckout,
  getPaymentPortal,
  getPaymentStatus,
  getUsage,
  listPlans,
  getPlan,
  createRepository,
  listRepositories,
  getRepository,
  deleteRepository,
  createEntity,
  listEntities,
  getEntity,
  updateEntity,
  deleteEntity,
  queryEntities,
  runSqlQuery,
  executeSql,
  listSqlTables,
  getSqlTableSchema,
  getHealth,
  getReadiness,
  getLiveness,
} satisfies { readonly [Id in OperationId]: Handler<Id> };
