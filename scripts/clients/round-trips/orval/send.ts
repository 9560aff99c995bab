const baseUrl = process.env.SERVICE_URL ?? "";

/** Replaces `fetch` in the client, because the client has no base URL. */
export async function send<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(baseUrl + path, init);
  const { status, headers } = response;
  return { data: status === 204 ? undefined : await response.json(), status, headers } as Answer;
}
