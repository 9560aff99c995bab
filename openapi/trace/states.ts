import type { Statement } from "./statement.js";

const notCaused = "a meaning for people: no request over the interface brings it about";

/** Part 3: statuses and how they change. */
export const stateStatements: readonly Statement[] = [
  {
    part: "3",
    says: "Creating: being provisioned",
    clauses: ["DB-02", "DB-13"],
    gaps: ["database-ready", "database-unavailable-status"],
  },
  { part: "3", says: "Active: ready for use", clauses: ["DB-13"], gaps: ["database-ready"] },
  { part: "3", says: "Inactive: paused", clauses: ["DB-13"], gaps: ["database-unavailable-status"] },
  {
    part: "3",
    says: "Maintenance: undergoing it",
    clauses: ["DB-13"],
    gaps: ["database-unavailable-status"],
  },
  { part: "3", says: "Deleting: being deleted", clauses: ["DB-13"], gaps: ["database-unavailable-status"] },
  {
    part: "3",
    says: "Error: something went wrong",
    clauses: ["DB-13"],
    gaps: ["database-unavailable-status"],
  },
  { part: "3", says: "BackingUp: a backup runs", clauses: ["DB-13"], gaps: ["database-unavailable-status"] },
  { part: "3", says: "Restoring: a restore runs", clauses: ["DB-13"], gaps: ["database-unavailable-status"] },
  { part: "3", says: "A valid create request makes a database that is Creating", clauses: ["DB-02"] },
  { part: "3", says: "The answer to it says so", clauses: ["DB-02"] },
  { part: "3", says: "Not shown: other transitions of a database", gaps: ["database-ready"] },
  {
    part: "3",
    says: "Not said: what may be done with a database that is Creating",
    gaps: ["creating-database"],
  },
  {
    part: "3",
    says: "Not said: the data of a database in Maintenance, BackingUp, Inactive or Error",
    open: true,
  },
  { part: "3", says: "Not said: when a deleted database is gone", gaps: ["database-deletion"] },
  { part: "3", says: "Organization active: fully operational", clauses: ["ORG-03"] },
  {
    part: "3",
    says: "Organization suspended: usually for its bills",
    gaps: ["suspended-organization"],
    reason: notCaused,
  },
  {
    part: "3",
    says: "Organization deleted: kept, but marked",
    clauses: ["ORG-16"],
    gaps: ["deleted-organization"],
    reason: "what is gone for clients may be kept behind",
  },
  { part: "3", says: "A created organization is active", clauses: ["ORG-03"] },
  { part: "3", says: "Not shown: other transitions of an organization", gaps: ["suspended-organization"] },
  {
    part: "3",
    says: "Member active: the invitation is accepted",
    reason: "nothing in the interface accepts an invitation",
  },
  { part: "3", says: "Member pending: the invitation is sent", clauses: ["ORG-22"] },
  { part: "3", says: "Who is invited is pending; userId, name, joinedAt null", clauses: ["ORG-22"] },
  { part: "3", says: "An invitation sets invitedAt; invitedBy is the caller", clauses: ["ORG-23"] },
  {
    part: "3",
    says: "Not shown: how a pending member becomes active",
    reason: "nothing in the interface accepts an invitation",
  },
  { part: "3", says: "Subscription active: active and paid", clauses: ["BILL-04"], reason: notCaused },
  { part: "3", says: "Subscription trialing: in the free trial", clauses: ["BILL-04"], reason: notCaused },
  {
    part: "3",
    says: "Subscription past_due: payment failed, in grace",
    clauses: ["BILL-04"],
    reason: notCaused,
  },
  { part: "3", says: "Subscription canceled", clauses: ["BILL-04"], reason: notCaused },
  {
    part: "3",
    says: "Subscription incomplete: set-up is not complete",
    clauses: ["BILL-04"],
    reason: notCaused,
  },
  { part: "3", says: "Not shown: transitions of a subscription", reason: notCaused },
  { part: "3", says: "Not said: what an organization has after its subscription is canceled", open: true },
];
