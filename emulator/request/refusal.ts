import type { World } from "../world/world.js";
import type { Answer } from "./answer.js";
import { addCrossOriginHeaders } from "./cross-origin.js";
import type { Incoming } from "./incoming.js";
import { problemAnswer } from "./problem-answer.js";

/** Answers a request that gets no further than this. */
export function refusal(error: unknown, incoming: Incoming, world: World): Answer {
  return refusalAt(world.clock.tick(), error, incoming, world);
}

/** The same for a request that has its time already. */
export function refusalAt(now: number, error: unknown, incoming: Incoming, { profile }: World): Answer {
  const problem = problemAnswer(error, profile);
  const headers = { ...problem.headers, Date: dateText(now) };
  addCrossOriginHeaders(headers, incoming, profile);
  return { ...problem, headers };
}

let writtenSecond = -1;
let writtenDate = "";

/** The `Date` header of the emulator's time; written once a second. */
export function dateText(now: number): string {
  const second = Math.floor(now / 1000);
  if (second !== writtenSecond) {
    writtenSecond = second;
    writtenDate = new Date(now).toUTCString();
  }
  return writtenDate;
}
