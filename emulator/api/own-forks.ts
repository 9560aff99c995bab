/** A test with a namespace, and the names of the forks that it has made. */
export interface ForkingTest<Namespace> {
  readonly namespace: Namespace;
  readonly forks: string[];
  hasEnded: boolean;
}

interface Forkable {
  readonly name: string;
  readonly fetch: unknown;
  readonly fork: unknown;
  readonly snapshots: { readonly fork: unknown };
}

type Call = (...given: unknown[]) => unknown;

/**
 * Makes the forks of a namespace belong to a test: once the test has ended, their `fetch` fails. Otherwise, a late
 * request would create a namespace with the name of a fork again, and the next test may use this name.
 */
export function ownForks<Namespace extends Forkable>(namespace: Namespace): ForkingTest<Namespace> {
  const test: ForkingTest<Namespace> = { namespace, forks: [], hasEnded: false };
  recordForks(namespace, test);
  return test;
}

function recordForks(namespace: Forkable, test: ForkingTest<unknown>): void {
  const own = (fork: Forkable) => {
    test.forks.push(fork.name);
    recordForks(fork, test);
    const { fetch } = fork as { fetch: Call };
    const fetchDuringTest = (...given: unknown[]) =>
      test.hasEnded
        ? Promise.reject(new Error("the test that forked this namespace has ended"))
        : fetch(...given);
    return Object.assign(fork, { fetch: fetchDuringTest });
  };
  for (const part of [namespace, namespace.snapshots]) {
    const { fork } = part as { fork: Call };
    const forkAndOwn = (...given: unknown[]) => {
      const forked = fork(...given) as Forkable | Promise<Forkable>;
      return "then" in forked ? forked.then(own) : own(forked);
    };
    Object.assign(part, { fork: forkAndOwn });
  }
}
