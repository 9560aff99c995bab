import { fork, type Serializable } from "node:child_process";

export interface WorkOptions<Task, Order extends Serializable, Result> {
  /** Path of the module that the processes run; it answers each order with a result. */
  readonly worker: string;
  /** How many processes there are at most. */
  readonly jobs: number;
  readonly orderOf: (task: Task) => Order;
  readonly onResult: (result: Result) => void;
}

/** Has processes do tasks, each the next one as soon as it is free. */
export async function inProcesses<Task, Order extends Serializable, Result>(
  tasks: readonly Task[],
  { worker, jobs, orderOf, onResult }: WorkOptions<Task, Order, Result>,
): Promise<readonly Result[]> {
  const waiting = [...tasks];
  const results: Result[] = [];
  await Promise.all(
    Array.from(
      { length: Math.min(jobs, tasks.length) },
      () =>
        new Promise<void>((resolve, reject) => {
          const child = fork(worker, [], { execArgv: process.execArgv });
          let task: Task | undefined;
          const next = () => {
            task = waiting.shift();
            if (task === undefined) child.disconnect();
            else child.send(orderOf(task));
          };
          child.on("message", (result: Result) => {
            results.push(result);
            onResult(result);
            next();
          });
          child.on("exit", (code) => {
            if (code === 0 && task === undefined) resolve();
            else reject(new Error(`a process ended with ${code} during ${JSON.stringify(task)}`));
          });
          next();
        }),
    ),
  );
  return results;
}
