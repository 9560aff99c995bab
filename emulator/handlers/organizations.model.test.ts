import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { planTypes } from "../../openapi/clauses/limits.js";
import { type Role, roles } from "../../openapi/schemas/roles.js";
import { getPropertyRuns } from "../testing/property-runs.js";
import { type TestClient } from "../testing/test-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";
import { type ModelOrganization, OrganizationsModel } from "./testing/organizations.model.js";

const people = ["owner", "admin", "member", "readonly", "outsider"] as const;
const emailOf = (person: number) => `${people[person] ?? ""}@demo.test`;
const userIdOf = (person: number) => `user_demo_${people[person] ?? ""}`;

/** The relative frequency of each kind of call. */
const kinds = {
  create: 1,
  invite: 8,
  accept: 10,
  changeRole: 10,
  remove: 8,
  leave: 2,
  update: 2,
  delete: 1,
  plan: 3,
  maxMembers: 3,
  createDatabase: 4,
} as const;

/** A call by one person; `on` selects one of the existing organizations. */
interface Step {
  readonly kind: keyof typeof kinds;
  readonly actor: number;
  readonly on: number;
  readonly person: number;
  readonly role: Role;
  readonly plan: (typeof planTypes)[number];
}

const person = fc.nat({ max: people.length - 1 });
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    ...(Object.keys(kinds) as (keyof typeof kinds)[]).flatMap(
      (kind) => Array(kinds[kind]).fill(kind) as (typeof kind)[],
    ),
  ),
  actor: person,
  on: fc.nat({ max: 5 }),
  person,
  role: fc.constantFrom(...roles),
  plan: fc.constantFrom("pro", "enterprise", ...planTypes),
});

/** The roles of everyone except the first person, who owns the organization. The last person may not be a member. */
const beginning = fc.array(fc.constantFrom(...roles), { minLength: 3, maxLength: people.length - 1 });

const organizations = "/api/v1/organizations";
const databases = "/api/v1/management/databases";

const running = useTestEmulator();
/** Clients with tokens for personal organizations. These tokens are valid in every namespace with the same seed. */
const clients: TestClient[] = [];

beforeAll(async () => {
  for (let each = 0; each < people.length; each += 1) clients.push(await running.login(emailOf(each)));
});

/** The emulator and the model, which receive the same calls. */
class Comparison {
  readonly model = new OrganizationsModel();
  readonly #ids = new Map<ModelOrganization, string>();
  /** Clients with tokens for organizations, from the time when their users were members. */
  readonly #tokens = new Map<string, TestClient>();
  #databases = 0;

  async take(given: Step): Promise<void> {
    const organization = this.model.organizations[given.on % Math.max(1, this.model.organizations.length)];
    if (given.kind === "create" || organization === undefined) {
      await this.#create(given.actor);
      return;
    }
    await this.#act(given, organization);
    for (const concerned of new Set([given.actor, given.person]))
      await this.#compare(organization, concerned);
  }

  /** Compares everything that each person can see. */
  async compareAll(): Promise<void> {
    for (const organization of this.model.organizations) {
      for (let actor = 0; actor < people.length; actor += 1) await this.#compare(organization, actor);
      await this.#compareOwner(organization);
    }
  }

  /** Creates an organization on the enterprise plan and adds members, so that later calls can have an effect. */
  async begin(given: readonly Role[]): Promise<void> {
    const rest = { actor: 0, on: 0, plan: "enterprise" } as const;
    await this.#create(0);
    const [organization] = this.model.organizations;
    if (organization === undefined) return;
    await this.#act({ ...rest, kind: "plan", person: 0, role: "owner" }, organization);
    for (const [index, each] of given.entries()) {
      const step = { ...rest, person: index + 1, role: each };
      await this.#act({ ...step, kind: "invite" }, organization);
      await this.#act({ ...step, kind: "accept" }, organization);
    }
  }

