import type { OperationId } from "../../openapi/operations/service.js";
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

function history(of: ActorName, reads: readonly Read[]): History {
  return {
    id: `given/${of}`,
    title: `What the account of ${of} was given`,
    needs: [of],
    commands: reads.map((command, number) => ({ ...command, number, segment: 0 })),
  };
}

const organizationId: Template = [{ sources: [{ from: "login", of: "owner", member: "organizationId" }] }];

/** Read what the accounts have: all of it was there before. */
export const givenHistories: readonly History[] = [
  history("owner", [
    read("owner", "listOrganizations"),
    read("owner", "getOrganization", { organizationId }),
    read("owner", "listMembers", { organizationId }),
    read("owner", "getPaymentInfo"),
    read("owner", "getPaymentStatus"),
    read("owner", "getUsage"),
  ]),
  ...(["admin", "member", "readonly", "outsider"] as const).map((name) =>
    history(name, [read(name, "listOrganizations")]),
  ),
];
