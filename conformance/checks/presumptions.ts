import { defineChecks } from "../check/check.js";
import type { Answer } from "../client/client.js";
import { sleep } from "../client/pace.js";
import type { CheckContext } from "../check/context.js";
import { RunTrouble } from "../client/violation.js";

const rounds = 8;

/** How long a write is waited for before it counts as lost, which is a matter for other checks. */
const longestLagMs = 10_000;

/** One way of writing something and looking for it. */
interface Trial {
  readonly what: string;
  /** Writes something new. Returns how to look for it, and whether an answer shows it. */
  readonly write: (context: CheckContext) => Promise<{
    readonly look: () => Promise<Answer>;
    readonly shows: (answer: Answer) => boolean;
  }>;
}

const itemTrial: Trial = {
  what: "an item",
  write: async (context) => {
    const path = { databaseId: await context.resources.database(), pk: context.resources.name() };
    const look = () => context.call("getItem", { path, setUp: true });
    // what was looked for before is what a cache would still not have
    await look();
    await context.call("putItem", { path, body: { pk: path.pk, data: { seen: true } }, setUp: true });
    return { look, shows: ({ status }) => status === 200 };
  },
};

const entityTrial: Trial = {
  what: "an entity",
  write: async (context) => {
    const path = { repositoryId: await context.resources.repository() };
    const made = await context.call("createEntity", { path, body: { data: {} }, setUp: true });
    const { id = "" } = (made.body ?? {}) as { id?: string };
    return {
      look: () => context.call("getEntity", { path: { ...path, entityId: id }, setUp: true }),
      shows: ({ status }) => status === 200,
    };
  },
};

/** Milliseconds until a write was seen; 0 when it was there at the first look. */
async function lagOf(context: CheckContext, { write }: Trial): Promise<number> {
  const { look, shows } = await write(context);
  const written = Date.now();
  for (let first = true; Date.now() - written < longestLagMs; first = false) {
    if (shows(await look())) return first ? 0 : Date.now() - written;
    await sleep(10);
  }
  return 0;
}

/**
 * What the other checks take for granted although the specification does not promise it: that a read shows every write
 * that was answered before it. Where it does not, no check could tell a late answer from a wrong one.
 */
export const presumptionChecks = defineChecks({
  id: "presumptions/reads-see-writes",
  title: "A read shows what was written before it, at once or after the lag that the target file declares",
  clauses: [],
  isPresumption: true,
  needs: ["database"],
  run: async (context) => {
    const trials = [itemTrial, ...(context.offers("repositories") ? [entityTrial] : [])];
    let longest = { what: "", lagMs: 0 };
    for (let round = 0; round < rounds; round++)
      for (const trial of trials) {
        const lagMs = await lagOf(context, trial);
        if (lagMs > longest.lagMs) longest = { what: trial.what, lagMs };
      }
    if (longest.lagMs > 0)
      throw new RunTrouble(
        `reads lag behind writes: ${longest.what} was seen ${longest.lagMs} ms after its write was answered. ` +
          "The specification does not forbid that, but no other check could tell a late answer from a wrong one; " +
          `declare \`timeouts.readLagMs\` in the target file, well above ${longest.lagMs}`,
      );
  },
});
