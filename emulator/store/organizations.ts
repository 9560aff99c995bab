import type { PlanType } from "../../openapi/clauses/limits.js";
import type { MemberStatus } from "../../openapi/schemas/members.js";
import type { OrganizationStatus } from "../../openapi/schemas/organizations.js";
import type { Role } from "../../openapi/schemas/roles.js";
import * as column from "../sqlite/columns.js";
import { unpeekedMarker } from "../sqlite/markers.js";
import { type RowOf, RowStatements, StateTable } from "../sqlite/state-table.js";
import type { PreparedStatements } from "../sqlite/statement.js";

export const organizationsTable = new StateTable("organizations", {
  sequence: column.sequence,
  organizationId: column.text("UNIQUE"),
  name: column.text(),
  slug: column.text(),
  ownerUserId: column.text("REFERENCES users (user_id)"),
  isPersonal: column.flag(),
  plan: column.text<PlanType>(),
  status: column.text<OrganizationStatus>(),
  billingEmail: column.text(),
  maxDatabases: column.integer(),
  maxApiKeys: column.integer(),
  maxMembers: column.integer(),
  allowedRegions: column.nullable(column.json<readonly string[]>()),
  requireMfa: column.flag(),
  ssoEnabled: column.flag(),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
});
export type OrganizationRow = RowOf<typeof organizationsTable>;

export const membersTable = new StateTable("members", {
  sequence: column.sequence,
  organizationId: column.inUniqueKey(column.text("REFERENCES organizations (organization_id)")),
  /** Null while the invitation is pending. */
  userId: column.nullable(column.text("REFERENCES users (user_id)")),
  email: column.inUniqueKey(column.text()),
  role: column.text<Role>(),
  status: column.text<MemberStatus>(),
  joinedAt: column.nullable(column.timestamp()),
  invitedAt: column.nullable(column.timestamp()),
  invitedBy: column.nullable(column.text()),
});
export type MemberRow = RowOf<typeof membersTable>;

/** An organization in the list of a member. */
interface JoinedOrganization {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly role: Role;
  readonly joinedAt: number;
  readonly status: OrganizationRow["status"];
}

const ownersCondition = `WHERE organization_id = ${unpeekedMarker} AND role = 'owner' AND status = 'active' ORDER BY sequence`;

export const selectOwnersSql = membersTable.select(ownersCondition);

/** Organizations and their members. */
export function prepareOrganizationStatements(statements: PreparedStatements) {
  const organizations = new RowStatements(statements, organizationsTable);
  const members = new RowStatements(statements, membersTable);
  const byId = statements.remember(
    ["organizations"],
    organizations.one<[string]>("WHERE organization_id = ?"),
  );
  const remove = statements.write<[string]>("DELETE FROM organizations WHERE organization_id = ?");
  const hasSlug = statements.number<[string]>(
    "SELECT 1 FROM organizations WHERE slug = ? AND status <> 'deleted'",
  );

  const memberOfUser = members.one<[string, string]>("WHERE user_id = ? AND organization_id = ?");
  const rememberedMember = statements.remember(["members"], (key) => {
    // User ids have no spaces. The organization id may be any text in a path.
    const end = key.indexOf(" ");
    return memberOfUser(key.slice(0, end), key.slice(end + 1));
  });
  const removeMember = statements.write<[string, string]>(
    "DELETE FROM members WHERE organization_id = ? AND email = ?",
  );
  const removeMembersOf = statements.write<[string]>("DELETE FROM members WHERE organization_id = ?");
  return {
    byId,
    /** Undefined for an organization that has never existed. */
    statusOf: (organizationId: string) => byId(organizationId)?.status,
    /** Lists the organizations that are not deleted. */
    all: organizations.list<[]>("WHERE status <> 'deleted' ORDER BY sequence"),
    ownedBy: statements.list<[string], string>(
      "SELECT organization_id FROM organizations WHERE owner_user_id = ? ORDER BY sequence",
      (row) => row[0] as string,
    ),
    insert: organizations.insert(),
    update: organizations.update("organization_id = ?1"),
    /** Whether an organization that is not deleted has the slug. */
    hasSlug: (slug: string) => hasSlug(slug) > 0,
    /** Removes the row of the organization and its members. Its databases and keys must be removed separately. */
    remove: (organizationId: string) => {
      removeMembersOf(organizationId);
      remove(organizationId);
    },
    memberOfUser: (organizationId: string, userId: string) => rememberedMember(`${userId} ${organizationId}`),
    /** Organizations that a user has joined, including deleted ones, in the order of joining. */
    joinedBy: statements.list<[string], JoinedOrganization>(
      "SELECT organization_id, organizations.name, members.role, members.joined_at, " +
        "organizations.status FROM members " +
        `JOIN organizations USING (organization_id) WHERE members.user_id = ${unpeekedMarker} ` +
        "AND members.joined_at IS NOT NULL " +
        "ORDER BY members.joined_at, members.sequence",
      (row) => ({
        organizationId: row[0] as string,
        organizationName: row[1] as string,
        role: row[2] as Role,
        joinedAt: row[3] as number,
        status: row[4] as OrganizationRow["status"],
      }),
    ),
    membershipsOf: members.list<[string]>("WHERE user_id = ? ORDER BY sequence"),
    insertMember: members.insert(),
    /** Finds a member by the stored form of the email address. */
    memberOfEmail: members.one<[organizationId: string, email: string]>(
      "WHERE organization_id = ? AND email = ?",
    ),
    /** Active and pending members in the order of invitation. */
    membersOf: members.list<[string]>("WHERE organization_id = ? ORDER BY sequence"),
    /** Active owners in the order of invitation. */
    ownersOf: members.list<[string]>(ownersCondition),
    /** Counts members, including pending ones. */
    countMembers: statements.number<[string]>("SELECT COUNT(*) FROM members WHERE organization_id = ?"),
    /** Changes a member. The email address must stay the same. */
    updateMember: members.update("organization_id = ?1 AND email = ?3"),
    removeMember: ({ organizationId, email }: MemberRow) => removeMember(organizationId, email),
    removeMembersOf,
    removeMembershipsOf: statements.write<[string]>("DELETE FROM members WHERE user_id = ?"),
  };
}
