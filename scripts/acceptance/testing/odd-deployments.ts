import type { Fetch } from "../../../conformance/client/exchange.js";

/** Wraps `fetch` to simulate a network, a gateway or a deployment with unusual behavior. */
export type FetchWrapper = (fetch: Fetch) => Fetch;

const response = (status: number, body = "", headers: Record<string, string> = {}) =>
  new Response(body === "" && [204, 304].includes(status) ? null : body, { status, headers });

/** Returns the body of a request; empty if the body is not text. */
function getBodyText({ body }: RequestInit): string {
  return typeof body === "string" ? body : "";
}

/**
 * Simulates a gateway that loses requests and responses.
 *
 * @param lost every n-th request does not reach the deployment
 * @param cut the response to every n-th request does not reach the client
 */
export function simulateGateway({
  lost,
  cut,
}: {
  readonly lost: number;
  readonly cut: number;
}): FetchWrapper {
  return (fetch) => {
    let number = 0;
    return async (url, init) => {
      number++;
      if (number % lost === 0)
        return response(number % 2 === 0 ? 408 : 502, "<html>Try again</html>", {
          "Content-Type": "text/html",
        });
      const passed = await fetch(url, init);
      if (number % cut !== 0) return passed;
      await passed.arrayBuffer();
      return response(number % 2 === 0 ? 524 : 504, "<html>Timeout</html>", { "Content-Type": "text/html" });
    };
  };
}

/** Throttles every n-th request, without `Retry-After`. */
export function throttleEveryNthRequest(every: number): FetchWrapper {
  return (fetch) => {
    let number = 0;
    return async (url, init) => (++number % every === 0 ? response(429) : fetch(url, init));
  };
}

/** Limits requests per second. `Retry-After` is a date, rounded down to the second, by a clock that is five minutes fast. */
export function throttleEachSecond(maxRequests: number): FetchWrapper {
  return (fetch) => {
    let second = 0;
    let count = 0;
    return async (url, init) => {
      const now = Math.floor(Date.now() / 1000);
      count = now === second ? count + 1 : 1;
      second = now;
      const date = new Date((now + 300) * 1000).toUTCString();
      return count > maxRequests ? response(429, "", { Date: date, "Retry-After": date }) : fetch(url, init);
    };
  };
}

/** Refuses connections for a while, from the n-th request on. */
export function simulateRestart({
  at,
  forMs,
}: {
  readonly at: number;
  readonly forMs: number;
}): FetchWrapper {
  return (fetch) => {
    let number = 0;
    let goneUntil = 0;
    return async (url, init) => {
      if (++number === at) goneUntil = Date.now() + forMs;
      if (Date.now() < goneUntil) throw new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") });
      return fetch(url, init);
    };
  };
}

/** Never answers the first request that a condition holds for. */
export function loseFirst(isLost: (url: string, init: RequestInit) => boolean): FetchWrapper {
  return (fetch) => {
    let wasLost = false;
    return async (url, init) => {
      if (wasLost || !isLost(url, init)) return fetch(url, init);
      wasLost = true;
      throw new DOMException("The operation was aborted due to timeout", "TimeoutError");
    };
  };
}

/** Rounds timestamps down to seconds, and writes each one in a different format. */
export function varyTimestampFormats(): FetchWrapper {
  const formats = ["Z", ".0Z", "+00:00", ",000+0000", "z"];
  let number = 0;
  return (fetch) => async (url, init) => {
    const passed = await fetch(url, init);
    const { status, headers } = passed;
    const text = await passed.text();
    const changed = text.replace(
      /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z"/g,
      (_, second: string) => `"${second}${formats[number++ % formats.length] ?? ""}"`,
    );
    return new Response(text === "" ? null : changed, { status, headers });
  };
}

/** Changes the order of the entities in each response to a list request. */
export function shuffleEntities(): FetchWrapper {
  let number = 0;
  return (fetch) => async (url, init) => {
    const passed = await fetch(url, init);
    const isList = /\/api\/v1\/repositories\/[^/]+$/.test(new URL(url).pathname) && init.method === "GET";
    if (!isList || passed.status !== 200) return passed;
    const { entities, ...rest } = (await passed.json()) as { readonly entities: readonly unknown[] };
    // the first response has the newest entity first
    const from = number++ % entities.length;
    const rotated = [...entities.slice(from), ...entities.slice(0, from)].toReversed();
    const { status, headers } = passed;
    return new Response(JSON.stringify({ ...rest, entities: rotated }), { status, headers });
  };
}

/** Rejects SQL that the specification does not show: a primary key declared with its column, or an INSERT of several rows. */
export function limitToPlainSql(): FetchWrapper {
  return (fetch) => async (url, init) =>
    typeof init.body === "string" && /INT PRIMARY KEY|VALUES \([^)]*\),/.test(init.body)
      ? response(400, JSON.stringify({ code: "SQL_SYNTAX_ERROR", message: "not shown", details: "" }), {
          "Content-Type": "application/json",
        })
      : fetch(url, init);
}

