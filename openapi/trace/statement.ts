import type { ClauseId } from "../clauses/register.js";
import type { GapId } from "../gaps/register.js";

/** One thing that the specification says or leaves open, in our words, and what the contract makes of it. */
export interface Statement {
  /** Part of the specification, with the rule's number where it has one: `"4.2 rule 7"`. */
  readonly part: string;
  readonly says: string;
  readonly clauses?: readonly ClauseId[];
  readonly gaps?: readonly GapId[];
  /** Left open, and no gap: any answer passes the checks, and the emulator has one. */
  readonly open?: true;
  /** Why nobody can observe it from outside, why it asks nothing of a deployment, or why it is no gap. */
  readonly reason?: string;
}
