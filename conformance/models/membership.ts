import type { Role } from "../../openapi/schemas/roles.js";

/** The fields of a member (part 2) that the model tracks. */
export interface ModelMember {
  readonly email: string;
  readonly role: Role;
  readonly status: "active" | "pending";
}

/** What the specification says about a request: it is done, it is refused, or nothing. */
export type ExpectedOutcome = "done" | "refused" | "open";

/** The members of one organization by email address, and their rights (part 4.6). Immutable: every change returns a new model. */
export class MembershipModel {
  readonly members: ReadonlyMap<string, ModelMember>;

  constructor(members: Iterable<ModelMember>) {
    this.members = new Map([...members].map((member) => [member.email, member]));
  }

  /** Returns the role of an active member; undefined for everyone else. */
  roleOf(email: string): Role | undefined {
    const member = this.members.get(email);
    return member?.status === "active" ? member.role : undefined;
  }

  /** Rules an invitation: admin and owner may invite; repeated invitations, and owners invited by admins, are left open. */
  invite(by: string, email: string, role: Role): ExpectedOutcome {
    const mine = this.roleOf(by);
    if (mine !== "owner" && mine !== "admin") return "refused";
    if (this.members.has(email) || (mine === "admin" && role === "owner")) return "open";
    return "done";
  }

  /**
   * Rules a change of role: admin and owner may change roles, and owners may assign any role. The last owner, changes to
   * owners by admins, and the ids of pending members are left open.
   */
  changeRole(by: string, email: string, role: Role): ExpectedOutcome {
    const mine = this.roleOf(by);
    if (mine !== "owner" && mine !== "admin") return "refused";
    const target = this.members.get(email);
    if (target === undefined) return "refused";
    if (target.status === "pending") return "open";
    if (mine === "admin" && (role === "owner" || target.role === "owner")) return "open";
    if (this.#isLastOwner(email) && role !== "owner") return "open";
    return "done";
  }

  /**
   * Rules a removal: admin and owner may remove members, and everybody may leave. The last owner and the ids of pending
   * members are left open.
   */
  remove(by: string, email: string): ExpectedOutcome {
    const mine = this.roleOf(by);
    const target = this.members.get(email);
    if (mine === undefined || target === undefined) return "refused";
    if (this.#isLastOwner(email))
      return by === email || mine === "owner" || mine === "admin" ? "open" : "refused";
    if (by === email) return "done";
    if (mine !== "owner" && mine !== "admin") return "refused";
    return target.status === "pending" || (mine === "admin" && target.role === "owner") ? "open" : "done";
  }

  /** Whether somebody may read the organization: every member may. */
  look(by: string): ExpectedOutcome {
    return this.roleOf(by) === undefined ? "refused" : "done";
  }

  /** Whether somebody may update the organization: owner and admin may. */
  update(by: string): ExpectedOutcome {
    const mine = this.roleOf(by);
    return mine === "owner" || mine === "admin" ? "done" : "refused";
  }

  with(member: ModelMember): MembershipModel {
    return new MembershipModel(
      [...this.members.values()].filter(({ email }) => email !== member.email).concat(member),
    );
  }

  without(gone: string): MembershipModel {
    return new MembershipModel([...this.members.values()].filter(({ email }) => email !== gone));
  }

  #isLastOwner(email: string): boolean {
    const owners = [...this.members.values()].filter(
      ({ role, status }) => role === "owner" && status === "active",
    );
    return owners.length === 1 && owners[0]?.email === email;
  }
}
