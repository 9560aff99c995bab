import { operationIds } from "../../openapi/operations/register.js";
import { algorithmOf, claimsOf } from "../client/claims.js";
import { disguisingTokens, withClaims } from "./rewrite-answers.js";
import { type WireAnswer, copyOf, withBody, changed } from "./intercept.js";
import { mutant } from "./mutant.js";
import { refusal } from "./tampers.js";

const hour = 3_600_000;

/** Milliseconds since 1970 by the deployment's own clock. */
const nowOf = ({ headers }: WireAnswer) => Date.parse(headers.date ?? "");

export const sessionMutants = [
  mutant("session/password-in-any-case", "AUTH-02", ["login"]).by(() => {
    let right: { readonly email: unknown; readonly password: unknown } | undefined;
    return async (wire) => {
      const answer = await wire.send();
      if (answer.body?.status === "Success") right = { email: wire.body.email, password: wire.body.password };
      const { email, password } = wire.body ?? {};
      const isSame =
        right?.email === email && String(right?.password).toLowerCase() === String(password).toLowerCase();
      return answer.body?.status === "InvalidCredentials" && isSame ? wire.send({ body: right }) : answer;
    };
  }),
  mutant("session/any-longer-password", "AUTH-02", ["login"]).by(() => {
    let right: { readonly email: unknown; readonly password: string } | undefined;
    return async (wire) => {
      const answer = await wire.send();
      if (answer.body?.status === "Success") right = { email: wire.body.email, password: wire.body.password };
      const isLonger =
        right?.email === wire.body?.email && String(wire.body?.password).startsWith(right?.password ?? "\0");
      return answer.body?.status === "InvalidCredentials" && isLonger ? wire.send({ body: right }) : answer;
    };
  }),
  mutant("session/unverified-gets-in", "AUTH-03", ["login"]).by(() => async (wire) => {
    const answer = await wire.send();
    return answer.body?.status === "EmailVerificationRequired"
      ? withBody(answer, { status: "InvalidCredentials", authResponse: null })
      : answer;
  }),
  mutant("session/mfa-as-verification", "AUTH-04", ["login"]).answering((body) => {
    if (body.status === "MfaRequired") body.status = "EmailVerificationRequired";
  }),
  mutant("session/status-in-lower-case", "AUTH-05", ["login"]).answering((body) => {
    if (body.status === "Success") body.status = "success";
  }),
  mutant("session/no-avatar", "AUTH-06", ["login"]).dropping("authResponse.avatarUrl"),
  mutant("session/opaque-token", "AUTH-28", operationIds).by(
    disguisingTokens((token) => `tok_${Buffer.from(token.slice(-24)).toString("hex")}`),
  ),
  mutant("session/token-for-a-day", "AUTH-08", operationIds).by(
    disguisingTokens(withClaims(({ exp, ...rest }) => ({ ...rest, exp: Number(exp) + 23 * 3600 }))),
  ),
  mutant("session/refresh-keeps-access-token", "AUTH-09", ["login", "refreshSession"]).by(() => {
    const sessions = new Map<string, string>();
    return async (wire) =>
      changed(await wire.send(), (body) => {
        const session = body.authResponse ?? body;
        session.accessToken = sessions.get(wire.body?.refreshToken as string) ?? session.accessToken;
        sessions.set(session.refreshToken as string, session.accessToken as string);
      });
  }),
  mutant("session/personal-is-chosen", "AUTH-27", ["switchOrganization"], ["organizations"]).answering(
    (body, wire) => (body.personalOrgId = wire.body.organizationId),
  ),
  mutant("session/expires-in-ms", "AUTH-07", ["refreshSession"]).answering((body) => (body.expiresIn = hour)),
  mutant("session/expires-in-login", "AUTH-07", ["login"]).answering((body) => {
    if (body.authResponse) body.authResponse.expiresIn -= 1;
  }),
  mutant("session/permissions-as-text", "AUTH-25", ["login"]).answering((body) => {
    if (body.authResponse) body.authResponse.permissions = "database:read";
  }),
  mutant("session/refresh-keeps-token", "AUTH-11", ["refreshSession"]).by(() => {
    // works, too: the deployment behind has moved on, so the newest is used in its place
    const newest = new Map<string, string>();
    return async (wire) => {
      const given = String(wire.body?.refreshToken);
      const answer = await wire.send({ body: { refreshToken: newest.get(given) ?? given } });
      if (answer.status !== 200) return answer;
      newest.set(given, answer.body.refreshToken as string);
      return changed(answer, (body) => {
        body.refreshToken = given;
      });
    };
  }),
  mutant("session/refresh-without-access", "AUTH-09", ["refreshSession"]).answering(
    (body) => (body.accessToken = body.refreshToken),
  ),
  mutant("session/second-refresh-fails", "AUTH-11", ["refreshSession"]).by(() => {
    const made = new Set<string>();
    return async (wire) => {
      if (made.has(String(wire.body?.refreshToken))) return refusal(401);
      const answer = await wire.send();
      if (answer.status === 200) made.add(answer.body.refreshToken as string);
      return answer;
    };
  }),
  mutant("session/switch-nested", "AUTH-12", ["switchOrganization"]).answering((body) => {
    const session = copyOf(body);
    Object.assign(body, { accessToken: undefined, authResponse: session });
  }),
  mutant("session/switch-does-nothing", "AUTH-13", ["switchOrganization"]).by(() => {
    let switches = 0;
    return async (wire) => {
      const answer = await wire.send();
      // the first ones put the users of the run in their places
      if (answer.status !== 200 || switches++ < 1) return answer;
      return changed(answer, (body) => {
        body.accessToken = wire.credential;
      });
    };
  }),
  mutant("session/switch-by-key", "AUTH-14", ["switchOrganization"], ["access"]).by(() => {
    let last: WireAnswer | undefined;
    return async (wire) => {
      const answer = await wire.send();
      if (answer.status === 200) last = answer;
      return answer.status >= 400 && wire.credential?.split(".").length !== 3 && last !== undefined
        ? last
        : answer;
    };
  }),
  mutant("session/personal-elsewhere", "AUTH-27", ["login"]).answering((body) => {
    if (body.authResponse) body.authResponse.personalOrgId = `${String(body.authResponse.personalOrgId)}x`;
  }),
  mutant("session/no-signature-needed", "AUTH-17", ["listDatabases", "listOrganizations"], ["access"]).by(
    () => {
      const valid = new Map<string, string>();
      return async (wire) => {
        const payload = wire.credential?.split(".")[1] ?? "";
        const answer = await wire.send();
        if (answer.status === 200 && wire.credential !== undefined) valid.set(payload, wire.credential);
        const known = valid.get(payload);
        return answer.status >= 400 && known !== undefined && algorithmOf(wire.credential) === "none"
          ? wire.send({ credential: known })
          : answer;
      };
    },
  ),
  mutant("session/signature-unread", "AUTH-17", ["listDatabases", "listOrganizations"]).by(() => {
    const valid = new Map<string, string>();
    return async (wire) => {
      const payload = wire.credential?.split(".")[1] ?? "";
      const answer = await wire.send();
      if (answer.status === 200 && wire.credential !== undefined) valid.set(payload, wire.credential);
      const known = valid.get(payload);
      return answer.status >= 400 && known !== undefined && payload.length > 20
        ? wire.send({ credential: known })
        : answer;
    };
  }),
  mutant("session/anonymous-lists", "AUTH-16", ["listDatabases"]).by(
    () => async (wire) =>
      wire.credential === undefined && wire.headers.authorization === undefined
        ? { status: 200, headers: {}, body: { databases: [], nextCursor: null } }
        : wire.send(),
  ),
  mutant("session/text-as-json", "GEN-06", ["login"]).by(() => async (wire) => {
    const answer = await wire.send();
    return typeof wire.body === "string" && answer.status >= 400
      ? { status: 200, headers: {}, body: { status: "InvalidCredentials", authResponse: null } }
      : answer;
  }),
  mutant("session/login-in-text", "GEN-06", ["login"]).by(() => async (wire) => {
    const answer = await wire.send();
    return { ...answer, headers: { ...answer.headers, "content-type": "text/plain" } };
  }),
  mutant("time/access-for-ever", "AUTH-08", ["listOrganizations"]).by(() => {
    let last: WireAnswer | undefined;
    return async (wire) => {
      const answer = await wire.send();
      if (answer.status === 200) last = answer;
      const { exp } = claimsOf(wire.credential);
      const isOld = Number(exp) * 1000 <= nowOf(answer);
      return answer.status >= 400 && isOld && last !== undefined ? last : answer;
    };
  }),
  mutant("time/access-half-an-hour", "AUTH-08", ["listOrganizations"]).by(() => async (wire) => {
    const answer = await wire.send();
    const { exp } = claimsOf(wire.credential);
    return Number(exp) * 1000 - nowOf(answer) < hour / 2 ? refusal(401) : answer;
  }),
  mutant("time/refresh-six-days", "AUTH-10", ["login", "refreshSession"]).by(() => {
    let begin: number | undefined;
    return async (wire) => {
      const answer = await wire.send();
      const now = nowOf(answer);
      begin ??= now;
      if (wire.operationId === "login" || answer.status !== 200 || now - begin < 6 * 24 * hour) return answer;
      return { ...refusal(401), headers: answer.headers };
    };
  }),
  mutant("time/refresh-for-ever", "AUTH-10", ["refreshSession"]).by(() => {
    let last: WireAnswer | undefined;
    return async (wire) => {
      const answer = await wire.send();
      if (answer.status === 200) last = answer;
      return answer.status >= 400 && last !== undefined ? last : answer;
    };
  }),
  mutant("time/keys-for-ever", "AUTH-24", ["queryItems"]).by(() => {
    let last: WireAnswer | undefined;
    return async (wire) => {
      const answer = await wire.send();
      if (answer.status === 200) last = answer;
      return answer.status === 401 && last !== undefined ? last : answer;
    };
  }),
];
