import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Role, roles } from "../../openapi/schemas/roles.js";
import type { EmulatorOptions } from "../api/emulator.js";
import { eachAnswer } from "../testing/each-answer.js";
import { getRefusal } from "../testing/read-problem.js";
import { type TestClient, type TestEmulator, createTestEmulator } from "../testing/test-client.js";

const pro = "/api/v1/organizations/org_demo_pro";
const members = `${pro}/members`;
const databases = "/api/v1/management/databases";

interface Member {
  readonly userId: string | null;
  readonly email: string;
  readonly role: Role;
  readonly status: string;
}

let running: TestEmulator;
let as: Record<Role, TestClient>;

async function start(options: EmulatorOptions = {}): Promise<void> {
  await (running as TestEmulator | undefined)?.emulator.close();
  running = await createTestEmulator(options);
  const clients = [];
  for (const role of roles) clients.push([role, await running.login(`${role}@demo.test`)] as const);
  as = Object.fromEntries(clients) as Record<Role, TestClient>;
}

beforeAll(() => start());
beforeEach(() => running.emulator.reset());
afterAll(() => running.emulator.close());

const list = async (client = as.owner) => ((await client.get(members)).body as { members: Member[] }).members;
const roleOf = async (email: string) => (await list()).find((member) => member.email === email)?.role;
const accept = (email: string) =>
  running.emulator.invitations.accept({ organizationId: "org_demo_pro", email, password: "demo-password" });
const ownerShown = async () => ((await as.admin.get(pro)).body as { ownerUserId: string }).ownerUserId;

describe("the list of members", () => {
  it.each(roles)(
    "[ORG-19] [ORG-20] [ORG-21] [ORG-35] is shown to role %s, who created it first",
    async (role) => {
      expect(await list(as[role])).toEqual(
        roles.map((each) => ({
          userId: `user_demo_${each}`,
          email: `${each}@demo.test`,
          name: { owner: "Olive Owner", admin: "Ari Admin", member: "Mo Member", readonly: "Rey Readonly" }[
            each
          ],
          role: each,
          status: "active",
          joinedAt: "2030-01-01T00:00:00.000Z",
          invitedAt: null,
          invitedBy: null,
        })),
      );
    },
  );
});

