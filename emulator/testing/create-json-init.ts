/** Creates the options of `fetch` for a request with or without a JSON body. */
export function createJsonInit(method: string, body: unknown, credential?: string): RequestInit {
  return {
    method,
    headers: {
      ...(credential === undefined ? {} : { Authorization: `Bearer ${credential}` }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}
