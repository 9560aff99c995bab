import { createPrivateKey, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { request } from "node:https";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { createEmulator } from "../api/emulator.js";
import { createSelfSignedCertificate } from "./self-signed-certificate.js";

describe("a self-signed certificate", () => {
  it("is accepted by a verifier: self-signed, for the names and addresses, from now on", () => {
    const now = new Date("2049-12-30T10:00:00Z");
    const { cert, key } = createSelfSignedCertificate(["emulator.test", "10.1.2.3", "fe80::1:2"], now);
    const certificate = new X509Certificate(cert);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(certificate.checkIssued(certificate)).toBe(true);
    for (const name of ["localhost", "emulator.test"]) expect(certificate.checkHost(name)).toBe(name);
    for (const address of ["127.0.0.1", "10.1.2.3", "::1", "fe80::1:2"])
      expect(certificate.checkIP(address)).toBe(address);
    expect(certificate.checkHost("elsewhere.test")).toBeUndefined();
    expect(new Date(certificate.validFrom)).toEqual(now);
    // X.509 uses a different time format from 2050 on
    expect(new Date(certificate.validTo).getUTCFullYear()).toBe(2052);
  });

  it("serves a listening emulator, whose links say https", async () => {
    const emulator = await createEmulator();
    const url = await emulator.listen({ https: true });
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const get = (rejectUnauthorized: boolean) =>
      new Promise<string>((resolve, reject) => {
        const asking = request(`${url}/openapi.json`, { rejectUnauthorized, agent: false }, (answer) => {
          let text = "";
          answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
          answer.on("end", () => resolve(text));
        });
        asking.on("error", reject).end();
      });
    expect(JSON.parse(await get(false))).toMatchObject({ servers: [{ url }] });
    await expect(get(true)).rejects.toThrow(/self-signed/);
    await emulator.close();
  });

  it("does not keep an emulator from closing when a connection has no handshake", async () => {
    const emulator = await createEmulator();
    const { hostname, port } = new URL(await emulator.listen({ https: true }));
    const silent = connect(Number(port), hostname);
    const closed = once(silent, "close");
    await once(silent, "connect");
    await emulator.close();
    await closed;
  });
});
