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
 * Signs and reads access tokens (JWT, HS256). The secret follows from the seed, so that the
 * same seed issues the same tokens. It is not secure, and does not need to be.
 */
export class TokenIssuer {
  readonly #secret: KeyObject;
  readonly #read = new Map<string, AccessClaims>();

  constructor(seed: number) {
    // of a text, the library would try to read a public key each time, for most of a millisecond
    this.#secret = createSecretKey(`not-a-secret-${issuer}-${seed}`, "utf8");
  }

  /**
   * @param id makes tokens of the same second differ
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
    const claims = this.#claimsOf(token);
    return claims !== undefined && now < claims.expiresAt ? claims : undefined;
  }

  /** Returns the expiry time of a token; undefined if it was not issued here. */
  getExpiry(token: string): number | undefined {
    return this.#claimsOf(token)?.expiresAt;
  }

  #claimsOf(token: string): AccessClaims | undefined {
    let claims = this.#read.get(token);
    if (claims === undefined) {
      claims = this.#verify(token);
      if (claims === undefined) return undefined;
      if (this.#read.size >= maxCachedTokens) this.#read.clear();
      this.#read.set(token, claims);
    }
    return claims;
  }

  #verify(token: string): AccessClaims | undefined {
    try {
      // expiry is judged by the emulator's clock, at every use
      const { header, payload } = loadJsonWebToken().verify(token, this.#secret, {
        algorithms: ["HS256"],
        issuer,
        ignoreExpiration: true,
        complete: true,
      });
      // RFC 7515, 4.1.11: an extension that the reader has to understand, and the library knows none
      if (typeof payload === "string" || header.crit !== undefined) return undefined;
      const { sub, exp, org } = payload as { sub?: unknown; exp?: unknown; org?: unknown };
      // the library looks at the forms of few claims, and anybody can sign what they like
      if (typeof sub !== "string" || typeof exp !== "number" || typeof org !== "string") return undefined;
      const expiresAt = exp * 1000;
      // a time that no clock of the emulator leads to may be one that cannot be written
      if (!Number.isInteger(expiresAt) || expiresAt < 0 || expiresAt > maxExpiry) return undefined;
      return { userId: sub, organizationId: org, expiresAt };
    } catch {
      // not only a JsonWebTokenError: the library lets an error of JSON.parse through, and fails over a payload of null
      return undefined;
    }
  }
}
