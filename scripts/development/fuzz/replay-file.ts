import { readFileSync, writeFileSync } from "node:fs";
import type { Profile } from "../../../openapi/gaps/profile.js";
import type { FuzzRequest } from "./fuzz-request.js";
import type { FindingKind } from "./fuzz-round.js";

/** Requests that lead to a finding in a new emulator. */
export interface ReplayFile {
  readonly seed: number;
  readonly number: number;
  readonly kind: FindingKind;
  readonly message: string;
  readonly profile: Profile;
  readonly requests: readonly FuzzRequest[];
}

/** Bytes are readable where they are text. */
type Bytes = { readonly text: string } | { readonly base64: string };
type Written = Omit<FuzzRequest, "body" | "raw"> & { readonly body?: Bytes; readonly raw?: Bytes };

export function writeReplayFile(file: string, { requests, ...rest }: ReplayFile): void {
  const written = requests.map(({ body, raw, ...others }): Written => ({
    ...others,
    ...(body === undefined ? {} : { body: toText(body) }),
    ...(raw === undefined ? {} : { raw: toText(raw) }),
  }));
  writeFileSync(file, `${JSON.stringify({ ...rest, requests: written }, null, 2)}\n`);
}

/** @throws Error where there is no such file, or it is another */
export function readReplayFile(file: string): ReplayFile {
  const { requests, ...rest } = JSON.parse(readFileSync(file, "utf8")) as Omit<ReplayFile, "requests"> & {
    readonly requests: readonly Written[];
  };
  return {
    ...rest,
    requests: requests.map(({ body, raw, ...others }): FuzzRequest => ({
      ...others,
      body: body === undefined ? undefined : toBytes(body),
      ...(raw === undefined ? {} : { raw: toBytes(raw) }),
    })),
  };
}

function toText(bytes: Uint8Array): Bytes {
  const text = Buffer.from(bytes).toString();
  return Buffer.from(text).equals(bytes) ? { text } : { base64: Buffer.from(bytes).toString("base64") };
}

function toBytes(bytes: Bytes): Uint8Array {
  return "text" in bytes ? Buffer.from(bytes.text) : Buffer.from(bytes.base64, "base64");
}
