import { buildHarEntry } from "../../openapi/document/har.js";
import type { Exchange } from "../client/exchange.js";
import type { Recorder } from "../client/recorder.js";
import type { SecretMasker } from "../client/secrets.js";
import { suiteInfo } from "../report/version.js";

/**
 * Formats the kept exchanges of a run as an HTTP Archive (HAR 1.2) without secrets. The archive is returned in pieces,
 * because it may be too long for one string.
 */
export function* generateHar({ kept }: Recorder, secrets: SecretMasker): Generator<string> {
  const { exchanges, dropped } = kept;
  const comment = dropped === 0 ? {} : { comment: `${dropped} older exchanges were omitted` };
  const head = JSON.stringify({ version: "1.2", creator: suiteInfo, ...comment });
  yield `{"log":${head.slice(0, -1)},"entries":[`;
  for (const [index, exchange] of exchanges.entries())
    yield `${index === 0 ? "" : ","}\n${JSON.stringify(toHarEntry(secrets.hideExchange(exchange)))}`;
  yield "\n]}}\n";
}

function toHarEntry(exchange: Exchange): unknown {
  const { request, answer, startedAt, durationMs, caller, operationId, number, failure } = exchange;
  const { status = 0, headers = {}, body = "" } = answer ?? {};
  const bodyBytes = Buffer.byteLength(request.body ?? "");
  return {
    ...buildHarEntry({
      startedAt: new Date(startedAt).toISOString(),
      durationMs,
      request: { ...request, body: request.body ?? null, bodyBytes },
      response: { status, headers, body, bodyBytes: Buffer.byteLength(body), comment: failure },
    }),
    comment: `${number}. ${operationId ?? "control plane"} as ${caller}`,
  };
}