describe("an invitation", () => {
  it("[ORG-22] [ORG-23] [ORG-24] is pending, names the caller as inviter, and has the role member by default", async () => {
    const answer = await as.admin.post(members, { email: "new@demo.test" });
    const pending = {
      userId: null,
      email: "new@demo.test",
      name: null,
      role: "member",
      status: "pending",
      joinedAt: null,
      invitedAt: "2030-01-01T00:00:00.001Z",
      invitedBy: "user_demo_admin",
    };
    expect([answer.status, answer.body]).toEqual([201, pending]);
    expect((await list()).at(-1)).toEqual(pending);
  });

  it.each([{}, { email: null }, { email: "nobody" }, { email: "a@b", role: "boss" }])(
    "[ORG-25] is refused as %j",
    async (body) => {
      expect(getRefusal(await as.owner.post(members, body))).toEqual([400, "validation-failed"]);
      expect(await list()).toHaveLength(4);
    },
  );

  it.each(["member", "readonly"] as const)("[ORG-26] cannot be made by role %s", async (role) => {
    expect(getRefusal(await as[role].post(members, { email: "new@demo.test" }))).toEqual([403, "forbidden"]);
  });

  it.each(roles)("[ORG-31] of an owner may be for the role %s", async (role) => {
    const answer = await as.owner.post(members, { email: "new@demo.test", role });
    expect([answer.status, answer.body]).toMatchObject([201, { role }]);
  });

  it("[ORG-26] may be for any role but owner if an admin makes it", async () => {
    expect(getRefusal(await as.admin.post(members, { email: "new@demo.test", role: "owner" }))).toEqual([
      403,
      "forbidden",
    ]);
    expect((await as.admin.post(members, { email: "new@demo.test", role: "admin" })).status).toBe(201);
  });

  it("is created once for each address, in any case", async () => {
    await as.owner.post(members, { email: "new@demo.test" });
    for (const email of ["new@demo.test", "New@Demo.Test", "admin@demo.test", "owner@demo.test"])
      expect(getRefusal(await as.owner.post(members, { email }))).toEqual([409, "conflict"]);
  });

  eachAnswer("repeated-invitation", "is refused or renewed", async (answer, profile) => {
    running.emulator.profile.set(profile);
    const email = "new@demo.test";
    const first = await as.owner.post(members, { email });
    const again = await as.admin.post(members, { email: "New@Demo.Test", role: "readonly" });
    if (answer === "reject") {
      expect(getRefusal(again)).toEqual([409, "conflict"]);
      expect((await list()).at(-1)).toEqual(first.body);
    } else {
      const { invitedAt } = first.body as { readonly invitedAt: string };
      expect([again.status, again.body]).toMatchObject([
        201,
        { email, role: "readonly", status: "pending", invitedBy: "user_demo_admin" },
      ]);
      expect((again.body as { invitedAt: string }).invitedAt > invitedAt).toBe(true);
      expect((await list()).slice(4)).toEqual([again.body]);
      accept(email);
      expect(await roleOf(email)).toBe("readonly");
    }
    // a member cannot be invited again
    expect(getRefusal(await as.owner.post(members, { email: "admin@demo.test" }))).toEqual([409, "conflict"]);
  });

  it("renewed by an admin, keeps the role owner and takes no further place", async () => {
    running.emulator.profile.set({ "repeated-invitation": "renew" });
    const email = "boss@demo.test";
    expect((await as.owner.post(members, { email, role: "owner" })).status).toBe(201);
    expect(getRefusal(await as.admin.post(members, { email, role: "member" }))).toEqual([403, "forbidden"]);
    expect(await roleOf(email)).toBe("owner");
    for (let place = 6; place <= 10; place += 1)
      expect((await as.owner.post(members, { email: `m${place}@demo.test` })).status).toBe(201);
    expect((await as.owner.post(members, { email: "m11@demo.test" })).status).toBe(403);
    expect((await as.owner.post(members, { email, role: "admin" })).status).toBe(201);
  });

  it("[ORG-22] is accepted by a new person, who becomes a user with a personal organization", async () => {
    const { control, login } = running;
    await as.owner.post(members, { email: "new@demo.test", role: "admin" });
    const path = "/_emulator/invitations/accept";
    const whole = { organizationId: "org_demo_pro", email: "NEW@demo.test", name: "Nia New" };
    expect(getRefusal(await control.post(path, whole))).toEqual([400, "validation-failed"]);
    const answer = await control.post(path, { ...whole, password: "demo-password" });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { organizationId: "org_demo_pro", role: "admin" },
    ]);
    expect((await list()).at(-1)).toMatchObject({
      userId: (answer.body as { userId: string }).userId,
      name: "Nia New",
      status: "active",
      invitedBy: "user_demo_owner",
      joinedAt: expect.stringMatching(/^2030-01-01T/) as string,
    });
    const there = await login("new@demo.test", "org_demo_pro");
    expect((await there.post(databases, { name: "theirs", region: "eu" })).status).toBe(201);
    expect(getRefusal(await control.post(path, whole))).toEqual([404, "member-not-found"]);
  });
});

