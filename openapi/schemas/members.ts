import { ref, roles } from "../operations/operation.js";
import { email } from "./common.js";
import {
  answerObject,
  identifier,
  orNull,
  type Properties,
  requestObject,
  type SchemaGroup,
  timestamp,
} from "./schema-builders.js";

/** The states of part 3. */
export const memberStatuses = ["active", "pending"] as const;
export type MemberStatus = (typeof memberStatuses)[number];

/** Members of organizations (parts 2, 3 and 4.6). */
export const memberSchemas: SchemaGroup = (face) => {
  const nothing = { type: "null", description: "Null until the invitation is accepted." } as const;
  const described = {
    userId: orNull(identifier("The user; null while the invitation is pending.")),
    email: { type: "string" },
    name: { type: ["string", "null"], description: "Null while the invitation is pending." },
    role: ref("Role"),
    status: { type: "string", enum: [...memberStatuses] },
    joinedAt: orNull(timestamp(face)),
    invitedAt: orNull(timestamp(face, "Null for who created the organization.")),
    invitedBy: orNull(identifier("User id of the inviter.")),
  } satisfies Properties;
  return {
    Role: { type: "string", enum: [...roles], description: "Role in the organization." },
    InviteMemberRequest: requestObject(
      face,
      {
        email: email(face, "Address of the person to invite."),
        role: { ...ref("Role"), default: "member" },
      },
      { optional: ["role"] },
    ),
    UpdateMemberRequest: requestObject(face, { role: ref("Role") }),
    Member: answerObject(face, described),
    InvitedMember: answerObject(face, {
      ...described,
      userId: nothing,
      name: nothing,
      status: { type: "string", const: "pending" },
      joinedAt: nothing,
      invitedAt: timestamp(face),
      invitedBy: identifier("User id of the caller."),
    }),
    MemberList: answerObject(face, {
      members: {
        type: "array",
        items: ref("Member"),
        description: "In the order of invitation, who created the organization first.",
      },
    }),
  };
};
