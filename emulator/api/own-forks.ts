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
 * Makes the forks of a namespace belong to a test: once the test has ended, their functions fail. Otherwise, a late call
 * would create a namespace with the name of a fork again, and the next test may use this name.
 */
export function ownForks<Namespace extends Forkable>(namespace: Namespace): ForkingTest<Namespace> {
  const test: ForkingTest<Namespace> = { namespace, forks: [], hasEnded: false };
  recordForks(namespace, test);
  return test;
}

function recordForks(namespace: Forkable, test: ForkingTest<unknown>): void {
  const own = (fork: Forkable, isRemote: boolean) => {
    test.forks.push(fork.name);
    recordForks(fork, test);
    guardFunctions(fork, test, isRemote);
    return fork;
  };
  for (const part of [namespace, namespace.snapshots]) {
    const { fork } = part as { fork: Call };
    const forkAndOwn = (...given: unknown[]) => {
      const forked = fork(...given) as Forkable | Promise<Forkable>;
      return "then" in forked ? forked.then((it) => own(it, true)) : own(forked, false);
    };
    Object.assign(part, { fork: forkAndOwn });
  }
}

/** Makes all functions of an object fail once the test has ended. */
function guardFunctions(part: object, test: ForkingTest<unknown>, isRemote: boolean): void {
  for (const [name, value] of Object.entries(part) as [string, unknown][])
    if (typeof value === "function") {
      const returnsPromise = isRemote || name === "fetch";
      Object.assign(part, { [name]: guard(value as Call, test, returnsPromise) });
    } else if (typeof value === "object" && value !== null) guardFunctions(value, test, isRemote);
}

function guard(call: Call, test: ForkingTest<unknown>, returnsPromise: boolean): Call {
  return (...given) => {
    if (!test.hasEnded) return call(...given);
    const error = new Error("the test that forked this namespace has ended");
    if (returnsPromise) return Promise.reject(error);
    throw error;
  };
}