  async #create(actor = 0): Promise<void> {
    const answer = await this.#client(actor).post(organizations, { name: "Acme" });
    expect(answer.status).toBe(this.model.create(actor));
    const organization = this.model.organizations.at(-1);
    if (organization === undefined) throw new Error("the model has the organization");
    const { organizationId } = answer.body as { organizationId: string };
    this.#ids.set(organization, organizationId);
    this.#tokens.set(`${actor}/${organizationId}`, await running.login(emailOf(actor), organizationId));
    await this.#compare(organization, actor);
  }

  async #act(
    { kind, actor, person: target, role: wanted, plan }: Step,
    on: ModelOrganization,
  ): Promise<void> {
    const { model } = this;
    const id = this.#idOf(on);
    const path = `${organizations}/${id}`;
    const memberPath = (whom: number) => {
      const accepted = on.members.find((member) => member.person === whom)?.accepted ?? true;
      return `${path}/members/${accepted ? userIdOf(whom) : emailOf(whom)}`;
    };
    const client = this.#client(actor);
    const status = async (answer: Promise<{ readonly status: number }>) => (await answer).status;
    switch (kind) {
      case "invite": {
        const given = status(client.post(`${path}/members`, { email: emailOf(target), role: wanted }));
        expect(await given).toBe(model.invite(actor, on, target, wanted));
        return;
      }
      case "accept": {
        const accepted = succeeds(() =>
          running.emulator.invitations.accept({ organizationId: id, email: emailOf(target) }),
        );
        expect(accepted).toBe(model.accept(on, target));
        if (accepted) this.#tokens.set(`${target}/${id}`, await running.login(emailOf(target), id));
        return;
      }
      case "changeRole": {
        const given = status(client.put(memberPath(target), { role: wanted }));
        expect(await given).toBe(model.changeRole(actor, on, target, wanted));
        return;
      }
      case "remove":
      case "leave": {
        const whom = kind === "leave" ? actor : target;
        const given = status(client.delete(memberPath(whom)));
        expect(await given).toBe(model.remove(actor, on, whom));
        return;
      }
      case "update":
        expect(await status(client.put(path, { settings: { requireMfa: true } }))).toBe(
          model.update(actor, on),
        );
        return;
      case "delete":
        expect(await status(client.delete(path))).toBe(model.delete(actor, on));
        return;
      case "plan":
        expect(succeeds(() => running.emulator.organizations.change(id, { plan }))).toBe(!on.deleted);
        model.changePlan(on, plan);
        return;
      case "maxMembers": {
        const maxMembers = target + 1;
        expect(succeeds(() => running.emulator.organizations.change(id, { settings: { maxMembers } }))).toBe(
          !on.deleted,
        );
        on.maxMembers = maxMembers;
        return;
      }
      case "createDatabase": {
        const there = this.#tokens.get(`${actor}/${id}`);
        if (there === undefined) return;
        this.#databases += 1;
        const given = status(there.post(databases, { name: `db-${this.#databases}`, region: "eu" }));
        expect(await given).toBe(model.createDatabase(actor, on));
        return;
      }
      case "create":
    }
  }

  /**
   * Asserts that a person sees the organization as in the model, and has the access rights of the model with an old
   * token.
   */
  async #compare(on: ModelOrganization, actor: number): Promise<void> {
    const id = this.#idOf(on);
    const { model } = this;
    const seen = await this.#client(actor).get(`${organizations}/${id}/members`);
    expect(seen.status).toBe(model.get(actor, on));
    if (seen.status === 200)
      expect((seen.body as { members: unknown[] }).members).toMatchObject(
        on.members.map((member) => ({
          email: emailOf(member.person),
          userId: member.accepted ? userIdOf(member.person) : null,
          role: member.role,
          status: member.accepted ? "active" : "pending",
        })),
      );
    const there = this.#tokens.get(`${actor}/${id}`);
    if (there !== undefined) expect((await there.get(databases)).status).toBe(model.listDatabases(actor, on));
    await this.#compareList(actor);
  }

  async #compareList(actor: number): Promise<void> {
    const answer = await this.#client(actor).get(organizations);
    const own = (answer.body as { organizations: { organizationId: string; role: string }[] }).organizations;
    const made = new Set(this.#ids.values());
    expect(
      new Map(
        own.filter((each) => made.has(each.organizationId)).map((each) => [each.organizationId, each.role]),
      ),
    ).toEqual(
      new Map(
        this.model.organizations.flatMap((each) => {
          const its = this.model.roleOf(actor, each);
          return its === undefined ? [] : [[this.#idOf(each), its]];
        }),
      ),
    );
  }

  /** Asserts that the displayed owner has the role owner, and is the creator while the creator has this role. */
  async #compareOwner(on: ModelOrganization): Promise<void> {
    const owners = on.members.filter(({ role: its, accepted }) => its === "owner" && accepted);
    const [first] = owners;
    if (first === undefined) return;
    const answer = await this.#client(first.person).get(`${organizations}/${this.#idOf(on)}`);
    const { ownerUserId, plan } = answer.body as { ownerUserId: string; plan: string };
    expect(plan).toBe(on.plan);
    expect(owners.map((each) => userIdOf(each.person))).toContain(ownerUserId);
  }

  #idOf(organization: ModelOrganization): string {
    const id = this.#ids.get(organization);
    if (id === undefined) throw new Error("the organization was created");
    return id;
  }

  #client(actor: number): TestClient {
    const client = clients[actor];
    if (client === undefined) throw new Error("everybody has a client");
    return client;
  }
}

/** Whether a function returns without throwing. */
function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

describe("organizations with members", () => {
  it("[ORG-09] [ORG-18] [ORG-26] [ORG-30] [ORG-34] answer every sequence of calls by several people as the model does", async () => {
    await fc.assert(
      fc.asyncProperty(
        beginning,
        fc.array(step, { minLength: 40, maxLength: 120, size: "max" }),
        async (given, steps) => {
          running.emulator.reset();
          const comparison = new Comparison();
          await comparison.begin(given);
          for (const each of steps) await comparison.take(each);
          await comparison.compareAll();
        },
      ),
      { numRuns: getPropertyRuns(5) },
    );
  });
});
