import type { memberOperations } from "../../../openapi/operations/members.js";
import type { organizationOperations } from "../../../openapi/operations/organizations.js";
import { refused, type Traffic } from "./traffic.js";
import { sender, type World } from "./traffic-world.js";

/** Organizations and members, active and pending. */
export function organizationTraffic({
  emulator,
  owner,
  readonly,
  ids: { organizationId },
}: World): Traffic<keyof typeof organizationOperations | keyof typeof memberOperations> {
  const personal = { organizationId: "org_personal_owner" };
  const lastOwner = { memberId: "user_demo_owner" };
  const email = "invited@demo.test";
  const invite = async () => {
    const members = `/api/v1/organizations/${organizationId}/members`;
    await sender(emulator, owner.accessToken)(members, { email, role: "readonly" });
  };
  const inviteAndAccept = async () => {
    await invite();
    emulator.invitations.accept({ organizationId, email, password: "demo-password", name: "Ida Invited" });
  };
  return {
    createOrganization: [
      { status: 201 },
      {
        status: 201,
        body: { name: "Ötzi", slug: "o", billingEmail: "billing@demo.test" },
        credential: readonly,
      },
      { status: refused("conflict"), body: { name: "Another", slug: "demo-pro" } },
    ],
    listOrganizations: [{ status: 200 }, { status: 200, credential: readonly }],
    getOrganization: [
      { status: 200 },
      { status: 200, parameters: personal },
      { status: 200, parameters: { organizationId: "org_demo_enterprise" } },
      {
        status: 200,
        before: () =>
          void emulator.organizations.change(organizationId, {
            status: "suspended",
            settings: { allowedRegions: ["eu-west-1"], ssoEnabled: true },
          }),
      },
    ],
    updateOrganization: [{ status: 200 }, { status: 200, body: {} }, { status: 200, parameters: personal }],
    deleteOrganization: [{ status: 204 }, { status: refused("personal-organization"), parameters: personal }],
    listMembers: [
      { status: 200 },
      { status: 200, before: invite, credential: readonly },
      { status: 200, before: inviteAndAccept },
    ],
    inviteMember: [
      { status: 201 },
      { status: 201, body: { email: "outsider@demo.test", role: "owner" } },
      { status: refused("conflict"), body: { email: "member@demo.test" } },
      {
        status: refused("ceiling-reached"),
        before: () => void emulator.organizations.change(organizationId, { settings: { maxMembers: 4 } }),
      },
    ],
    updateMember: [
      { status: 200 },
      { status: 200, body: { role: "owner" } },
      { status: 200, before: invite, parameters: { memberId: email } },
      { status: refused("last-owner"), parameters: lastOwner },
    ],
    removeMember: [
      { status: 204 },
      { status: 204, before: invite, parameters: { memberId: email } },
      { status: 204, parameters: { memberId: "user_demo_readonly" }, credential: readonly },
      { status: refused("forbidden"), credential: readonly },
      { status: refused("last-owner"), parameters: lastOwner },
    ],
  };
}
