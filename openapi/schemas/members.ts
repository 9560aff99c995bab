import type { SchemaObject } from "openapi3-ts/oas31";
import { compared } from "./compare-kinds.js";
import { type Strictness, strictAnswer } from "../gaps/strictness.js";
import { ref } from "./ref.js";
import { roles } from "./roles.js";
import { email } from "./common.js";
import {
  absent,
  answerObject,
  chosenBy,
  identifier,
  orNull,
  present,
  type Properties,
  requestObject,
  type SchemaGroup,
  timestamp,
} from "./schema-builders.js";

/** The states of part 3. */
export const memberStatuses = ["active", "pending"] as const;
export type MemberStatus = (typeof memberStatuses)[number];

/** The additional member that carries the id of the deployment's own, where members go by one. */
function ownId(strictness: Strictness): Properties {
  const ofActive = strictAnswer(strictness, "member-id") === "own-id";
  const ofPending = strictAnswer(strictness, "pending-member-id") === "own-id";
  if (!ofActive && !ofPending) return {};
  const memberId = identifier("What the member goes by in paths; null where that is something else.");
  return { memberId: { ...orNull(memberId), "x-gap": ["member-id", "pending-member-id"] } };
}

/** Members of organizations (parts 2, 3 and 4.6). */
export const memberSchemas: SchemaGroup = (strictness) => {
  const nothing: SchemaObject = {
    type: ["string", "null"],
    description: "Null until the invitation is accepted.",
    "x-compare": "equal",
  };
  const described = {
    userId: orNull(identifier("The user; null while the invitation is pending.")),
    email: compared("opaque", { type: "string" }),
    name: compared("opaque", {
      type: ["string", "null"],
      description: "Null while the invitation is pending.",
    }),
    role: ref("Role"),
    status: compared("equal", { type: "string", enum: [...memberStatuses] }),
    joinedAt: orNull(timestamp(strictness)),
    invitedAt: orNull(timestamp(strictness, "Null for the creator of the organization.")),
    invitedBy: orNull(identifier("User id of the inviter.")),
    ...ownId(strictness),
  } satisfies Properties;
  return {
    Role: compared("equal", { type: "string", enum: [...roles], description: "Role in the organization." }),
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
      ...answerObject(strictness, described),
      // what a member has follows from its state: part 3, and what an active one is shown with
      ...(strictness.kind === "strict"
        ? chosenBy("status", "pending", {
            then: { userId: absent, name: absent, joinedAt: absent, invitedAt: present, invitedBy: present },
            otherwise: { userId: present, name: present, joinedAt: present },
          })
        : {}),
    },
    InvitedMember: {
      ...answerObject(strictness, {
        ...described,
        userId: nothing,
        name: nothing,
        status: compared("equal", { type: "string", enum: ["pending"] }),
        joinedAt: nothing,
        invitedAt: timestamp(strictness),
        invitedBy: identifier("User id of the caller."),
      }),
      // said beside the members: generators of clients know no member that is nothing but null
      ...chosenBy("status", "pending", {
        then: { userId: absent, name: absent, joinedAt: absent },
        otherwise: {},
      }),
    },
    MemberList: answerObject(strictness, {
      members: {
        type: "array",
        "x-compare": "unordered",
        items: ref("Member"),
        description: "In the order of invitation, the creator of the organization first.",
      },
    }),
  };
};
