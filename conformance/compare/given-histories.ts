import type { OperationId } from "../../openapi/operations/register.js";
import type { ActorName } from "../target/needs.js";
import type { Command, History, Template } from "./command.js";

type Read = Pick<Command, "does" | "caller" | "authorization" | "headers" | "isValid">;

function read(
  caller: ActorName,
  operationId: OperationId,
  path: Readonly<Record<string, Template>> = {},
): Read {
  return {
    does: { kind: "call", operationId, path, query: {} },
    caller,
    authorization: ["Bearer ", { sources: [{ from: "session", of: caller, member: "accessToken" }] }],
    headers: {},
    isValid: true,
  };
}

function history(of: ActorName, reads: readonly Read[], alsoNeeds: readonly ActorName[] = []): History {
  return {
    id: `given/${of}`,
    title: `What the account of ${of} was given`,
    needs: [of, ...alsoNeeds],
    commands: reads.map((command, number) => ({ ...command, number, segment: 0 })),
  };
}

/** An organization of a user: the one that they work in, or their personal one. */
function organizationOf(of: ActorName, which: "own" | "personal"): { readonly organizationId: Template } {
  const source =
    which === "own"
      ? ({ from: "login", of, member: "organizationId" } as const)
      : ({ from: "session", of, member: "personalOrgId" } as const);
  return { organizationId: [{ sources: [source] }] };
}

/** What an owner sees of their organization. */
function ownedBy(name: "owner" | "outsider"): readonly Read[] {
  return [
    read(name, "listOrganizations"),
    read(name, "getOrganization", organizationOf(name, "own")),
    read(name, "getOrganization", organizationOf(name, "personal")),
    read(name, "listMembers", organizationOf(name, "own")),
    read(name, "getPaymentInfo"),
    read(name, "getPaymentStatus"),
    read(name, "getUsage"),
  ];
}

/** Read what the accounts have: all of it was there before. */
export const givenHistories: readonly History[] = [
  history("owner", ownedBy("owner")),
  history("outsider", ownedBy("outsider")),
  ...(["admin", "member", "readonly"] as const).map((name) =>
    history(
      name,
      [
        read(name, "listOrganizations"),
        read(name, "getOrganization", organizationOf(name, "personal")),
        // an entry of the list is known as one of the run's when its user has asked for something
        read("owner", "listMembers", organizationOf("owner", "own")),
      ],
      ["owner"],
    ),
  ),
];
