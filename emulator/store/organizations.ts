import type { PlanType } from "../../openapi/clauses/limits.js";
import type { Role } from "../../openapi/schemas/roles.js";
import type { MemberStatus } from "../../openapi/schemas/members.js";
import type { OrganizationStatus } from "../../openapi/schemas/organizations.js";
import { unaryPlusMarker } from "../sqlite/markers.js";
import { booleanColumn, jsonColumn, RowMapping, RowStatements } from "../sqlite/row-mapping.js";
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

const organizationMapping = new RowMapping<OrganizationRow>(
  "organizations",
  "organization_id, name, slug, owner_user_id, is_personal, plan, status, billing_email, max_databases, max_api_keys, " +
    "max_members, allowed_regions, require_mfa, sso_enabled, created_at, updated_at",
  {
    isPersonal: booleanColumn,
    allowedRegions: jsonColumn,
    requireMfa: booleanColumn,
    ssoEnabled: booleanColumn,
  },
);

const memberMapping = new RowMapping<MemberRow>(
  "members",
  "organization_id, user_id, email, role, status, joined_at, invited_at, invited_by",
);

const ownersCondition = `WHERE organization_id = ${unaryPlusMarker} AND role = 'owner' AND status = 'active' ORDER BY sequence`;

export const selectOwnersSql = memberMapping.select(ownersCondition);

/** Organizations and their members. */
export function prepareOrganizationStatements(statements: PreparedStatements) {
  const organizations = new RowStatements(statements, organizationMapping);
  const members = new RowStatements(statements, memberMapping);
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
