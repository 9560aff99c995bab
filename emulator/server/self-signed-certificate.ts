import { generateKeyPairSync, randomBytes, sign, X509Certificate } from "node:crypto";
import { isIP } from "node:net";

/** A certificate and its key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const validDays = 825;

/**
 * Creates a self-signed certificate for the local machine and the given names and addresses. Node creates the key and the
 * signature; this function encodes the certificate (RFC 5280, DER).
 */
export function createSelfSignedCertificate(names: readonly string[], now = new Date()): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(objectId(ecdsaWithSha256));
  const attribute = sequence(objectId(commonName), encodeDer(0x0c, Buffer.from("data-service-emulator")));
  const name = sequence(encodeDer(0x31, attribute));
  const end = new Date(now.getTime() + validDays * 86_400_000);
  const all = [...new Set(["localhost", "127.0.0.1", "::1", ...names])];
  const body = sequence(
    encodeDer(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    name,
    sequence(time(now), time(end)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    encodeDer(
      0xa3,
      sequence(
        extension(basicConstraints, sequence(encodeDer(0x01, Buffer.from([0xff]))), true),
        extension(subjectAltName, sequence(...all.map(alternativeName))),
      ),
    ),
  );
  const signature = sign("sha256", body, privateKey);
  const whole = sequence(body, algorithm, encodeDer(0x03, Buffer.from([0]), signature));
  return {
    cert: new X509Certificate(whole).toString(),
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
}

// Object identifiers in DER: 1.2.840.10045.4.3.2, 2.5.4.3, 2.5.29.19 and 2.5.29.17.
const ecdsaWithSha256 = "2a8648ce3d040302";
const commonName = "550403";
const basicConstraints = "551d13";
const subjectAltName = "551d11";

function encodeDer(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const digits = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, "0"), "hex");
  return Buffer.concat([Buffer.from([tag, 0x80 | digits.length]), digits, content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return encodeDer(0x30, ...parts);
}

/** @param bytes a positive number; its first bit must be 0 */
function integer(bytes: Buffer): Buffer {
  return encodeDer(0x02, bytes);
}

function objectId(hex: string): Buffer {
  return encodeDer(0x06, Buffer.from(hex, "hex"));
}

/** Encodes a time in UTC, in seconds. */
function time(date: Date): Buffer {
  const digits = date.toISOString().slice(0, 19).replace(/\D/g, "");
  // Before 2050, the format is UTCTime, which has two digits for the year.
  return date.getUTCFullYear() < 2050
    ? encodeDer(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : encodeDer(0x18, Buffer.from(`${digits}Z`));
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [encodeDer(0x01, Buffer.from([0xff]))] : [];
  return sequence(objectId(id), ...critical, encodeDer(0x04, value));
}

function alternativeName(name: string): Buffer {
  return isIP(name) === 0 ? encodeDer(0x82, Buffer.from(name)) : encodeDer(0x87, encodeAddress(name));
}

function encodeAddress(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split(".").map(Number));
  // A URL parser normalizes the address, in which `::` stands for missing zeros.
  const [before = "", after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const missing = 8 - groups(before).length - groups(after ?? "").length;
  const all = [
    ...groups(before),
    ...Array<string>(after === undefined ? 0 : missing).fill("0"),
    ...groups(after ?? ""),
  ];
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}