describe("the role of a member", () => {
  it("[ORG-27] takes effect at once, in the list and for new and old tokens", async () => {
    const there = await running.login("readonly@demo.test", "org_demo_pro");
    expect((await there.post(databases, { name: "early", region: "eu" })).status).toBe(403);
    const answer = await as.owner.put(`${members}/user_demo_readonly`, { role: "member" });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { userId: "user_demo_readonly", name: "Rey Readonly", role: "member" },
    ]);
    expect(await roleOf("readonly@demo.test")).toBe("member");
    expect((await there.post(databases, { name: "late", region: "eu" })).status).toBe(201);
  });

  it.each([{}, { role: "boss" }, { role: null }, { role: "Owner" }])(
    "[ORG-28] is not changed by %j",
    async (body) => {
      expect(getRefusal(await as.owner.put(`${members}/user_demo_member`, body))).toEqual([
        400,
        "validation-failed",
      ]);
      expect(await roleOf("member@demo.test")).toBe("member");
    },
  );

  it.each(["member", "readonly"] as const)("[ORG-26] cannot be changed by role %s", async (role) => {
    for (const target of roles)
      expect(getRefusal(await as[role].put(`${members}/user_demo_${target}`, { role: "admin" }))).toEqual([
        403,
        "forbidden",
      ]);
  });

  it.each(roles)("[ORG-31] can be changed to %s by an owner", async (role) => {
    expect((await as.owner.put(`${members}/user_demo_member`, { role })).status).toBe(200);
    expect(await roleOf("member@demo.test")).toBe(role);
  });

  it("[ORG-26] can be changed by an admin, but neither to nor from owner", async () => {
    expect((await as.admin.put(`${members}/user_demo_member`, { role: "admin" })).status).toBe(200);
    for (const [target, role] of [
      ["member", "owner"],
      ["admin", "owner"],
      ["owner", "member"],
      ["owner", "owner"],
    ])
      expect(getRefusal(await as.admin.put(`${members}/user_demo_${target ?? ""}`, { role }))).toEqual([
        403,
        "forbidden",
      ]);
    await as.owner.post(members, { email: "second@demo.test", role: "owner" });
    expect(getRefusal(await as.admin.put(`${members}/second@demo.test`, { role: "member" }))).toEqual([
      403,
      "forbidden",
    ]);
    expect(getRefusal(await as.admin.delete(`${members}/second@demo.test`))).toEqual([403, "forbidden"]);
  });

  it("looks only among the members of the organization", async () => {
    for (const memberId of ["user_demo_outsider", "nobody", "outsider@demo.test"]) {
      expect(getRefusal(await as.owner.put(`${members}/${memberId}`, { role: "admin" }))).toEqual([
        404,
        "member-not-found",
      ]);
      expect(getRefusal(await as.owner.delete(`${members}/${memberId}`))).toEqual([404, "member-not-found"]);
      expect(getRefusal(await as.member.delete(`${members}/${memberId}`))).toEqual([403, "forbidden"]);
    }
  });
});

describe("removal", () => {
  it("[ORG-26] [ORG-29] removes the member from the list when an admin asks", async () => {
    const answer = await as.admin.delete(`${members}/user_demo_member`);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect((await list()).map(({ email }) => email)).not.toContain("member@demo.test");
    expect(getRefusal(await as.admin.delete(`${members}/user_demo_member`))).toEqual([
      404,
      "member-not-found",
    ]);
  });

  it.each(["admin", "member", "readonly"] as const)(
    "[ORG-30] of oneself is open to role %s",
    async (role) => {
      expect((await as[role].delete(`${members}/user_demo_${role}`)).status).toBe(204);
      expect(await roleOf(`${role}@demo.test`)).toBeUndefined();
    },
  );

  it.each(["member", "readonly"] as const)(
    "[ORG-26] of others cannot be removed by role %s",
    async (role) => {
      for (const target of roles.filter((each) => each !== role))
        expect(getRefusal(await as[role].delete(`${members}/user_demo_${target}`))).toEqual([
          403,
          "forbidden",
        ]);
      expect(await list()).toHaveLength(4);
    },
  );

  it("[ORG-29] revokes tokens for the organization at once", async () => {
    const there = await running.login("member@demo.test", "org_demo_pro");
    await as.owner.delete(`${members}/user_demo_member`);
    expect(getRefusal(await there.get(databases))).toEqual([403, "forbidden"]);
    expect(getRefusal(await there.get("/api/v1/databases/db_demo/items/settings/currency"))).toEqual([
      403,
      "forbidden",
    ]);
    expect(getRefusal(await there.get("/api/v1/payment"))).toEqual([403, "forbidden"]);
    expect(getRefusal(await there.get(pro))).toEqual([404, "organization-not-found"]);
    expect(getRefusal(await there.delete(`${members}/user_demo_member`))).toEqual([
      404,
      "organization-not-found",
    ]);
    // the former member still has access to the personal organization
    expect((await there.get("/api/v1/organizations/org_personal_member")).status).toBe(200);
  });

  it("[ORG-29] withdraws an invitation", async () => {
    await as.owner.post(members, { email: "new@demo.test" });
    expect((await as.admin.delete(`${members}/New%40demo.test`)).status).toBe(204);
    expect(await list()).toHaveLength(4);
    expect(() => accept("new@demo.test")).toThrow(/no pending invitation/);
  });
});

