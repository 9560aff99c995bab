import { sleep } from "../client/pace.js";

/** How long figures may be waited for in all; a property shares one among its tries. */
export interface Patience {
  leftMs: number;
}

/** The patience with figures that may lag behind what they count. */
export function patience(): Patience {
  return { leftMs: 5000 };
}

/**
 * Looks again until what is seen agrees, for figures that no part of the specification says are up to date.
 *
 * @returns what was seen last, whether it agrees or not
 */
export async function eventually<Seen>(
  look: () => Promise<Seen>,
  agrees: (seen: Seen) => boolean,
  waiting: Patience = patience(),
): Promise<Seen> {
  for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
    const seen = await look();
    if (agrees(seen) || waiting.leftMs <= 0) return seen;
    await sleep(pause);
    waiting.leftMs -= pause;
  }
}
