import type { Exchange } from "../../client/exchange.js";
import type { ComparedExchange } from "../../compare/compare-report.js";
import { Body, Code } from "./page.js";

interface ListProps<Entry> {
  readonly of: readonly Entry[];
  /** Number of the first entry. */
  readonly start?: number;
  /** Prefix that is omitted from URLs. */
  readonly baseUrl?: string;
}

/** Renders requests with their responses. */
export function ExchangeList({ of, start = 1, baseUrl }: ListProps<Exchange>) {
  return (
    <ol class="exchanges" start={start}>
      {of.map((exchange) => (
        <li>
          <Request of={exchange} baseUrl={baseUrl} />
          <Response of={exchange} after={`after ${exchange.durationMs} ms`} />
          <details class="headers">
            <summary>Headers</summary>
            <Headers whose="Request" of={exchange.request.headers} />
            {exchange.answer && <Headers whose="Response" of={exchange.answer.headers} />}
          </details>
        </li>
      ))}
    </ol>
  );
}

/** Renders requests to both targets, with two responses where they differ. */
export function ComparedExchangeList({ of, start = 1 }: ListProps<ComparedExchange>) {
  return (
    <ol class="exchanges" start={start}>
      {of.map(({ first, second }) => (
        <li>
          <Request of={first} />
          {first.answer?.status === second.answer?.status && first.answer?.body === second.answer?.body ? (
            <Response of={first} before="both" />
          ) : (
            <div class="both">
              <div>
                <Response of={first} before="first" />
              </div>
              <div>
                <Response of={second} before="second" />
              </div>
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}

function Request({ of, baseUrl = "" }: { of: Exchange; baseUrl?: string | undefined }) {
  const { caller, setUp, intent } = of;
  const { method, url, body } = of.request;
  const tags = [...(setUp ? ["set-up"] : []), ...(intent === "invalid" ? ["deliberately invalid"] : [])];
  return (
    <>
      <p class="line">
        <b>{caller}</b>{" "}
        <code>
          {method} {url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url}
        </code>{" "}
        {tags.map((tag) => (
          <span class="tag">{tag}</span>
        ))}
      </p>
      <Body text={body} what="request body" />
    </>
  );
}

function Response({ of, before = "", after = "" }: { of: Exchange; before?: string; after?: string }) {
  const { answer, failure = "no response" } = of;
  return (
    <>
      <p class="line">
        {before} →{" "}
        {answer === undefined ? (
          <b>{failure}</b>
        ) : (
          <b class={answer.status < 400 ? "accepted" : "refused"}>{answer.status}</b>
        )}{" "}
        <span class="took">{after}</span>
      </p>
      <Body text={answer?.body} what="response body" />
    </>
  );
}

function Headers({ whose, of }: { whose: string; of: Readonly<Record<string, string>> }) {
  const lines = Object.entries(of).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <p>{whose}</p>
      <Code text={lines.join("\n") || "none"} label={`${whose} headers`} />
    </>
  );
}
