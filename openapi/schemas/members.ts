import type { SchemaObject } from "openapi3-ts/oas31";
import { compareAs } from "./compare-kinds.js";
import { type Strictness, getStrictAnswer } from "../gaps/strictness.js";
import { ref } from "./ref.js";
import { roles } from "./roles.js";
import { email } from "./shared-schemas.js";
import {
  alwaysNull,
  responseObject,
  dependsOnField,
  identifier,
  nullable,
  notNull,
  type Properties,
  requestObject,
  type SchemaGroup,
  timestamp,
  listOf,
} from "./schema-builders.js";

/** The states of part 3. */
export const memberStatuses = ["active", "pending"] as const;
export type MemberStatus = (typeof memberStatuses)[number];

/** The additional member that carries the id of the deployment's own, where members go by one. */
function memberIdProperty(strictness: Strictness): Properties {
  const ofActive = getStrictAnswer(strictness, "member-id") === "own-id";
  const ofPending = getStrictAnswer(strictness, "pending-member-id") === "own-id";
  if (!ofActive && !ofPending) return {};
  const memberId = identifier("What the member goes by in paths; null where that is something else.");
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
    userId: nullable(identifier("The user; null while the invitation is pending.")),
    email: compareAs("opaque", { type: "string" }),
    name: compareAs("opaque", {
      type: ["string", "null"],
      description: "Null while the invitation is pending.",
    }),
    role: ref("Role"),
    status: compareAs("equal", { type: "string", enum: [...memberStatuses] }),
    joinedAt: nullable(timestamp(strictness)),
    invitedAt: nullable(timestamp(strictness, "Null for the creator of the organization.")),
    invitedBy: nullable(identifier("User id of the inviter.")),
    ...memberIdProperty(strictness),
  } satisfies Properties;
  return {
    Role: compareAs("equal", { type: "string", enum: [...roles], description: "Role in the organization." }),
    InviteMemberRequest: requestObject(
      strictness,
      {
        email: email(strictness, "Address of the person to invite."),
        role: { ...ref("Role"), default: "member" },
      },
      { optional: ["role"] },
    ),
    UpdateMemberRequest: requestObject(strictness, { role: ref("Role") }),
    Member: {
      ...responseObject(strictness, described),
      // what a member has follows from its state: part 3, and what an active one is shown with
      ...(strictness.kind === "strict"
        ? dependsOnField("status", "pending", {
            then: {
              userId: alwaysNull,
              name: alwaysNull,
              joinedAt: alwaysNull,
              invitedAt: notNull,
              invitedBy: notNull,
            },
            otherwise: { userId: notNull, name: notNull, joinedAt: notNull },
          })
        : {}),
    },
    InvitedMember: {
      ...responseObject(strictness, {
        ...described,
        userId: nothing,
        name: nothing,
        status: compareAs("equal", { type: "string", enum: ["pending"] }),
        joinedAt: nothing,
        invitedAt: timestamp(strictness),
        invitedBy: identifier("User id of the caller."),
      }),
      // said beside the members: generators of clients know no member that is nothing but null
      ...dependsOnField("status", "pending", {
        then: { userId: alwaysNull, name: alwaysNull, joinedAt: alwaysNull },
        otherwise: {},
      }),
    },
    MemberList: responseObject(strictness, {
      members: listOf(
        "unordered",
        "Member",
        "In the order of invitation, the creator of the organization first.",
      ),
    }),
  };
};
