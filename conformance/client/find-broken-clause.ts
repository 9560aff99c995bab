import type { ClauseId } from "../../openapi/clauses/register.js";
import { getResponseClause, type OperationId } from "../../openapi/operations/register.js";
import type { Violation } from "../../openapi/validation/violation.js";

/** Clauses about fields of responses that are more specific than the clause about the whole response. */
const fieldClauses: readonly {
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

/** Finds the clause that a response breaks if it does not match the open document. */
export function findBrokenClause(
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
  const specific = fieldClauses.find(
    (candidate) => candidate.pointer.test(pointer) && (candidate.operations?.test(operationId) ?? true),
  );
  return specific?.clause ?? getResponseClause(operationId);
}
