import type { Fetch } from "../../../conformance/client/exchange.js";

/** Puts something between a client and a deployment that behaves as networks, gateways and busy services do. */
export type FetchWrapper = (fetch: Fetch) => Fetch;

const response = (status: number, body = "", headers: Record<string, string> = {}) =>
  new Response(body === "" && [204, 304].includes(status) ? null : body, { status, headers });

/** The body of a request, where it is text. */
function textOf({ body }: RequestInit): string {
  return typeof body === "string" ? body : "";
}

/** A gateway that loses one request in so many before it arrives, and one in so many on the way back. */
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

/** Throttling without a word about how long to wait. */
export function throttleEveryNthRequest(every: number): FetchWrapper {
  return (fetch) => {
    let number = 0;
    return async (url, init) => (++number % every === 0 ? response(429) : fetch(url, init));
  };
}

/** Throttling to so many requests a second, by a clock that is fast; the end of the wait is rounded down to the second. */
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

/** A deployment that is gone for a while, from its n-th request on. */
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

/** Timestamps of whole seconds, in a spelling that differs from answer to answer. */
export function varyTimestampFormats(): FetchWrapper {
  const spellings = ["Z", ".0Z", "+00:00", ",000+0000", "z"];
  let number = 0;
  return (fetch) => async (url, init) => {
    const passed = await fetch(url, init);
    const { status, headers } = passed;
    const text = await passed.text();
    const spelled = text.replace(
      /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z"/g,
      (_, second: string) => `"${second}${spellings[number++ % spellings.length] ?? ""}"`,
    );
    return new Response(text === "" ? null : spelled, { status, headers });
  };
}

/** Lists without `sortBy` that come in another order each time. */
export function shuffleEntities(): FetchWrapper {
  let number = 0;
  return (fetch) => async (url, init) => {
    const passed = await fetch(url, init);
    const isList = /\/api\/v1\/repositories\/[^/]+$/.test(new URL(url).pathname) && init.method === "GET";
    if (!isList || passed.status !== 200) return passed;
    const { entities, ...rest } = (await passed.json()) as { readonly entities: readonly unknown[] };
    // newest first to begin with
    const from = number++ % entities.length;
    const turned = [...entities.slice(from), ...entities.slice(0, from)].toReversed();
    const { status, headers } = passed;
    return new Response(JSON.stringify({ ...rest, entities: turned }), { status, headers });
  };
}

/** SQL as the specification shows it and no more: no key beside a column, one row an INSERT. */
export function limitToPlainSql(): FetchWrapper {
  return (fetch) => async (url, init) =>
    typeof init.body === "string" && /INT PRIMARY KEY|VALUES \([^)]*\),/.test(init.body)
      ? response(400, JSON.stringify({ code: "SQL_SYNTAX_ERROR", message: "not shown", details: "" }), {
          "Content-Type": "application/json",
        })
      : fetch(url, init);
}

/** Another status for roles that may not change an organization than for other refusals. */
export function groupRefusalStatuses(status: number): FetchWrapper {
  return (fetch) => async (url, init) => {
    const passed = await fetch(url, init);
    const isOrganization = /\/organizations\/[^/]+$/.test(new URL(url).pathname);
    return passed.status === 403 && isOrganization ? response(status) : passed;
  };
}

/** Logins are for the organization to which any user last switched. */
export function logInToLastOrganization(): FetchWrapper {
  let last: string | undefined;
  return (fetch) => async (url, init) => {
    const { pathname } = new URL(url);
    const passed = await fetch(url, init);
    if (pathname.endsWith("/auth/switch-organization") && passed.ok)
      ({ organizationId: last } = JSON.parse(textOf(init)) as { readonly organizationId: string });
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

/** Access tokens that are revoked after so many uses. */
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

/** Access tokens that are revoked before their user has switched to another organization, at some switches of a run. */
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

/** DELETE that says 410 of what it has removed, and 404 where it removes nothing although something is there. */
export function respondGoneAfterDelete(): FetchWrapper {
  return (fetch) => async (url, init) => {
    const passed = await fetch(url, init);
    const isResource = /\/(organizations|databases|repositories)\/[^/]+$/.test(new URL(url).pathname);
    return passed.status === 404 && isResource ? response(410) : passed;
  };
}

/** Lists that show for a while what was removed. */
export function serveStaleLists(lagMs: number): FetchWrapper {
  return (fetch) => {
    const shown = new Map<string, { until: number; text: string; readonly again: () => Promise<Response> }>();
    return async (url, init) => {
      const isList = /\/(members|databases|repositories)$/.test(new URL(url).pathname);
      if (init.method === "DELETE")
        for (const list of shown.values()) {
          // as it is before this removal: nothing older than the lag is missing in it
          const now = await list.again();
          if (now.status === 200) Object.assign(list, { text: await now.text(), until: Date.now() + lagMs });
        }
      if (!isList || (init.method ?? "GET") !== "GET") return fetch(url, init);
      const key = `${url} ${new Headers(init.headers).get("authorization") ?? ""}`;
      const before = shown.get(key);
      if (before !== undefined && before.until > Date.now())
        return response(200, before.text, { "Content-Type": "application/json" });
      // the signal of a request ends with it
      const again = () => fetch(url, { ...init, signal: null });
      const passed = await fetch(url, init);
      if (passed.status !== 200) return passed;
      const text = await passed.text();
      shown.set(key, { until: 0, text, again });
      return response(200, text, { "Content-Type": "application/json" });
    };
  };
}

/** Answers that take so long to arrive. */
export function addLatency(latencyMs: number): FetchWrapper {
  return (fetch) => async (url, init) => {
    await new Promise((resolve) => setTimeout(resolve, latencyMs));
    return fetch(url, init);
  };
}
