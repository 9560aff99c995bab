import { isObject } from "../../openapi/text/is-object.js";

/** A test with a namespace, and the names of the forks that it has made. */
export interface ForkingTest<Namespace> {
  readonly namespace: Namespace;
  readonly forks: string[];
  hasEnded: boolean;
}

interface Forkable {
  readonly name: string;
  readonly fork: unknown;
  readonly snapshots: { readonly fork: unknown };
}

type Call = (...given: unknown[]) => unknown;

/**
 * Makes the forks of a namespace belong to a test: once the test has ended, their functions fail. Otherwise, a late
 * request would create a namespace with the name of a fork again, and the next test may use this name.
 */
export function ownForks<Namespace extends Forkable>(namespace: Namespace): ForkingTest<Namespace> {
  const test: ForkingTest<Namespace> = { namespace, forks: [], hasEnded: false };
  recordForks(namespace, test);
  return test;
}

function recordForks(namespace: Forkable, test: ForkingTest<unknown>): void {
  for (const part of [namespace, namespace.snapshots] as { fork: Call }[]) {
    const { fork } = part;
    part.fork = (...given) => {
      const own = (forked: Forkable) => {
        test.forks.push(forked.name);
        recordForks(forked, test);
        endWithTest(forked as unknown as Record<string, unknown>, test, isRemote);
        return forked;
      };
      const result = fork(...given) as Forkable | Promise<Forkable>;
      const isRemote = "then" in result;
      return isRemote ? result.then(own) : own(result);
    };
  }
}

/** @param isRemote whether all functions return promises */
function endWithTest(members: Record<string, unknown>, test: ForkingTest<unknown>, isRemote: boolean): void {
  for (const [name, member] of Object.entries(members)) {
    if (isObject(member)) endWithTest(member, test, isRemote);
    if (typeof member !== "function") continue;
    members[name] = (...given: unknown[]) => {
      if (!test.hasEnded) return (member as Call)(...given);
      const error = new Error("the test that forked this namespace has ended");
      if (isRemote || name === "fetch") return Promise.reject(error);
      throw error;
    };
  }
}
