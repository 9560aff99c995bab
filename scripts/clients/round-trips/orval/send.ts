const baseUrl = process.env.SERVICE_URL ?? "";

/** What the client calls in place of `fetch`, which knows no base URL. */
export async function send<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(baseUrl + path, init);
  const { status, headers } = response;
  return { data: status === 204 ? undefined : await response.json(), status, headers } as Answer;
}
