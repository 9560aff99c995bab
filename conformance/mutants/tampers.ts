import { serviceApi } from "../../openapi/operations/register.js";
import {
  changeBody,
  copyJson,
  createErrorResponse,
  isErrorResponse,
  sendWithParameters,
  type AnyJson,
  type Interceptor,
  type InterceptedRequest,
  type InterceptedResponse,
} from "./intercept.js";

/** Selects requests. */
type RequestCondition = (request: InterceptedRequest) => boolean | Promise<boolean>;

/** Selects responses by their status or a condition. */
type ResponseSelection = number | ((response: InterceptedResponse, request: InterceptedRequest) => boolean);

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

/** A new value of a field, fixed or computed from the current one. */
type FieldValue =
  | ((old: AnyJson, request: InterceptedRequest, holder: AnyJson) => AnyJson)
  | string
  | number
  | null
  | boolean;

async function setFields(body: AnyJson, path: string, value: FieldValue, request: InterceptedRequest) {
  for (const [holder, name] of findFields(body, path))
    holder[name] = typeof value === "function" ? await value(holder[name], request, holder) : value;
}

/** Changes the bodies of successes in place. */
function changeResponseBody(change: (body: AnyJson, request: InterceptedRequest) => unknown): Interceptor {
  return (request) => changeBody(request.send(), (body) => change(body, request));
}

/** Changes a resource in successes in place, or every resource in a list. */
function changeEntries(
  list: string,
  change: (entry: AnyJson, request: InterceptedRequest) => unknown,
): Interceptor {
  return changeResponseBody(async (body, request) => {
    for (const entry of body[list] ?? [body]) await change(entry, request);
  });
}

/** Removes fields from successes, given by a path such as `members.*.name`. */
export function dropFields(path: string): Interceptor {
  return changeResponseBody((body) => {
    for (const [holder, name] of findFields(body, path)) Reflect.deleteProperty(holder, name);
  });
}

/** Sets fields of successes, given by a path. */
export function replaceField(path: string, value: FieldValue): Interceptor {
  return changeResponseBody((body, request) => setFields(body, path, value, request));
}

/** Replaces some responses. */
function replaceResponse(
  which: ResponseSelection,
  give: (
    request: InterceptedRequest,
    response: InterceptedResponse,
  ) => InterceptedResponse | Promise<InterceptedResponse>,
): Interceptor {
  return async (request) => {
    const response = await request.send();
    const isAffected = typeof which === "number" ? response.status === which : which(response, request);
    return isAffected ? give(request, response) : response;
  };
}

/** Does additional work after some responses without changing them. */
function runAfterResponse(
  which: ResponseSelection,
  effect: (request: InterceptedRequest, response: InterceptedResponse) => Promise<unknown>,
): Interceptor {
  return replaceResponse(which, async (request, response) => {
    await effect(request, response);
    return response;
  });
}

/** Responds to the requests that match a condition, instead of passing them on. */
function respondToRequest(
  isAffected: RequestCondition,
  give: InterceptedResponse | Interceptor,
): Interceptor {
  return async (request) => {
    if (!(await isAffected(request))) return request.send();
    return typeof give === "function" ? give(request) : give;
  };
}

/** Rejects the requests that match a condition. */
function rejectRequests(isRefused: RequestCondition, status = 400): Interceptor {
  return respondToRequest(isRefused, createErrorResponse(status));
}

/** Changes the bodies of requests in place. */
function changeRequestBody(change: (body: AnyJson, request: InterceptedRequest) => unknown): Interceptor {
  return async (request) => {
    if (typeof request.body !== "object" || request.body === null) return request.send();
    const body = copyJson(request.body);
    await change(body, request);
    // An unchanged request keeps its bytes.
    return request.send(JSON.stringify(body) === JSON.stringify(request.body) ? {} : { body });
  };
}

/** Sets fields that requests have, given by a path. */
function replaceRequestField(path: string, value: FieldValue): Interceptor {
  return changeRequestBody((body, request) => setFields(body, path, value, request));
}

/** Replaces a part of a text in requests. */
function rewriteText(
  field: string,
  pattern: RegExp | string,
  replacement: string | ((...matched: string[]) => string),
): Interceptor {
  return replaceRequestField(field, (text) =>
    typeof text === "string" ? text.replace(pattern, replacement as string) : text,
  );
}

/** Ignores fields of requests if a condition holds. */
function ignoreFields(fields: readonly string[], isAffected: RequestCondition = () => true): Interceptor {
  return changeRequestBody(async (body, request) => {
    if (await isAffected(request)) for (const field of fields) Reflect.deleteProperty(body as object, field);
  });
}

/** Adds parameters that a request does not have. */
function addDefaultParameters(parameters: Readonly<Record<string, unknown>>): Interceptor {
  return (request) => sendWithParameters(request, { ...parameters, ...(request.body ?? request.query) });
}

/**
 * Sends requests for pages with a different limit.
 *
 * @param absent limit of requests that have none; without it, these are sent unchanged
 */
function changeLimit(
  change: (limit: number, request: InterceptedRequest) => number,
  absent?: number,
): Interceptor {
  return (request) => {
    const { query, body } = request;
    const { limit = absent } = body ?? (query.limit === undefined ? {} : { limit: Number(query.limit) });
    return Number.isInteger(limit) && limit > 0
      ? sendWithParameters(request, { limit: change(limit as number, request) })
      : request.send();
  };
}

/** Identifies the resource of a response. Defaults to the path. */
type KeyOf = (request: InterceptedRequest, holder?: AnyJson) => unknown;

const byPath: KeyOf = ({ path }) => path;

