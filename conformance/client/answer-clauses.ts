import type { ClauseId } from "../../openapi/clauses/register.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { Violation } from "../../openapi/validation/validate.js";

/** The clause that says what the answer of an operation looks like. */
export const answerClauses: Readonly<Record<OperationId, ClauseId>> = {
  login: "AUTH-06",
  refreshSession: "AUTH-09",
  switchOrganization: "AUTH-12",
  putItem: "ITEM-01",
  getItem: "ITEM-12",
  getItemWithSortKey: "ITEM-12",
  deleteItem: "ITEM-15",
  deleteItemWithSortKey: "ITEM-15",
  queryItems: "ITEM-28",
  scanItems: "ITEM-28",
  batchWriteItems: "BATCH-01",
  batchGetItems: "BATCH-09",
  transactGetItems: "TX-01",
  transactWriteItems: "TX-06",
  createDatabase: "DB-01",
  listDatabases: "DB-07",
  getDatabase: "DB-07",
  deleteDatabase: "DB-12",
  createRepository: "REPO-01",
  listRepositories: "REPO-05",
  getRepository: "REPO-06",
  deleteRepository: "REPO-09",
  createEntity: "REPO-23",
  listEntities: "REPO-33",
  getEntity: "REPO-28",
  updateEntity: "REPO-30",
  deleteEntity: "REPO-32",
  queryEntities: "REPO-33",
  createOrganization: "ORG-01",
  listOrganizations: "ORG-09",
  getOrganization: "ORG-11",
  updateOrganization: "ORG-14",
  deleteOrganization: "ORG-16",
  listMembers: "ORG-19",
  inviteMember: "ORG-22",
  updateMember: "ORG-27",
  removeMember: "ORG-29",
  getPaymentInfo: "BILL-01",
  createCheckout: "BILL-08",
  getPaymentPortal: "BILL-11",
  getPaymentStatus: "BILL-12",
  getUsage: "BILL-15",
  listPlans: "BILL-20",
  getPlan: "BILL-20",
  runSqlQuery: "SQL-01",
  executeSql: "SQL-08",
  listSqlTables: "SQL-27",
  getSqlTableSchema: "SQL-29",
  getHealth: "HEALTH-01",
  getReadiness: "HEALTH-03",
  getLiveness: "HEALTH-05",
};

/** Clauses about members of answers that are more to the point than the one about the whole. */
const memberClauses: readonly {
  readonly pointer: RegExp;
  readonly operations?: RegExp;
  readonly clause: ClauseId;
}[] = [
  { pointer: /^\/status$/, operations: /^login$/, clause: "AUTH-05" },
  { pointer: /\/expiresIn$/, clause: "AUTH-07" },
  { pointer: /\/(permissions|roles)(\/\d+)?$/, operations: /^login$/, clause: "AUTH-25" },
  { pointer: /^\/slug$/, operations: /Organization$/, clause: "ORG-08" },
  { pointer: /^\/status$/, operations: /^createOrganization$/, clause: "ORG-03" },
  { pointer: /^\/status$/, operations: /^inviteMember$/, clause: "ORG-22" },
  { pointer: /\/invited(At|By)$/, operations: /^inviteMember$/, clause: "ORG-23" },
  { pointer: /^\/settings(\/|$)/, operations: /Organization$/, clause: "ORG-12" },
  { pointer: /^\/status$/, operations: /Organization$/, clause: "ORG-13" },
  { pointer: /\/(role|status)$/, operations: /Member/, clause: "ORG-21" },
  { pointer: /\/settings(\/|$)/, operations: /Database/, clause: "DB-15" },
  { pointer: /\/usage\//, operations: /Database/, clause: "DB-08" },
  { pointer: /^\/status$/, operations: /^createDatabase$/, clause: "DB-02" },
  { pointer: /\/status$/, operations: /Database/, clause: "DB-13" },
  { pointer: /\/version$/, operations: /Entit/, clause: "REPO-27" },
  { pointer: /^\/product(\/|$)/, operations: /^getPaymentInfo$/, clause: "BILL-02" },
  { pointer: /^\/latestOrder(\/|$)/, operations: /^getPaymentInfo$/, clause: "BILL-03" },
  { pointer: /^\/status$/, operations: /^getPayment(Info|Status)$/, clause: "BILL-04" },
  { pointer: /\/(amount|\w+Cents)$/, operations: /^(getPaymentInfo|listPlans|getPlan)$/, clause: "BILL-05" },
  { pointer: /^\/columns\/\d+/, operations: /^runSqlQuery$/, clause: "SQL-03" },
  { pointer: /^\/columns\/\d+/, operations: /^getSqlTableSchema$/, clause: "SQL-30" },
  { pointer: /^\/primaryKey(\/|$)/, operations: /^getSqlTableSchema$/, clause: "SQL-31" },
  { pointer: /^\/indexes(\/|$)/, operations: /^getSqlTableSchema$/, clause: "SQL-32" },
  { pointer: /^\/errors\/\d+\/errorType$/, operations: /^transactWriteItems$/, clause: "TX-13" },
  { pointer: /^\/errors\/\d+/, operations: /^transactWriteItems$/, clause: "TX-11" },
  { pointer: /^\/errors(\/|$)/, operations: /^batchWriteItems$/, clause: "BATCH-05" },
  { pointer: /^\/unprocessedKeys(\/|$)/, clause: "BATCH-10" },
  { pointer: /^\/next(Cursor|PageToken)$/, clause: "GEN-03" },
];

const timestamp = /(At|Start|End|lastUpdated)$/;

const identifier = /(Id|\/id)$/;

/** The clause that an answer breaks when it does not fit the open document. */
export function blame(
  operationId: OperationId,
  status: number,
  { pointer, in: place, keyword }: Violation,
): ClauseId {
  if (place === "header" && pointer === "/Content-Type") return "GEN-06";
  if (operationId.startsWith("get") && operationId.includes("Item") && status === 404) return "ITEM-14";
  if (operationId.includes("Sql") && status >= 400) return "SQL-46";
  if (operationId === "getHealth" && status !== 200) return "HEALTH-02";
  if (operationId === "getReadiness" && status !== 200) return "HEALTH-04";
  if (timestamp.test(pointer) && (keyword === "pattern" || keyword === "format")) return "GEN-01";
  if (identifier.test(pointer) && (keyword === "type" || keyword === "minLength")) return "GEN-02";
  const member = memberClauses.find(
    (known) => known.pointer.test(pointer) && (known.operations?.test(operationId) ?? true),
  );
  return member?.clause ?? answerClauses[operationId];
}
