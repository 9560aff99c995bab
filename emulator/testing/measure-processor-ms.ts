/** Returns the CPU time of a function, which does not include the time of other processes. */
export function measureProcessorMs(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
