import { isJsonObject } from "../client/json-text.js";
import {
  changeBody,
  copyJson,
  type AnyJson,
  type Interceptor,
  type InterceptedRequest,
  type InterceptedResponse,
  omitFields,
} from "./intercept.js";

/** Creates a new tamper for each run, so that the tamper may keep state. */
export type InterceptorFactory = () => Interceptor;

type Awaitable<Value> = Value | Promise<Value>;

/** Creates a refusal with a message that any deployment may use. */
export function createErrorResponse(status: number): InterceptedResponse {
  return {
    status,
    headers: { "content-type": "application/problem+json" },
    body: { type: "https://example.test/refused", title: "Refused", status, detail: "Refused." },
  };
}

/** Creates a successful response from the mutant itself. */
export function createSuccessResponse(body: AnyJson, status = 200): InterceptedResponse {
  return { status, headers: { "content-type": "application/json" }, body };
}

/** The response to a deletion. */
export const noContentResponse: InterceptedResponse = { status: 204, headers: {}, body: undefined };

/** Finds the objects with the last field of a path such as `members.*.name`, each with the name of the field. */
function findFields(body: AnyJson, path: string): readonly (readonly [holder: AnyJson, name: string])[] {
  let places: readonly (readonly [holder: AnyJson, name: string])[] = [[{ body }, "body"]];
  for (const step of path.split("."))
    places = places.flatMap(([holder, name]) => {
      const found = holder[name];
      if (typeof found !== "object" || found === null) return [];
      const names = step === "*" ? Object.keys(found) : step in found ? [step] : [];
      return names.map((own) => [found, own] as const);
    });
  return places;
}

/** Changes the bodies of successes in place. */
export function changeResponseBody(
  change: (body: AnyJson, wire: InterceptedRequest) => void,
): InterceptorFactory {
  return () => async (wire) => changeBody(await wire.send(), (body) => change(body, wire));
}

/** Removes fields from successes, given by a path such as `members.*.name`. */
export function dropFields(path: string): InterceptorFactory {
  return changeResponseBody((body) => {
    for (const [holder, name] of findFields(body, path)) Reflect.deleteProperty(holder, name);
  });
}

/** Sets fields of successes to another value, fixed or computed from the current one. */
export function replaceField(
  path: string,
  value: ((old: AnyJson, wire: InterceptedRequest) => AnyJson) | string | number | null | boolean,
): InterceptorFactory {
  return changeResponseBody((body, wire) => {
    for (const [holder, name] of findFields(body, path))
      holder[name] = typeof value === "function" ? value(holder[name], wire) : value;
  });
}

/** Replaces the answers with a status, or those that match a condition. */
export function replaceResponse(
  which: number | ((response: InterceptedResponse, wire: InterceptedRequest) => boolean),
  give: (wire: InterceptedRequest, response: InterceptedResponse) => Awaitable<InterceptedResponse>,
): InterceptorFactory {
  return () => async (wire) => {
    const response = await wire.send();
    const isAffected = typeof which === "number" ? response.status === which : which(response, wire);
    return isAffected ? give(wire, response) : response;
  };
}

/** Does additional work after some answers without changing them. */
export function runAfterResponse(
  which: number | ((response: InterceptedResponse, wire: InterceptedRequest) => boolean),
  effect: (wire: InterceptedRequest, response: InterceptedResponse) => Promise<unknown>,
): InterceptorFactory {
  return replaceResponse(which, async (wire, response) => {
    await effect(wire, response);
    return response;
  });
}

/** Whether a response is a refusal. */
export const isRefusal = ({ status }: InterceptedResponse): boolean => status >= 400;

/** Rejects the requests that match a condition. */
export function rejectRequests(
  status: number,
  isRefused: (wire: InterceptedRequest) => boolean,
): InterceptorFactory {
  return () => (wire) => (isRefused(wire) ? Promise.resolve(createErrorResponse(status)) : wire.send());
}

/** Answers the requests that match a condition itself. */
export function answerRequest(
  isAffected: (wire: InterceptedRequest) => boolean,
  give: (wire: InterceptedRequest) => Awaitable<InterceptedResponse>,
): InterceptorFactory {
  return () => async (wire) => (isAffected(wire) ? give(wire) : wire.send());
}

/** Sends requests with a changed body, unless the body is not an object or there is nothing to change. */
export function changeRequestBody(
  change: (body: AnyJson, wire: InterceptedRequest) => AnyJson,
): InterceptorFactory {
  return () => async (wire) => {
    if (typeof wire.body !== "object" || wire.body === null) return wire.send();
    const body = await change(wire.body, wire);
    return wire.send(body === undefined ? {} : { body });
  };
}

/** Changes each item of a request. */
export function changeRequestItems(
  change: (item: AnyJson, wire: InterceptedRequest) => AnyJson,
): InterceptorFactory {
  return changeRequestBody(async (body, wire) => {
    if (!Array.isArray(body.items)) return undefined;
    const items: AnyJson[] = [];
    for (const item of body.items) items.push(await change(item, wire));
    return { ...body, items };
  });
}

