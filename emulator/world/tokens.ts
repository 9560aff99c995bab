import { createSecretKey, type KeyObject } from "node:crypto";
import type jsonwebtoken from "jsonwebtoken";
import { limits } from "../../openapi/clauses/limits.js";
import { maxClockTime } from "../time/timestamp.js";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";

/** The contents of an access token. */
export interface AccessClaims {
  readonly userId: string;
  readonly organizationId: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const issuer = "data-service-emulator";
const maxExpiry = maxClockTime + limits.accessTokenSeconds * 1000;
const maxCachedTokens = 1000;

/** Loads the library with the first token, because it takes as long to load as the rest of the emulator's code. */
function loadJsonWebToken(): typeof jsonwebtoken {
  return lazyRequire("jsonwebtoken") as typeof jsonwebtoken;
}

/**
 * Signs and reads access tokens (JWT, HS256). The secret is derived from the seed, so that a seed always issues the same
 * tokens. It is not secure, and does not need to be.
 */
export class TokenIssuer {
  readonly #secret: KeyObject;
  readonly #verified = new Map<string, AccessClaims>();

  constructor(seed: number) {
    // Given a string, the library would try to read a public key each time, which takes almost a millisecond.
    this.#secret = createSecretKey(`not-a-secret-${issuer}-${seed}`, "utf8");
  }

  /**
   * @param id distinguishes tokens of the same second
   * @param issuedAt milliseconds since 1970
   */
  issue(id: string, userId: string, organizationId: string, issuedAt: number): string {
    const iat = Math.floor(issuedAt / 1000);
    return loadJsonWebToken().sign(
      { iss: issuer, sub: userId, org: organizationId, jti: id, iat, exp: iat + limits.accessTokenSeconds },
      this.#secret,
      { algorithm: "HS256" },
    );
  }

  /** Returns the contents of a token; undefined if it is malformed, manipulated or expired. */
  read(token: string, now: number): AccessClaims | undefined {
    const claims = this.#getClaims(token);
    return claims !== undefined && now < claims.expiresAt ? claims : undefined;
  }

  /** Returns the expiry time of a token; undefined if it was not issued here. */
  getExpiry(token: string): number | undefined {
    return this.#getClaims(token)?.expiresAt;
  }

  #getClaims(token: string): AccessClaims | undefined {
    const cached = this.#verified.get(token);
    if (cached !== undefined) return cached;
    const claims = this.#verify(token);
    if (claims === undefined) return undefined;
    if (this.#verified.size >= maxCachedTokens) this.#verified.clear();
    this.#verified.set(token, claims);
    return claims;
  }

  #verify(token: string): AccessClaims | undefined {
    try {
      // The emulator's clock determines at each use whether the token has expired.
      const { header, payload } = loadJsonWebToken().verify(token, this.#secret, {
        algorithms: ["HS256"],
        issuer,
        ignoreExpiration: true,
        complete: true,
      });
      // `crit` lists extensions that must be understood (RFC 7515, 4.1.11). The library ignores it.
      if (typeof payload === "string" || header.crit !== undefined) return undefined;
      const { sub, exp, org } = payload as { sub?: unknown; exp?: unknown; org?: unknown };
      // The library checks few claims, and the secret is public.
      if (typeof sub !== "string" || typeof exp !== "number" || typeof org !== "string") return undefined;
      const expiresAt = exp * 1000;
      // Later times may be impossible to format.
      if (!Number.isInteger(expiresAt) || expiresAt < 0 || expiresAt > maxExpiry) return undefined;
      return { userId: sub, organizationId: org, expiresAt };
    } catch {
      // Not always a JsonWebTokenError: the library also lets errors of `JSON.parse` through, and fails if the payload is null.
      return undefined;
    }
  }
}
