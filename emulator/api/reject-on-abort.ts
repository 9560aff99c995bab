/** The signal with which a call of `fetch` can be given up, if it has one. */
export function getSignal(input: string | URL | Request, init?: RequestInit): AbortSignal | undefined {
  return init?.signal ?? (typeof input === "object" && "signal" in input ? input.signal : undefined);
}

/** An answer, or the reason for which the caller gave it up meanwhile; the request itself goes on. */
export function rejectOnAbort<Answer>(
  answer: Promise<Answer>,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  if (signal === undefined) return answer;
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    void answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}
