import type { Exchange } from "../client/exchange.js";
import type { Recorder } from "../client/recorder.js";
import type { Secrets } from "../client/secrets.js";
import { suite } from "../report/version.js";

/**
 * The kept exchanges of a run as an HTTP Archive (HAR 1.2), piece by piece: the whole would be too long for one text.
 * No secret is in it.
 */
export function* harText({ kept }: Recorder, secrets: Secrets): Generator<string> {
  const { exchanges, dropped } = kept;
  const comment = dropped === 0 ? {} : { comment: `${dropped} older exchanges were left out` };
  const head = JSON.stringify({ version: "1.2", creator: suite, ...comment });
  yield `{"log":${head.slice(0, -1)},"entries":[`;
  for (const [index, exchange] of exchanges.entries())
    yield `${index === 0 ? "" : ","}\n${JSON.stringify(harEntry(secrets.hideExchange(exchange)))}`;
  yield "\n]}}\n";
}

function harEntry(exchange: Exchange): unknown {
  const { request, answer, startedAt, durationMs, caller, operationId, number, failure } = exchange;
  const type = headerOf(request.headers, "content-type");
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: durationMs,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: headersOf(request.headers),
      queryString: queryOf(request.url),
      ...(request.body === undefined ? {} : { postData: { mimeType: type, text: request.body } }),
      headersSize: -1,
      bodySize: request.body === undefined ? 0 : Buffer.byteLength(request.body),
    },
    response: {
      status: answer?.status ?? 0,
      statusText: "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: headersOf(answer?.headers ?? {}),
      content: {
        size: Buffer.byteLength(answer?.body ?? ""),
        mimeType: headerOf(answer?.headers ?? {}, "content-type"),
        text: answer?.body ?? "",
      },
      redirectURL: headerOf(answer?.headers ?? {}, "location"),
      headersSize: -1,
      bodySize: Buffer.byteLength(answer?.body ?? ""),
      ...(failure === undefined ? {} : { comment: failure }),
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: `${number}. ${operationId ?? "control plane"} as ${caller}`,
  };
}

function headersOf(headers: Readonly<Record<string, string>>): readonly { name: string; value: string }[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function headerOf(headers: Readonly<Record<string, string>>, wanted: string): string {
  for (const name in headers) if (name.toLowerCase() === wanted) return headers[name] ?? "";
  return "";
}

function queryOf(url: string): readonly { name: string; value: string }[] {
  const start = url.indexOf("?");
  return start < 0
    ? []
    : [...new URLSearchParams(url.slice(start))].map(([name, value]) => ({ name, value }));
}
