/** The CPU time that a piece of work takes: what else the machine does adds nothing to it. */
export function measureProcessorMs(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
