import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Exchange } from "./exchange.js";
import { SecretMasker } from "./secrets.js";

const character = fc.nat(0x2fff).map((code) => String.fromCodePoint(code));
const anyText = fc.string({
  unit: fc.oneof(character, fc.constantFrom('"', "\\", "'", "$", "&", "%", " ", "\n")),
});
const secret = fc
  .tuple(anyText, fc.stringMatching(/^[a-z0-9"\\ ]{6,12}$/))
  .map((parts) => parts.join(""))
  // the name that replaces a secret is not a secret
  .filter((text) => !/^\$?[A-Z_]+$/.test(text));

describe("secrets", () => {
  it("never occur in redacted text, in any spelling", () => {
    fc.assert(
      fc.property(fc.array(secret, { minLength: 1, maxLength: 4 }), anyText, (all, around) => {
        const secrets = new SecretMasker();
        for (const [index, text] of all.entries()) secrets.add("password", `secret ${index}`, text);
        for (const text of all) {
          const body = JSON.stringify({ text: around + text + around });
          const shown = [
            secrets.hide(around + text + around),
            secrets.hide(body),
            secrets.hide(JSON.stringify({ body })),
            secrets.hide(`/x?y=${encodeURIComponent(text)}`),
          ].join("\n");
          expect(shown).not.toContain(text);
          expect(shown).not.toContain(JSON.stringify(text).slice(1, -1));
          expect(shown).toContain("$SECRET_");
        }
      }),
    );
  });

  it("include unregistered tokens and passwords", () => {
    const secrets = new SecretMasker();
    const part = fc.stringMatching(/^[A-Za-z0-9_-]{6,40}$/);
    fc.assert(
      fc.property(part, part, fc.option(part, { nil: "" }), (header, payload, signature) => {
        expect(secrets.hide(`a eyJ${header}.${payload}.${signature} b`)).toBe("a $TOKEN b");
      }),
    );
    expect(secrets.hide('{"password" : "a\\"b","refreshToken":"r","other":"o"}')).toBe(
      '{"password" : "$PASSWORD","refreshToken":"$REFRESH_TOKEN","other":"o"}',
    );
    expect([...secrets.names.keys()]).toEqual(["TOKEN", "PASSWORD", "REFRESH_TOKEN"]);
  });

  it("include variations of known credentials", () => {
    const secrets = new SecretMasker();
    secrets.add("API key", "*", "dsk_live_12345");
    const exchange = (credential: string, caller: string): Exchange => ({
      number: 1,
      operationId: "getHealth",
      intent: "valid",
      caller,
      setUp: false,
      request: {
        method: "GET",
        url: "http://x",
        headers: { Authorization: `Bearer ${credential}` },
        body: undefined,
      },
      answer: { status: 200, headers: { "set-cookie": "id=12" }, body: "" },
      startedAt: 0,
      durationMs: 1,
    });
    const hidden = secrets.hideExchange(exchange("dsk_live_12346", "tampered key"));
    expect(hidden.request.headers).toEqual({ Authorization: "Bearer $TAMPERED_KEY_CREDENTIAL" });
    expect(hidden.answer?.headers).toEqual({ "set-cookie": "$TAMPERED_KEY_CREDENTIAL" });
    expect(secrets.hideExchange(exchange("dsk_live_12345", "key *")).request.headers).toEqual({
      Authorization: "Bearer $KEY_ALL",
    });
  });

  it("have names that are valid in a shell", () => {
    const secrets = new SecretMasker();
    secrets.add("access token", "1st owner's", "1st-token-value-is-long");
    expect(secrets.hide("x 1st-token-value-is-long y")).toBe("x $_1ST_OWNER_S_TOKEN y");
    expect([...secrets.names.keys()].every((name) => /^[A-Z_][A-Z0-9_]*$/.test(name))).toBe(true);
  });

  it("have the names of the user's variables", () => {
    const secrets = new SecretMasker();
    secrets.add("API key", "*", "dsk_live_12345", "TOKEN");
    secrets.add("password", "owner", "a long password", "TOKEN_");
    secrets.add("password", "admin", "a script assigns BASE", "BASE");
    expect(secrets.hide("dsk_live_12345, a long password, a script assigns BASE, eyJabcdef.abc.abc")).toBe(
      "$TOKEN, $TOKEN_, $ADMIN_PASSWORD, $TOKEN__",
    );
    expect(Object.fromEntries(secrets.names)).toEqual({
      TOKEN: { kind: "variable", of: "TOKEN" },
      TOKEN_: { kind: "variable", of: "TOKEN_" },
      ADMIN_PASSWORD: { kind: "password", of: "admin" },
      TOKEN__: { kind: "value", of: "token" },
    });
  });
});
