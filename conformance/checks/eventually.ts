import { sleep } from "../client/pace.js";

/** How long a figure may lag behind: nothing says that it is right at once. */
const mostMs = 5000;

/** Reads until the value is as it should be, for a bounded time; gives the last one read. */
export async function eventually<Value>(
  read: () => Promise<Value>,
  isRight: (value: Value) => boolean,
): Promise<Value> {
  const until = Date.now() + mostMs;
  for (let pause = 20; ; pause *= 2) {
    const value = await read();
    if (isRight(value) || Date.now() + pause > until) return value;
    await sleep(pause);
  }
}
