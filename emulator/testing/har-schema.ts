const text = { type: "string" };
const number = { type: "number" };
const pairs = object({ name: text, value: text }, ["name", "value"], { comment: text });
const list = { type: "array", items: pairs };

function object(properties: object, required: readonly string[], optional: object = {}) {
  return {
    type: "object",
    properties: { ...properties, ...optional },
    required,
    // the names of custom fields begin with an underscore
    patternProperties: { "^_": {} },
    additionalProperties: false,
  };
}

function whole(properties: object, optional: object = {}) {
  return object(properties, Object.keys(properties), { comment: text, ...optional });
}

const message = { httpVersion: text, cookies: list, headers: list, headersSize: number, bodySize: number };

/** The structure of an HTTP Archive, as defined by the HAR 1.2 specification. */
export const harSchema = whole({
  log: whole(
    {
      version: { const: "1.2" },
      creator: whole({ name: text, version: text }),
      entries: {
        type: "array",
        items: whole(
          {
            startedDateTime: {
              type: "string",
              pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d+(Z|[+-]\\d\\d:\\d\\d)$",
            },
            time: { type: "number", minimum: 0 },
            request: whole(
              {
                method: text,
                url: { type: "string", pattern: "^https?://[^/]+/" },
                queryString: list,
                ...message,
              },
              {
                postData: whole({ mimeType: text, params: { type: "array", items: {} }, text }),
              },
            ),
            response: whole({
              status: { type: "integer" },
              statusText: text,
              redirectURL: text,
              content: object({ size: { type: "integer" }, mimeType: text }, ["size", "mimeType"], {
                text,
                encoding: text,
                compression: number,
                comment: text,
              }),
              ...message,
            }),
            cache: { type: "object" },
            timings: object({ send: number, wait: number, receive: number }, ["send", "wait", "receive"], {
              blocked: number,
              dns: number,
              connect: number,
              ssl: number,
              comment: text,
            }),
          },
          { pageref: text, serverIPAddress: text, connection: text },
        ),
      },
    },
    { browser: whole({ name: text, version: text }), pages: { type: "array" } },
  ),
});