describe("ownership", () => {
  it("[ORG-05] shows the creator while they own it, then the owner who joined first", async () => {
    await as.owner.put(`${members}/user_demo_member`, { role: "owner" });
    await as.owner.put(`${members}/user_demo_readonly`, { role: "owner" });
    expect(await ownerShown()).toBe("user_demo_owner");
    expect((await as.owner.put(`${members}/user_demo_owner`, { role: "admin" })).status).toBe(200);
    expect(await ownerShown()).toBe("user_demo_member");
    expect((await as.member.delete(`${members}/user_demo_member`)).status).toBe(204);
    expect(await ownerShown()).toBe("user_demo_readonly");
  });

  it("keeps the other owners when its creator is removed", async () => {
    await as.owner.put(`${members}/user_demo_admin`, { role: "owner" });
    running.emulator.users.delete("user_demo_owner");
    expect(await ownerShown()).toBe("user_demo_admin");
    const there = await running.login("admin@demo.test", "org_demo_pro");
    expect((await there.get(databases)).body).toMatchObject({ databases: [{ name: "demo" }] });
  });

  it("cannot be left without an owner", async () => {
    // an invited owner does not count as an owner yet; an admin is rejected for a different reason
    await as.owner.post(members, { email: "second@demo.test", role: "owner" });
    expect(getRefusal(await as.admin.delete(`${members}/user_demo_owner`))).toEqual([403, "forbidden"]);
    const demoted = await as.owner.put(`${members}/user_demo_owner`, { role: "admin" });
    expect(getRefusal(demoted)).toEqual([409, "last-owner"]);
    expect(getRefusal(await as.owner.delete(`${members}/user_demo_owner`))).toEqual([409, "last-owner"]);
    expect((await as.owner.put(`${members}/user_demo_owner`, { role: "owner" })).status).toBe(200);
    accept("second@demo.test");
    expect((await as.owner.delete(`${members}/user_demo_owner`)).status).toBe(204);
    await start();
  });
});

describe("identifiers of members", () => {
  const idOf = async (email: string) => {
    const shown = (await list()).find((member) => member.email === email) as Member & { memberId?: string };
    return shown.memberId;
  };

  eachAnswer("member-id", "is what names a member in a path", async (answer, profile) => {
    await start({ profile });
    await as.owner.post(members, { email: "new@demo.test" });
    const role = { role: "readonly" };
    const own = (await idOf("member@demo.test")) ?? "none";
    const statuses = [];
    for (const id of ["user_demo_member", "Member@demo.test", own])
      statuses.push((await as.owner.put(`${members}/${id}`, role)).status);
    const taken = ["user-id", "email", "own-id"].map((each) => (each === answer ? 200 : 404));
    expect(statuses).toEqual(taken);
    const shown = (await list()).map((member) => "memberId" in member);
    expect(new Set(shown)).toEqual(new Set([answer === "own-id"]));
    const pendingId = answer === "own-id" ? await idOf("new@demo.test") : "new@demo.test";
    expect((await as.owner.put(`${members}/${pendingId ?? ""}`, role)).status).toBe(200);
    accept("new@demo.test");
    const active = await as.owner.put(`${members}/new@demo.test`, role);
    expect(active.status).toBe(answer === "email" ? 200 : 404);
    const ids = {
      "user-id": "user_demo_readonly",
      email: "readonly@demo.test",
      "own-id": (await idOf("readonly@demo.test")) ?? "",
    };
    expect((await as.readonly.delete(`${members}/${ids[answer]}`)).status).toBe(204);
    await start();
  });

  eachAnswer("admin-over-owners", "is what an admin may do to owners", async (answer, profile) => {
    await start({ profile });
    const done = (status: number) => (answer === "allowed" ? status : 403);
    const invited = await as.admin.post(members, { email: "boss@demo.test", role: "owner" });
    expect(invited.status).toBe(done(201));
    const promoted = await as.admin.put(`${members}/user_demo_member`, { role: "owner" });
    expect(promoted.status).toBe(done(200));
    const demoted = await as.admin.put(`${members}/user_demo_owner`, { role: "readonly" });
    expect(demoted.status).toBe(done(200));
    expect(await roleOf("owner@demo.test")).toBe(answer === "allowed" ? "readonly" : "owner");
    // with either answer, the last owner cannot be removed
    const last = answer === "allowed" ? "user_demo_member" : "user_demo_owner";
    expect((await as.admin.delete(`${members}/${last}`)).status).toBe(answer === "allowed" ? 409 : 403);
    await start();
  });
});

