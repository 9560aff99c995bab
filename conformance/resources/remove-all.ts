import { anonymous, type Client } from "../client/client.js";
import type { Actors } from "../target/actors.js";
import { NoResponseError } from "../client/violation.js";
import type { LedgerEntry, Ledger } from "../target/ledger.js";
import { removeResource, UnremovableError } from "./remove.js";

/** A resource that could not be removed, and why. */
export interface LeftBehind {
  readonly entry: LedgerEntry;
  readonly reason: string;
  /** Whether the deployment has no way to remove the resource, so that a later cleanup cannot remove it either. */
  readonly isFinal?: true;
}

/** Maximum number of requests without an answer; after that, the remaining resources stay in the ledger. */
const maxUnanswered = 2;

/**
 * Removes the resources in a ledger, newest first.
 *
 * @param actors the callers who remove them; not needed for namespaces, which are deleted with their contents
 * @param entries the entries to remove. Defaults to all.
 * @returns the resources that could not be removed
 */
export async function removeAllResources({
  client,
  actors,
  ledger,
  entries = ledger.remaining,
}: {
  readonly client: Client;
  readonly actors?: Actors | undefined;
  readonly ledger: Ledger;
  readonly entries?: readonly LedgerEntry[];
}): Promise<readonly LeftBehind[]> {
  const left: LeftBehind[] = [];
  // an answer that breaks a clause, and is reported by a check, keeps nobody from removing
  const remover = client.unjudging();
  let unanswered = 0;
  for (const entry of entries) {
    const leave = (reason: string): unknown => left.push({ entry, reason });
    if (unanswered >= maxUnanswered) {
      leave("the deployment has stopped responding");
      continue;
    }
    try {
      const as =
        entry.kind === "namespace"
          ? anonymous
          : await (entry.kind === "items"
              ? actors?.worker("database")
              : actors?.session(entry.by ?? "owner"));
      if (as === undefined) {
        leave("the run's users cannot log in");
        continue;
      }
      const isOwners = entry.kind === "database" && entry.by === undefined;
      await removeResource(remover, as, entry, isOwners ? await actors?.worker("database") : as);
      ledger.removed(entry.number);
    } catch (error) {
      if (error instanceof NoResponseError) unanswered++;
      const reason = error instanceof Error ? error.message : String(error);
      if (error instanceof UnremovableError) {
        ledger.removed(entry.number);
        left.push({ entry, reason, isFinal: true });
      } else leave(reason);
    }
  }
  return left;
}