/** Repeats the last success with a key after a resource was deleted, or if another condition holds. */
function repeatLastSuccess(
  keyOf: KeyOf = byPath,
  isAffected: (response: InterceptedResponse, request: InterceptedRequest) => boolean = ({ status }) =>
    status === 404,
): Interceptor {
  return async (request) => {
    const response = await request.send();
    const last = request.memory.get(keyOf(request));
    if (response.status === 200) request.memory.set(keyOf(request), response);
    return isAffected(response, request) ? (last ?? response) : response;
  };
}

/** Answers all requests with the same key like the first success; requests without a key are sent. */
function cacheSuccess(keyOf: KeyOf): Interceptor {
  return async (request) => {
    const key = keyOf(request);
    if (key === undefined) return request.send();
    const response: InterceptedResponse = request.memory.get(key) ?? (await request.send());
    return isErrorResponse(response) ? response : request.memory.set(key, response);
  };
}

/** Repeats the first response to a read until its caller writes, even if other callers write. */
function cacheUntilOwnWrite(): Interceptor {
  return async (request) => {
    const { operationId, path, query, body, credential, memory } = request;
    const writes = ["writes", credential];
    const key = [operationId, path, query, body, credential, memory.get(writes)];
    if (serviceApi.operations[operationId].effect === "read") return cacheSuccess(() => key)(request);
    const response = await request.send();
    memory.add(writes);
    return response;
  };
}

/** Sends refused requests again with the credential of the last success with the same key. */
function retryWithKnownCredential(
  keyOf: (request: InterceptedRequest, response: InterceptedResponse) => unknown,
  isAffected: (response: InterceptedResponse, request: InterceptedRequest) => boolean = isErrorResponse,
): Interceptor {
  return async (request) => {
    const response = await request.send();
    const key = keyOf(request, response);
    if (!isErrorResponse(response)) request.memory.set(key, request.credential);
    const credential = request.memory.get(key);
    return credential !== undefined && isAffected(response, request)
      ? request.send({ credential })
      : response;
  };
}

/** Always returns the first value of a field. */
function freezeField(path: string, keyOf: KeyOf = byPath): Interceptor {
  return replaceField(path, (old, request, holder) => request.memory.keepFirst(keyOf(request, holder), old));
}

/** Never returns a lower number than before. */
function neverLowerField(path: string, keyOf: KeyOf = byPath): Interceptor {
  return replaceField(path, (old, request, holder) =>
    request.memory.keepHighest(keyOf(request, holder), old),
  );
}

/** Adds all earlier entries of a list to each response, for any caller, up to the length of a page. */
function accumulateList(list: string, id: string): Interceptor {
  return replaceField(list, (shown: readonly AnyJson[], { memory }) => {
    const known: AnyJson[] = memory.get() ?? [];
    const others = known.filter((entry) => !shown.some((own) => own[id] === entry[id]));
    memory.set(undefined, [...others, ...shown]);
    return [...shown, ...others].slice(0, Math.max(shown.length, 20));
  });
}

/** Ends a list after a number of entries, however many there are. */
function endList(list: string, token: "nextCursor" | "nextPageToken", max: number): Interceptor {
  return changeResponseBody((body, { query, body: { cursor, pageToken } = query as AnyJson, memory }) => {
    const count = Number(memory.get(cursor ?? pageToken) ?? 0) + Number(body[list]?.length ?? 0);
    if (count >= max) body[token] = null;
    else memory.set(body[token], count);
  });
}

/** Rejects requests with more than a maximum number of `items`, but executes the first items. */
function rejectAfterPartialWrite(maxItems: number): Interceptor {
  return runAfterResponse(
    (_, { body }) => body?.items?.length > maxItems,
    (request) => request.send({ body: { ...request.body, items: request.body.items.slice(0, maxItems) } }),
  );
}

/** Responds to requests while another one with the same key is executed; requests without a key are not counted. */
function respondBesideOther(
  getKey: (request: InterceptedRequest) => unknown,
  respond: (request: InterceptedRequest) => InterceptedResponse,
): Interceptor {
  return async (request) => {
    const key = getKey(request);
    if (key === undefined) return request.send();
    try {
      const isAlone = request.memory.add(["under way", key]) === 1;
      return isAlone ? await request.send() : respond(request);
    } finally {
      request.memory.add(["under way", key], -1);
    }
  };
}

/** Deletes all resources with the same name, in whatever database or organization, when one of them is deleted. */
function deleteNamesakes(id: "databaseId" | "repositoryId"): Interceptor {
  return async ({ path, credential, memory, send }) => {
    const response = await send();
    const { name = memory.get(path[id]) } = response.body ?? {};
    const namesakes: Parameters<typeof send>[0][] = memory.get([name]) ?? [];
    if (response.status === 201) {
      memory.set(response.body[id], name);
      memory.set([name], [...namesakes, { path: { ...path, [id]: response.body[id] }, credential }]);
    } else if (response.status === 204) for (const other of namesakes) await send(other);
    return response;
  };
}

/** The functions with which mutants and variants are declared; `by` accepts any interceptor. */
export const tampers = {
  by: (interceptor: Interceptor) => interceptor,
  changeResponseBody,
  changeEntries,
  dropFields,
  replaceField,
  replaceResponse,
  runAfterResponse,
  respondToRequest,
  rejectRequests,
  changeRequestBody,
  replaceRequestField,
  rewriteText,
  ignoreFields,
  addDefaultParameters,
  changeLimit,
  repeatLastSuccess,
  cacheSuccess,
  cacheUntilOwnWrite,
  retryWithKnownCredential,
  freezeField,
  neverLowerField,
  accumulateList,
  endList,
  rejectAfterPartialWrite,
  respondBesideOther,
  deleteNamesakes,
};
