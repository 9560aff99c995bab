import { ref } from "./ref.js";
import { roles } from "./roles.js";
import { buildEmailSchema } from "./shared-schemas.js";
import * as schema from "./schema-builders.js";

/** The states of part 3. */
export const memberStatuses = ["active", "pending"] as const;
export type MemberStatus = (typeof memberStatuses)[number];

/** The additional field with the deployment's own id of a member, if it has such ids. */
function memberIdProperty(builder: schema.SchemaBuilder): schema.Properties {
  if (builder.answer("member-id") !== "own-id") return {};
  return { memberId: { ...schema.identifier("Id of the member in paths."), "x-gap": "member-id" } };
}

/** Members of organizations (parts 2, 3 and 4.6). */
export const memberSchemas: schema.SchemaGroup = (builder) => {
  const nothing = schema.nullable(schema.text("equal", "Null until the invitation is accepted."));
  return {
    Role: schema.choice("equal", roles, "Role in the organization."),
    InviteMemberRequest: builder.request("The person to invite.", {
      email: buildEmailSchema(builder, "Email address of the person to invite."),
      "role?": { ...ref("Role"), default: "member" },
    }),
    UpdateMemberRequest: builder.request("The new role of a member.", { role: ref("Role") }),
    Member: builder.response(
      "A member of an organization, or a person who is invited to join it.",
      {
        userId: schema.nullable(schema.identifier("User id; null while the invitation is pending.")),
        email: schema.text("opaque", "Email address of the member."),
        name: schema.nullable(schema.text("opaque", "Name; null while the invitation is pending.")),
        role: ref("Role"),
        status: schema.choice(
          "equal",
          memberStatuses,
          "`active`: the invitation was accepted. `pending`: the invitation was sent.",
        ),
        joinedAt: schema.nullable(
          builder.timestamp("Time at which the invitation was accepted; null while it is pending."),
        ),
        invitedAt: schema.nullable(
          builder.timestamp("Time of the invitation; null for the creator of the organization."),
        ),
        invitedBy: schema.nullable(schema.identifier("Id of the user who sent the invitation.")),
        ...memberIdProperty(builder),
      },
      // which fields a member has depends on its status: part 3, and the example of an active member
      builder.isStrict
        ? schema.ifThenElse(
            "status",
            "pending",
            {
              userId: schema.onlyNull,
              name: schema.onlyNull,
              joinedAt: schema.onlyNull,
              invitedAt: schema.notNull,
              invitedBy: schema.notNull,
            },
            { userId: schema.notNull, name: schema.notNull, joinedAt: schema.notNull },
          )
        : {},
    ),
    InvitedMember: builder.response(
      "The pending member.",
      {
        userId: nothing,
        email: schema.text("opaque", "The invited email address."),
        name: nothing,
        role: ref("Role"),
        status: schema.choice("equal", ["pending"], "Always `pending`."),
        joinedAt: nothing,
        invitedAt: builder.timestamp("Time of the invitation."),
        invitedBy: schema.identifier("Id of the caller."),
        ...memberIdProperty(builder),
      },
      // a condition beside the fields, because client generators do not support fields that are always null
      schema.ifThenElse(
        "status",
        "pending",
        { userId: schema.onlyNull, name: schema.onlyNull, joinedAt: schema.onlyNull },
        {},
      ),
    ),
    MemberList: builder.response("An organization's members.", {
      members: schema.array(
        "unordered",
        "Member",
        "Members in the order of their invitations, starting with the creator of the organization.",
      ),
    }),
  };
};
