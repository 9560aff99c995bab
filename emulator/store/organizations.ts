import type { PlanType } from "../../openapi/clauses/limits.js";
import type { Role } from "../../openapi/schemas/roles.js";
import type { MemberStatus } from "../../openapi/schemas/members.js";
import type { OrganizationStatus } from "../../openapi/schemas/organizations.js";
import { unaryPlusMarker } from "../sqlite/markers.js";
import { booleanColumn, jsonColumn, RowMapping } from "../sqlite/row-mapping.js";
import type { PreparedStatements } from "../sqlite/statement.js";

/** An organization as stored; times in milliseconds. */
export interface OrganizationRow {
  readonly organizationId: string;
  readonly name: string;
  readonly slug: string;
  readonly ownerUserId: string;
  readonly isPersonal: boolean;
  readonly plan: PlanType;
  readonly status: OrganizationStatus;
  readonly billingEmail: string;
  readonly maxDatabases: number;
  readonly maxApiKeys: number;
  readonly maxMembers: number;
  readonly allowedRegions: readonly string[] | null;
  readonly requireMfa: boolean;
  readonly ssoEnabled: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A member as stored; `userId` is null while the invitation is pending. */
export interface MemberRow {
  readonly organizationId: string;
  readonly userId: string | null;
  readonly email: string;
  readonly role: Role;
  readonly status: MemberStatus;
  readonly joinedAt: number | null;
  readonly invitedAt: number | null;
  readonly invitedBy: string | null;
}

/** An organization in the list of a member. */
interface JoinedOrganization {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly role: Role;
  readonly joinedAt: number;
  readonly status: OrganizationRow["status"];
}

const organizationForm = new RowMapping<OrganizationRow>(
  "organization_id, name, slug, owner_user_id, is_personal, plan, status, billing_email, max_databases, max_api_keys, " +
    "max_members, allowed_regions, require_mfa, sso_enabled, created_at, updated_at",
  {
    isPersonal: booleanColumn,
    allowedRegions: jsonColumn,
    requireMfa: booleanColumn,
    ssoEnabled: booleanColumn,
  },
);

const memberForm = new RowMapping<MemberRow>(
  "organization_id, user_id, email, role, status, joined_at, invited_at, invited_by",
);

/** The active owners of an organization. */
export const selectOwnersSql = `SELECT ${memberForm.columns} FROM members WHERE organization_id = ${unaryPlusMarker} AND role = 'owner' AND status = 'active' ORDER BY sequence`;

/** Organizations and their members. */
export function prepareOrganizationStatements(statements: PreparedStatements) {
  const { columns, markers, read } = organizationForm;
  const byId = statements.one<[string], OrganizationRow>(
    `SELECT ${columns} FROM organizations WHERE organization_id = ?`,
    read,
  );
  const rememberedById = statements.remember(["organizations"], byId);
  const insert = statements.write(`INSERT INTO organizations (${columns}) VALUES (${markers})`);
  const update = statements.write(
    `UPDATE organizations SET (${columns}) = (${markers}) WHERE organization_id = ?1`,
  );
  const remove = statements.write<[string]>("DELETE FROM organizations WHERE organization_id = ?");
  const hasSlug = statements.number<[string]>(
    "SELECT 1 FROM organizations WHERE slug = ? AND status <> 'deleted'",
  );

  const members = (condition: string) =>
    [`SELECT ${memberForm.columns} FROM members WHERE ${condition}`, memberForm.read] as const;
  const memberOfUser = statements.one<[string, string], MemberRow>(
    ...members("user_id = ? AND organization_id = ?"),
  );
  // ids have no spaces
  const rememberedMember = statements.remember(["members"], (key) => {
    const [userId = "", organizationId = ""] = key.split(" ");
    return memberOfUser(userId, organizationId);
  });
  const insertMember = statements.write(
    `INSERT INTO members (${memberForm.columns}) VALUES (${memberForm.markers})`,
  );
  const setRole = statements.write<[string, string, string]>(
    "UPDATE members SET role = ? WHERE organization_id = ? AND email = ?",
  );
  const renewInvitation = statements.write(
    "UPDATE members SET role = ?, invited_at = ?, invited_by = ? WHERE organization_id = ? AND email = ?",
  );
  const activate = statements.write<[string, number, string, string]>(
    "UPDATE members SET status = 'active', user_id = ?, joined_at = ? WHERE organization_id = ? AND email = ?",
  );
  const removeMember = statements.write<[string, string]>(
    "DELETE FROM members WHERE organization_id = ? AND email = ?",
  );
  const removeMembersOf = statements.write<[string]>("DELETE FROM members WHERE organization_id = ?");
  return {
    byId: rememberedById,
    /** Undefined for an organization that never existed; `deleted` for a deleted one. */
    statusOf: (organizationId: string) => rememberedById(organizationId)?.status,
    /** Lists the organizations that are not deleted. */
    all: statements.list<[], OrganizationRow>(
      `SELECT ${columns} FROM organizations WHERE status <> 'deleted' ORDER BY sequence`,
      read,
    ),
    ownedBy: statements.list<[string], string>(
      "SELECT organization_id FROM organizations WHERE owner_user_id = ? ORDER BY sequence",
      (row) => row[0] as string,
    ),
    insert: (organization: OrganizationRow) => insert(...organizationForm.values(organization)),
    update: (organization: OrganizationRow) => update(...organizationForm.values(organization)),
    /** Whether an organization that is not deleted has the slug. */
    hasSlug: (slug: string) => hasSlug(slug) > 0,
    /** Removes the organization and its members, leaving no trace; its databases and keys are removed apart. */
    remove: (organizationId: string) => {
      removeMembersOf(organizationId);
      remove(organizationId);
    },
    memberOfUser: (organizationId: string, userId: string) => rememberedMember(`${userId} ${organizationId}`),
    /** Organizations that a user has joined, deleted ones included, in the order in which the caller joined them. */
    joinedBy: statements.list<[string], JoinedOrganization>(
      "SELECT organization_id, organizations.name, members.role, members.joined_at, " +
        "organizations.status FROM members " +
        `JOIN organizations USING (organization_id) WHERE members.user_id = ${unaryPlusMarker} ` +
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
    membershipsOf: statements.list<[string], MemberRow>(...members("user_id = ? ORDER BY sequence")),
    insertMember: (member: MemberRow) => insertMember(...memberForm.values(member)),
    /** The member with this address, in the form in which it is stored; each address is there once. */
    memberOfEmail: statements.one<[organizationId: string, email: string], MemberRow>(
      ...members("organization_id = ? AND email = ?"),
    ),
    /** Active and pending members in the order of invitation. */
    membersOf: statements.list<[string], MemberRow>(...members("organization_id = ? ORDER BY sequence")),
    /** Active owners in the order of invitation. */
    ownersOf: statements.list<[string], MemberRow>(selectOwnersSql, memberForm.read),
    /** How many members there are, pending ones included. */
    countMembers: statements.number<[string]>("SELECT COUNT(*) FROM members WHERE organization_id = ?"),
    setRole: ({ organizationId, email }: MemberRow, role: Role) => setRole(role, organizationId, email),
    /** Updates a pending member after another invitation. */
    renewInvitation: ({ organizationId, email, role, invitedAt, invitedBy }: MemberRow) =>
      renewInvitation(role, invitedAt, invitedBy, organizationId, email),
    /** Makes a pending member an active one. */
    activate: ({ organizationId, email }: MemberRow, userId: string, now: number) =>
      activate(userId, now, organizationId, email),
    removeMember: ({ organizationId, email }: MemberRow) => removeMember(organizationId, email),
    removeMembersOf,
    removeMembershipsOf: statements.write<[string]>("DELETE FROM members WHERE user_id = ?"),
  };
}