/** Ignores a field of requests if a condition holds. */
export function ignoreField(
  field: string,
  isAffected: (wire: InterceptedRequest) => boolean = () => true,
): InterceptorFactory {
  return changeRequestBody((body, wire) => (isAffected(wire) ? omitFields(body, field) : undefined));
}

/** Sends a request with changed parameters: fields of its body or, without a body, query parameters. */
export function sendWithParameters(
  wire: InterceptedRequest,
  changes: Readonly<Record<string, unknown>>,
): Promise<InterceptedResponse> {
  const { query, body } = wire;
  if (body === undefined) {
    const texts = Object.entries(changes).map(([name, value]) => [name, String(value)]);
    return wire.send({ query: { ...query, ...Object.fromEntries(texts) } });
  }
  return isJsonObject(body) ? wire.send({ body: { ...body, ...changes } }) : wire.send();
}

/** Adds parameters that a request does not have. */
export function addDefaultParameters(parameters: Readonly<Record<string, unknown>>): InterceptorFactory {
  return () => (wire) => sendWithParameters(wire, { ...parameters, ...(wire.body ?? wire.query) });
}

/**
 * Sends requests for pages with a different limit.
 *
 * @param absent limit of requests that have none; without it, these are sent unchanged
 */
export function changeLimit(change: (limit: number) => number, absent?: number): InterceptorFactory {
  return () => (wire) => {
    const { query, body } = wire;
    const { limit = absent } = body ?? (query.limit === undefined ? {} : { limit: Number(query.limit) });
    return Number.isInteger(limit) && limit > 0
      ? sendWithParameters(wire, { limit: change(limit as number) })
      : wire.send();
  };
}

/** Identifies the resource of an answer. Defaults to the path. */
type KeyOf = (wire: InterceptedRequest) => unknown;

const byPath: KeyOf = ({ path }) => path;

/** Whether the requested resource does not exist. */
const isMissing = ({ status }: InterceptedResponse): boolean => status === 404;

/** Repeats the last answer after a resource was deleted, or if another condition holds. */
export function repeatLastSuccess(
  keyOf: KeyOf = byPath,
  isAffected: (response: InterceptedResponse, wire: InterceptedRequest) => boolean = isMissing,
): InterceptorFactory {
  return () => {
    const last = new Map<string, InterceptedResponse>();
    return async (wire) => {
      const response = await wire.send();
      const key = JSON.stringify(keyOf(wire));
      if (response.status === 200) last.set(key, response);
      return isAffected(response, wire) ? (last.get(key) ?? response) : response;
    };
  };
}

/** Always answers with the first value of a field. */
export function freezeField(
  path: string,
  keyOf: (wire: InterceptedRequest, holder: AnyJson) => unknown = byPath,
): InterceptorFactory {
  return () => {
    const first = new Map<string, AnyJson>();
    return async (wire) =>
      changeBody(await wire.send(), (body) => {
        for (const [holder, name] of findFields(body, path)) {
          const key = JSON.stringify(keyOf(wire, holder));
          if (!first.has(key)) first.set(key, copyJson(holder[name]));
          holder[name] = first.get(key);
        }
      });
  };
}

/** Adds all earlier entries of a list to each response, for any caller, up to the length of a page. */
export function accumulateList(list: string, id: string): InterceptorFactory {
  return () => {
    const known = new Map<string, AnyJson>();
    return changeResponseBody((body) => {
      const shown: AnyJson[] = body[list];
      const others = [...known.values()].filter((entry) => !shown.some((own) => own[id] === entry[id]));
      body[list] = [...shown, ...others].slice(0, Math.max(shown.length, 20));
      for (const entry of shown) known.set(entry[id], entry);
    })();
  };
}

/** Ends a list after a number of entries, however many there are. */
export function endList(
  list: string,
  token: "nextCursor" | "nextPageToken",
  max: number,
): InterceptorFactory {
  return () => {
    const entriesBefore = new Map<unknown, number>();
    return async (wire) =>
      changeBody(await wire.send(), (body) => {
        const { cursor, pageToken } = { ...wire.query, ...wire.body };
        const count = (entriesBefore.get(cursor ?? pageToken) ?? 0) + Number(body[list]?.length ?? 0);
        if (count >= max) body[token] = null;
        else entriesBefore.set(body[token], count);
      });
  };
}

/** Whether the caller uses an API key; sessions use JSON Web Tokens. */
export function usesApiKey({ credential }: InterceptedRequest): boolean {
  return credential !== undefined && !credential.includes(".");
}

/** Rejects requests with more than a maximum number of `items`, but executes the first items. */
export function rejectAfterPartialWrite(most: number): InterceptorFactory {
  return runAfterResponse(
    (_, { body }) => body?.items?.length > most,
    (wire) => wire.send({ body: { ...wire.body, items: wire.body.items.slice(0, most) } }),
  );
}

/** The functions with which mutants and variants are declared; `by` accepts any tamper. */
export const tampers = {
  by: (tamper: InterceptorFactory) => tamper,
  changeResponseBody,
  dropFields,
  replaceField,
  replaceResponse,
  runAfterResponse,
  rejectRequests,
  answerRequest,
  changeRequestBody,
  changeRequestItems,
  ignoreField,
  addDefaultParameters,
  changeLimit,
  repeatLastSuccess,
  freezeField,
  accumulateList,
  endList,
};
