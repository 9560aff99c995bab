import type { SchemaObject } from "openapi3-ts/oas31";
import { withComparisonKind } from "./compare-kinds.js";
import { type Strictness, getStrictAnswer } from "../gaps/strictness.js";
import { ref } from "./ref.js";
import { roles } from "./roles.js";
import { buildEmailSchema } from "./shared-schemas.js";
import {
  nullSchema,
  responseObjectSchema,
  buildIfThenElseSchema,
  identifierSchema,
  nullable,
  notNullSchema,
  type Properties,
  requestObjectSchema,
  type SchemaGroup,
  timestampSchema,
  arraySchema,
} from "./schema-builders.js";

/** The states of part 3. */
export const memberStatuses = ["active", "pending"] as const;
export type MemberStatus = (typeof memberStatuses)[number];

/** The additional field with the deployment's own id of a member, if it has such ids. */
function memberIdProperty(strictness: Strictness): Properties {
  const ofActive = getStrictAnswer(strictness, "member-id") === "own-id";
  const ofPending = getStrictAnswer(strictness, "pending-member-id") === "own-id";
  if (!ofActive && !ofPending) return {};
  const memberId = identifierSchema(
    "Identifies the member in paths; null if paths identify the member in another way.",
  );
  return { memberId: { ...nullable(memberId), "x-gap": ["member-id", "pending-member-id"] } };
}

/** Members of organizations (parts 2, 3 and 4.6). */
export const memberSchemas: SchemaGroup = (strictness) => {
  const nothing: SchemaObject = {
    type: ["string", "null"],
    description: "Null until the invitation is accepted.",
    "x-compare": "equal",
  };
  const described = {
    userId: nullable(identifierSchema("User id; null while the invitation is pending.")),
    email: withComparisonKind("opaque", { type: "string" }),
    name: withComparisonKind("opaque", {
      type: ["string", "null"],
      description: "Name; null while the invitation is pending.",
    }),
    role: ref("Role"),
    status: withComparisonKind("equal", { type: "string", enum: [...memberStatuses] }),
    joinedAt: nullable(timestampSchema(strictness)),
    invitedAt: nullable(
      timestampSchema(strictness, "Time of the invitation; null for the creator of the organization."),
    ),
    invitedBy: nullable(identifierSchema("Id of the user who sent the invitation.")),
    ...memberIdProperty(strictness),
  } satisfies Properties;
  return {
    Role: withComparisonKind("equal", {
      type: "string",
      enum: [...roles],
      description: "Role in the organization.",
    }),
    InviteMemberRequest: requestObjectSchema(
      strictness,
      {
        email: buildEmailSchema(strictness, "Address of the person to invite."),
        role: { ...ref("Role"), default: "member" },
      },
      { optional: ["role"] },
    ),
    UpdateMemberRequest: requestObjectSchema(strictness, { role: ref("Role") }),
    Member: {
      ...responseObjectSchema(strictness, described),
      // which fields a member has depends on its status: part 3, and the example of an active member
      ...(strictness.kind === "strict"
        ? buildIfThenElseSchema("status", "pending", {
            then: {
              userId: nullSchema,
              name: nullSchema,
              joinedAt: nullSchema,
              invitedAt: notNullSchema,
              invitedBy: notNullSchema,
            },
            otherwise: { userId: notNullSchema, name: notNullSchema, joinedAt: notNullSchema },
          })
        : {}),
    },
    InvitedMember: {
      ...responseObjectSchema(strictness, {
        ...described,
        userId: nothing,
        name: nothing,
        status: withComparisonKind("equal", { type: "string", enum: ["pending"] }),
        joinedAt: nothing,
        invitedAt: timestampSchema(strictness),
        invitedBy: identifierSchema("Id of the caller."),
      }),
      // a condition beside the fields, because client generators do not support fields that are always null
      ...buildIfThenElseSchema("status", "pending", {
        then: { userId: nullSchema, name: nullSchema, joinedAt: nullSchema },
        otherwise: {},
      }),
    },
    MemberList: responseObjectSchema(strictness, {
      members: arraySchema(
        "unordered",
        "Member",
        "Members in the order of their invitations, starting with the creator of the organization.",
      ),
    }),
  };
};
