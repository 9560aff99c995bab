import { operationIds } from "../../openapi/operations/register.js";
import { changed, copyOf, type WireAnswer, withBody } from "./intercept.js";
import { algorithmOf, claimsOf } from "../client/claims.js";
import { mutant } from "./mutant.js";
import { disguisingTokens, withClaims } from "./rewrite-answers.js";
import { refusal } from "./refusal.js";

const hour = 3_600_000;

/** Milliseconds since 1970 by the deployment's own clock. */
const nowOf = ({ headers }: WireAnswer) => Date.parse(headers.date ?? "");

export const sessionMutants = [
  mutant(
    "session/password-in-any-case",
    "AUTH-02",
    "Passwords are compared without regard to case",
    ["login"],
    () => {
      let right: { readonly email: unknown; readonly password: unknown } | undefined;
      return async (wire) => {
        const answer = await wire.send();
        if (answer.body?.status === "Success")
          right = { email: wire.body.email, password: wire.body.password };
        const { email, password } = wire.body ?? {};
        const isSame =
          right?.email === email && String(right?.password).toLowerCase() === String(password).toLowerCase();
        return answer.body?.status === "InvalidCredentials" && isSame ? wire.send({ body: right }) : answer;
      };
    },
  ),
  mutant("session/any-longer-password", "AUTH-02", "A password may have anything after it", ["login"], () => {
    let right: { readonly email: unknown; readonly password: string } | undefined;
    return async (wire) => {
      const answer = await wire.send();
      if (answer.body?.status === "Success") right = { email: wire.body.email, password: wire.body.password };
      const isLonger =
        right?.email === wire.body?.email && String(wire.body?.password).startsWith(right?.password ?? "\0");
      return answer.body?.status === "InvalidCredentials" && isLonger ? wire.send({ body: right }) : answer;
    };
  }),
  mutant(
    "session/unverified-gets-in",
    "AUTH-03",
    "Email addresses need no verification",
    ["login"],
    () => async (wire) => {
      const answer = await wire.send();
      return answer.body?.status === "EmailVerificationRequired"
        ? withBody(answer, { status: "InvalidCredentials", authResponse: null })
        : answer;
    },
  ),
  mutant(
    "session/mfa-as-verification",
    "AUTH-04",
    "A missing MFA challenge is told as a missing verification",
    ["login"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (body.status === "MfaRequired") body.status = "EmailVerificationRequired";
      }),
  ),
  mutant(
    "session/status-in-lower-case",
    "AUTH-05",
    "The status of a login is spelled success",
    ["login"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (body.status === "Success") body.status = "success";
      }),
  ),
  mutant(
    "session/no-avatar",
    "AUTH-06",
    "The auth response lacks avatarUrl",
    ["login"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        delete body.authResponse?.avatarUrl;
      }),
  ),
  mutant(
    "session/opaque-token",
    "AUTH-28",
    "Access tokens are random texts",
    operationIds,
    disguisingTokens((token) => `tok_${Buffer.from(token.slice(-24)).toString("hex")}`),
  ),
  mutant(
    "session/token-for-a-day",
    "AUTH-08",
    "Access tokens say that they are good for 24 hours",
    operationIds,
    disguisingTokens(withClaims(({ exp, ...rest }) => ({ ...rest, exp: Number(exp) + 23 * 3600 }))),
  ),
  mutant(
    "session/refresh-keeps-access-token",
    "AUTH-09",
    "A refresh answers the access token that was there before",
    ["login", "refreshSession"],
    () => {
      const sessions = new Map<string, string>();
      return async (wire) =>
        changed(await wire.send(), (body) => {
          const session = body.authResponse ?? body;
          session.accessToken = sessions.get(wire.body?.refreshToken as string) ?? session.accessToken;
          sessions.set(session.refreshToken as string, session.accessToken as string);
        });
    },
  ),
  mutant(
    "session/personal-is-chosen",
    "AUTH-27",
    "personalOrgId is the organization that was switched to",
    ["switchOrganization"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.personalOrgId = wire.body.organizationId;
      }),
    ["organizations"],
  ),
  mutant(
    "session/expires-in-ms",
    "AUTH-07",
    "expiresIn of a refresh is in milliseconds",
    ["refreshSession"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.expiresIn = hour;
      }),
  ),
  mutant(
    "session/expires-in-login",
    "AUTH-07",
    "expiresIn of a login is 3599",
    ["login"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (body.authResponse) body.authResponse.expiresIn -= 1;
      }),
  ),
  mutant(
    "session/permissions-as-text",
    "AUTH-25",
    "The session carries one text in place of permissions",
    ["login"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (body.authResponse) body.authResponse.permissions = "database:read";
      }),
  ),
  mutant(
    "session/refresh-keeps-token",
    "AUTH-11",
    "A refresh answers the refresh token that it was sent",
    ["refreshSession"],
    () => {
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
    },
  ),
  mutant(
    "session/refresh-without-access",
    "AUTH-09",
    "The access token of a refresh is the refresh token",
    ["refreshSession"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.accessToken = body.refreshToken;
      }),
  ),
  mutant(
    "session/second-refresh-fails",
    "AUTH-11",
    "Only the refresh token of a login can be used",
    ["refreshSession"],
    () => {
      const made = new Set<string>();
      return async (wire) => {
        if (made.has(String(wire.body?.refreshToken))) return refusal(401);
        const answer = await wire.send();
        if (answer.status === 200) made.add(answer.body.refreshToken as string);
        return answer;
      };
    },
  ),
  mutant(
    "session/switch-nested",
    "AUTH-12",
    "Switching answers an authResponse in place of its fields",
    ["switchOrganization"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        const session = copyOf(body);
        Object.assign(body, { accessToken: undefined, authResponse: session });
      }),
  ),
  mutant(
    "session/switch-does-nothing",
    "AUTH-13",
    "Switching answers tokens for the old organization",
    ["switchOrganization"],
    () => {
      let switches = 0;
      return async (wire) => {
        const answer = await wire.send();
        // the first ones put the users of the run in their places
        if (answer.status !== 200 || switches++ < 1) return answer;
        return changed(answer, (body) => {
          body.accessToken = wire.credential;
        });
      };
    },
  ),
  mutant(
    "session/switch-by-key",
    "AUTH-14",
    "Any credential may switch",
    ["switchOrganization"],
    () => {
      let last: WireAnswer | undefined;
      return async (wire) => {
        const answer = await wire.send();
        if (answer.status === 200) last = answer;
        return answer.status >= 400 && wire.credential?.split(".").length !== 3 && last !== undefined
          ? last
          : answer;
      };
    },
    ["access"],
  ),
  mutant(
    "session/personal-elsewhere",
    "AUTH-27",
    "personalOrgId names nothing of the user's",
    ["login"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (body.authResponse)
          body.authResponse.personalOrgId = `${String(body.authResponse.personalOrgId)}x`;
      }),
  ),
  mutant(
    "session/no-signature-needed",
    "AUTH-17",
    "Tokens of the algorithm none are taken",
    ["listDatabases", "listOrganizations"],
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
    ["access"],
  ),
  mutant(
    "session/signature-unread",
    "AUTH-17",
    "Signatures of tokens are not looked at",
    ["listDatabases", "listOrganizations"],
    () => {
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
    },
  ),
  mutant(
    "session/anonymous-lists",
    "AUTH-16",
    "Lists of databases need no credential",
    ["listDatabases"],
    () => async (wire) =>
      wire.credential === undefined && wire.headers.authorization === undefined
        ? { status: 200, headers: {}, body: { databases: [], nextCursor: null } }
        : wire.send(),
  ),
  mutant("session/text-as-json", "GEN-06", "A login takes forms as well", ["login"], () => async (wire) => {
    const answer = await wire.send();
    return typeof wire.body === "string" && answer.status >= 400
      ? { status: 200, headers: {}, body: { status: "InvalidCredentials", authResponse: null } }
      : answer;
  }),
  mutant("session/login-in-text", "GEN-06", "A login answers text/plain", ["login"], () => async (wire) => {
    const answer = await wire.send();
    return { ...answer, headers: { ...answer.headers, "content-type": "text/plain" } };
  }),
  mutant(
    "time/access-for-ever",
    "AUTH-08",
    "Access tokens are taken after their hour",
    ["listOrganizations"],
    () => {
      let last: WireAnswer | undefined;
      return async (wire) => {
        const answer = await wire.send();
        if (answer.status === 200) last = answer;
        const { exp } = claimsOf(wire.credential);
        const isOld = Number(exp) * 1000 <= nowOf(answer);
        return answer.status >= 400 && isOld && last !== undefined ? last : answer;
      };
    },
  ),
  mutant(
    "time/access-half-an-hour",
    "AUTH-08",
    "Access tokens end after half an hour",
    ["listOrganizations"],
    () => async (wire) => {
      const answer = await wire.send();
      const { exp } = claimsOf(wire.credential);
      return Number(exp) * 1000 - nowOf(answer) < hour / 2 ? refusal(401) : answer;
    },
  ),
  mutant(
    "time/refresh-six-days",
    "AUTH-10",
    "Refresh tokens end after six days",
    ["login", "refreshSession"],
    () => {
      let begin: number | undefined;
      return async (wire) => {
        const answer = await wire.send();
        const now = nowOf(answer);
        begin ??= now;
        if (wire.operationId === "login" || answer.status !== 200 || now - begin < 6 * 24 * hour)
          return answer;
        return { ...refusal(401), headers: answer.headers };
      };
    },
  ),
  mutant("time/refresh-for-ever", "AUTH-10", "Refresh tokens never end", ["refreshSession"], () => {
    let last: WireAnswer | undefined;
    return async (wire) => {
      const answer = await wire.send();
      if (answer.status === 200) last = answer;
      return answer.status >= 400 && last !== undefined ? last : answer;
    };
  }),
  mutant(
    "time/keys-for-ever",
    "AUTH-24",
    "API keys are taken after their expiration date",
    ["queryItems"],
    () => {
      let last: WireAnswer | undefined;
      return async (wire) => {
        const answer = await wire.send();
        if (answer.status === 200) last = answer;
        return answer.status === 401 && last !== undefined ? last : answer;
      };
    },
  ),
];
