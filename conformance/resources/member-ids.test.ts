import { expect, it } from "vitest";
import { listPossibleMemberIds } from "./member-ids.js";

it("lists the member's own ids, and no ids of other users", () => {
  const member = {
    userId: null,
    email: "ada@acme.test",
    membershipId: "m_1",
    invitedBy: "user_1",
    invitedByUserId: "user_1",
    managerId: "user_2",
    organizationId: "org_1",
  };
  expect(listPossibleMemberIds(member)).toEqual(["m_1", "ada@acme.test"]);
});
