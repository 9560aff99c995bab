import {
  changeBody,
  copyJson,
  createErrorResponse,
  isRefusal,
  sendWithParameters,
  type AnyJson,
  type Interceptor,
  type InterceptedRequest,
  type InterceptedResponse,
} from "./intercept.js";

/** Selects requests. */
type RequestCondition = (wire: InterceptedRequest) => boolean | Promise<boolean>;

/** Selects responses by their status or a condition. */
type ResponseSelection = number | ((response: InterceptedResponse, wire: InterceptedRequest) => boolean);

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
  ((old: AnyJson, wire: InterceptedRequest, holder: AnyJson) => AnyJson) | string | number | null | boolean;

async function setFields(body: AnyJson, path: string, value: FieldValue, wire: InterceptedRequest) {
  for (const [holder, name] of findFields(body, path))
    holder[name] = typeof value === "function" ? await value(holder[name], wire, holder) : value;
}

/** Changes the bodies of successes in place. */
function changeResponseBody(change: (body: AnyJson, wire: InterceptedRequest) => unknown): Interceptor {
  return (wire) => changeBody(wire.send(), (body) => change(body, wire));
}

/** Changes a resource in successes in place, or every resource in a list. */
function changeEntries(
  list: string,
  change: (entry: AnyJson, wire: InterceptedRequest) => unknown,
): Interceptor {
  return changeResponseBody(async (body, wire) => {
    for (const entry of body[list] ?? [body]) await change(entry, wire);
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
  return changeResponseBody((body, wire) => setFields(body, path, value, wire));
}

/** Replaces some responses. */
function replaceResponse(
  which: ResponseSelection,
  give: (
    wire: InterceptedRequest,
    response: InterceptedResponse,
  ) => InterceptedResponse | Promise<InterceptedResponse>,
): Interceptor {
  return async (wire) => {
    const response = await wire.send();
    const isAffected = typeof which === "number" ? response.status === which : which(response, wire);
    return isAffected ? give(wire, response) : response;
  };
}

/** Does additional work after some responses without changing them. */
function runAfterResponse(
  which: ResponseSelection,
  effect: (wire: InterceptedRequest, response: InterceptedResponse) => Promise<unknown>,
): Interceptor {
  return replaceResponse(which, async (wire, response) => {
    await effect(wire, response);
    return response;
  });
}

/** Answers the requests that match a condition itself. */
function answerRequest(isAffected: RequestCondition, give: InterceptedResponse | Interceptor): Interceptor {
  return async (wire) => {
    if (!(await isAffected(wire))) return wire.send();
    return typeof give === "function" ? give(wire) : give;
  };
}

/** Rejects the requests that match a condition. */
function rejectRequests(isRefused: RequestCondition, status = 400): Interceptor {
  return answerRequest(isRefused, createErrorResponse(status));
}

/** Changes the bodies of requests in place. */
function changeRequestBody(change: (body: AnyJson, wire: InterceptedRequest) => unknown): Interceptor {
  return async (wire) => {
    if (typeof wire.body !== "object" || wire.body === null) return wire.send();
    const body = copyJson(wire.body);
    await change(body, wire);
    // An unchanged request keeps its bytes.
    return wire.send(JSON.stringify(body) === JSON.stringify(wire.body) ? {} : { body });
  };
}

/** Sets fields that requests have, given by a path. */
function replaceRequestField(path: string, value: FieldValue): Interceptor {
  return changeRequestBody((body, wire) => setFields(body, path, value, wire));
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
  return changeRequestBody(async (body, wire) => {
    if (await isAffected(wire)) for (const field of fields) Reflect.deleteProperty(body as object, field);
  });
}

/** Adds parameters that a request does not have. */
function addDefaultParameters(parameters: Readonly<Record<string, unknown>>): Interceptor {
  return (wire) => sendWithParameters(wire, { ...parameters, ...(wire.body ?? wire.query) });
}

/**
 * Sends requests for pages with a different limit.
 *
 * @param absent limit of requests that have none; without it, these are sent unchanged
 */
function changeLimit(
  change: (limit: number, wire: InterceptedRequest) => number,
  absent?: number,
): Interceptor {
  return (wire) => {
    const { query, body } = wire;
    const { limit = absent } = body ?? (query.limit === undefined ? {} : { limit: Number(query.limit) });
    return Number.isInteger(limit) && limit > 0
      ? sendWithParameters(wire, { limit: change(limit as number, wire) })
      : wire.send();
  };
}

/** Identifies the resource of a response. Defaults to the path. */
type KeyOf = (wire: InterceptedRequest, holder?: AnyJson) => unknown;

const byPath: KeyOf = ({ path }) => path;

/** Repeats the last success with a key after a resource was deleted, or if another condition holds. */
function repeatLastSuccess(
  keyOf: KeyOf = byPath,
  isAffected: (response: InterceptedResponse, wire: InterceptedRequest) => boolean = ({ status }) =>
    status === 404,
): Interceptor {
  return async (wire) => {
    const response = await wire.send();
    const last = wire.memory.get(keyOf(wire));
    if (response.status === 200) wire.memory.set(keyOf(wire), response);
    return isAffected(response, wire) ? (last ?? response) : response;
  };
}

/** Answers all requests with the same key like the first success; requests without a key are sent. */
function cacheSuccess(keyOf: KeyOf): Interceptor {
  return async (wire) => {
    const key = keyOf(wire);
    if (key === undefined) return wire.send();
    const response: InterceptedResponse = wire.memory.get(key) ?? (await wire.send());
    return isRefusal(response) ? response : wire.memory.set(key, response);
  };
}

/** Sends refused requests again with the credential of the last success with the same key. */
function retryWithKnownCredential(
  keyOf: (wire: InterceptedRequest, response: InterceptedResponse) => unknown,
  isAffected: (response: InterceptedResponse, wire: InterceptedRequest) => boolean = isRefusal,
): Interceptor {
  return async (wire) => {
    const response = await wire.send();
    const key = keyOf(wire, response);
    if (!isRefusal(response)) wire.memory.set(key, wire.credential);
    const credential = wire.memory.get(key);
    return credential !== undefined && isAffected(response, wire) ? wire.send({ credential }) : response;
  };
}

/** Always answers with the first value of a field. */
function freezeField(path: string, keyOf: KeyOf = byPath): Interceptor {
  return replaceField(path, (old, wire, holder) => wire.memory.keepFirst(keyOf(wire, holder), old));
}

/** Never answers with a lower number than before. */
function neverLowerField(path: string, keyOf: KeyOf = byPath): Interceptor {
  return replaceField(path, (old, wire, holder) => wire.memory.keepHighest(keyOf(wire, holder), old));
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
function rejectAfterPartialWrite(most: number): Interceptor {
  return runAfterResponse(
    (_, { body }) => body?.items?.length > most,
    (wire) => wire.send({ body: { ...wire.body, items: wire.body.items.slice(0, most) } }),
  );
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
  answerRequest,
  rejectRequests,
  changeRequestBody,
  replaceRequestField,
  rewriteText,
  ignoreFields,
  addDefaultParameters,
  changeLimit,
  repeatLastSuccess,
  cacheSuccess,
  retryWithKnownCredential,
  freezeField,
  neverLowerField,
  accumulateList,
  endList,
  rejectAfterPartialWrite,
};