describe("the number of members", () => {
  it("[ORG-34] can reach the plan's limit, pending members and the owner included", async () => {
    for (let count = 4; count < 10; count += 1)
      expect((await as.owner.post(members, { email: `m${count}@demo.test` })).status).toBe(201);
    expect(getRefusal(await as.owner.post(members, { email: "late@demo.test" }))).toEqual([
      403,
      "ceiling-reached",
    ]);
    await as.owner.delete(`${members}/m4@demo.test`);
    expect((await as.owner.post(members, { email: "late@demo.test" })).status).toBe(201);
  });

  it("[ORG-34] is one on the free plan, until the plan changes", async () => {
    const outsider = await running.login("outsider@demo.test");
    const path = "/api/v1/organizations/org_demo_free/members";
    expect(getRefusal(await outsider.post(path, { email: "a@b" }))).toEqual([403, "ceiling-reached"]);
    running.emulator.organizations.change("org_demo_free", { plan: "pro" });
    expect((await outsider.post(path, { email: "a@b" })).status).toBe(201);
  });

  it("[ORG-34] is limited by the settings too", async () => {
    running.emulator.organizations.change("org_demo_pro", { settings: { maxMembers: 5 } });
    expect((await as.owner.post(members, { email: "a@b" })).status).toBe(201);
    expect(getRefusal(await as.owner.post(members, { email: "c@d" }))).toEqual([403, "ceiling-reached"]);
  });

  it("[ORG-34] counts pending members", async () => {
    running.emulator.organizations.change("org_demo_pro", { settings: { maxMembers: 5 } });
    expect((await as.owner.post(members, { email: "first@demo.test" })).status).toBe(201);
    const second = await as.owner.post(members, { email: "second@demo.test" });
    expect(getRefusal(second)).toEqual([403, "ceiling-reached"]);
  });

  it("[ORG-34] is kept under a smaller plan, which allows no new members", async () => {
    await as.owner.post(members, { email: "new@demo.test" });
    running.emulator.organizations.change("org_demo_pro", { plan: "free" });
    expect(await list()).toHaveLength(5);
    accept("new@demo.test");
    expect((await as.owner.put(`${members}/user_demo_readonly`, { role: "admin" })).status).toBe(200);
    expect(getRefusal(await as.owner.post(members, { email: "c@d" }))).toEqual([403, "ceiling-reached"]);
  });
});

describe("roles in the organization's databases", () => {
  const createAndDelete = async (role: Role) => {
    const there = await running.login(`${role}@demo.test`, "org_demo_pro");
    const created = await there.post(databases, { name: "theirs", region: "eu" });
    expect(created.status).toBe(201);
    const { databaseId } = created.body as { databaseId: string };
    expect((await there.delete(`${databases}/${databaseId}`)).status).toBe(204);
  };

  it("[ORG-32] let an admin create and delete them", () => createAndDelete("admin"));

  it("[ORG-33] let a member create and delete them", () => createAndDelete("member"));
});