/** Replaces the status 403 for a single organization, so that it differs from the status of other refusals. */
export function groupRefusalStatuses(status: number): FetchWrapper {
  return (fetch) => async (url, init) => {
    const passed = await fetch(url, init);
    const isOrganization = /\/organizations\/[^/]+$/.test(new URL(url).pathname);
    return passed.status === 403 && isOrganization ? response(status) : passed;
  };
}

/** Returns tokens from logins for the organization that was last switched to, by any user. */
export function logInToLastOrganization(): FetchWrapper {
  let last: string | undefined;
  return (fetch) => async (url, init) => {
    const { pathname } = new URL(url);
    const passed = await fetch(url, init);
    if (pathname.endsWith("/auth/switch-organization") && passed.ok)
      ({ organizationId: last } = JSON.parse(getBodyText(init)) as { readonly organizationId: string });
    if (!pathname.endsWith("/auth/password") || last === undefined) return passed;
    const body = (await passed.clone().json()) as { authResponse?: { readonly accessToken: string } | null };
    const headers = new Headers(init.headers);
    headers.set("Authorization", `Bearer ${body.authResponse?.accessToken ?? ""}`);
    const switched = await fetch(url.replace(/password$/, "switch-organization"), {
      ...init,
      headers,
      body: JSON.stringify({ organizationId: last }),
    });
    if (!switched.ok) return passed;
    const text = JSON.stringify({ ...body, authResponse: await switched.json() });
    return response(200, text, { "Content-Type": "application/json" });
  };
}

/** Revokes each access token after a number of uses. */
export function revokeTokensAfterUses(uses: number): FetchWrapper {
  return (fetch) => {
    const used = new Map<string, number>();
    return async (url, init) => {
      const credential = new Headers(init.headers).get("authorization") ?? "";
      if (credential.split(".").length !== 3) return fetch(url, init);
      const count = (used.get(credential) ?? 0) + 1;
      used.set(credential, count);
      if (count <= uses) return fetch(url, init);
      const headers = new Headers(init.headers);
      headers.set("Authorization", "Bearer revoked");
      return fetch(url, { ...init, headers });
    };
  };
}

/** Revokes the access token of a request to switch organizations. `at` contains the numbers of these requests, from 1. */
export function revokeTokensOnOrganizationSwitch(...at: readonly number[]): FetchWrapper {
  return (fetch) => {
    const revoked = new Set<string>();
    let switches = 0;
    return async (url, init) => {
      const headers = new Headers(init.headers);
      const credential = headers.get("authorization") ?? "";
      if (new URL(url).pathname === "/auth/switch-organization" && at.includes(++switches))
        revoked.add(credential);
      if (revoked.has(credential)) headers.set("Authorization", "Bearer revoked");
      return fetch(url, { ...init, headers });
    };
  };
}

/** Returns 410 instead of 404 for an organization, database or repository that does not exist. */
export function respondGoneAfterDelete(): FetchWrapper {
  return (fetch) => async (url, init) => {
    const passed = await fetch(url, init);
    const isResource = /\/(organizations|databases|repositories)\/[^/]+$/.test(new URL(url).pathname);
    return passed.status === 404 && isResource ? response(410) : passed;
  };
}

/** Returns lists from before a removal until some time after it. */
export function serveStaleLists(lagMs: number): FetchWrapper {
  return (fetch) => {
    const shown = new Map<string, { until: number; text: string; readonly again: () => Promise<Response> }>();
    return async (url, init) => {
      const isList = /\/(members|databases|repositories)$/.test(new URL(url).pathname);
      if (init.method === "DELETE")
        for (const list of shown.values()) {
          // this removal has not happened yet
          const now = await list.again();
          if (now.status === 200) Object.assign(list, { text: await now.text(), until: Date.now() + lagMs });
        }
      if (!isList || (init.method ?? "GET") !== "GET") return fetch(url, init);
      const key = `${url} ${new Headers(init.headers).get("authorization") ?? ""}`;
      const before = shown.get(key);
      if (before !== undefined && before.until > Date.now())
        return response(200, before.text, { "Content-Type": "application/json" });
      // the signal of the first request may abort later ones
      const again = () => fetch(url, { ...init, signal: null });
      const passed = await fetch(url, init);
      if (passed.status !== 200) return passed;
      const text = await passed.text();
      shown.set(key, { until: 0, text, again });
      return response(200, text, { "Content-Type": "application/json" });
    };
  };
}

/** Delays every request. */
export function addLatency(latencyMs: number): FetchWrapper {
  return (fetch) => async (url, init) => {
    await new Promise((resolve) => setTimeout(resolve, latencyMs));
    return fetch(url, init);
  };
}
