import { findCreatedKind } from "../client/created-kinds.js";
import type { Exchange } from "../client/exchange.js";
import { isWrite } from "../client/is-write.js";
import type { Failure } from "../run/result.js";

/** Maximum number of requests in a script; a failure that needs more must be reproduced by running the check again. */
const maxSetupRequests = 200;

/**
 * Selects the earlier requests that are needed to send the exchanges of a failure again: requests of the run that created
 * sessions, users, keys, databases and their contents, in the order in which they were sent.
 *
 * @param creatingRequests exchanges of the run that created something, see `Recorder.creatingRequests`; with unmasked secrets
 */
export function selectScriptRequests(
  { exchanges, setupRequests = [] }: Pick<Failure, "exchanges" | "setupRequests">,
  creatingRequests: readonly Exchange[],
): readonly Exchange[] {
  const first = Math.min(...exchanges.map(({ number }) => number));
  const wanted = new Set(exchanges.flatMap(listWords));
  const known = new Set(exchanges.map(({ number }) => number));
  const writes = setupRequests.filter(isAcceptedWrite);
  const candidates = [...(writes.length > maxSetupRequests ? [] : writes), ...creatingRequests]
    .filter(({ number }) => number < first && !known.has(number))
    .sort((a, b) => b.number - a.number);
  const writeNumbers = new Set(writes.map(({ number }) => number));
  const found: Exchange[] = [];
  for (const exchange of candidates) {
    if (known.has(exchange.number)) continue;
    const isNeeded =
      writeNumbers.has(exchange.number) || listProducts(exchange).some((product) => wanted.has(product));
    if (!isNeeded) continue;
    known.add(exchange.number);
    found.push(exchange);
    for (const word of listWords(exchange)) wanted.add(word);
  }
  return found.reverse();
}

/** Returns the id of the resource that, according to its response, an exchange created; the response may be truncated. */
export function findCreatedId({ operationId, answer }: Exchange): string | undefined {
  const { idField } = findCreatedKind(operationId) ?? {};
  if (idField === undefined || answer === undefined) return undefined;
  return new RegExp(`"${idField}"\\s*:\\s*"([^"\\\\]+)"`).exec(answer.body)?.[1];
}

/** Whether an exchange may have changed something on which the failure depends. */
function isAcceptedWrite({ operationId, request, answer }: Exchange): boolean {
  if (answer === undefined || answer.status >= 300 || operationId === "login") return false;
  return isWrite(request.method, request.body, operationId);
}

/** Lists the resources that an exchange created and that later requests may name. */
function listProducts(exchange: Exchange): readonly string[] {
  const { operationId, request, answer } = exchange;
  const { url, body = "" } = request;
  const text = answer?.body ?? "";
  const emails = listMatches(body, /"email"\s*:\s*"([^"\\]+)"/g);
  switch (operationId) {
    case "login":
    case "refreshSession":
    case "switchOrganization":
      return listMatches(text, /"(?:access|refresh)Token"\s*:\s*"([^"\\]+)"/g);
    case "executeSql":
      return listMatches(body, /\b(?:TABLE|ON)\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?(\w+)/gi);
    case "inviteMember":
      return emails;
    case undefined: {
      const { pathname } = new URL(url);
      const [, kind = "", name = ""] = /\/_emulator\/([^/]+)(?:\/([^/]+))?$/.exec(pathname) ?? [];
      // The name of a namespace is part of every URL below it.
      if (kind === "namespaces" || kind === "organizations") return [name];
      if (kind === "api-keys") return listMatches(text, /"key"\s*:\s*"([^"\\]+)"/g);
      return ["users", "invitations"].includes(kind) ? emails : [];
    }
    default: {
      const id = findCreatedId(exchange);
      return id === undefined ? [] : [id];
    }
  }
}

/** Lists what the first group of a pattern matches. */
function listMatches(text: string, pattern: RegExp): readonly string[] {
  return Array.from(text.matchAll(pattern), ([, match = ""]) => match);
}

/** Returns the words of a request that may name a resource. */
function listWords({ request: { url, headers, body = "" } }: Exchange): readonly string[] {
  return `${url} ${headers.Authorization ?? ""} ${body}`.split(/[^A-Za-z0-9_.@+-]+/);
}
