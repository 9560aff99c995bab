import type { Exchange } from "../../client/exchange.js";
import type { ComparedExchange } from "../../report/findings.js";
import { Body, Code } from "./page.js";

interface ListProps {
  readonly of: readonly ComparedExchange[];
  /** Number of the first entry. */
  readonly start?: number;
  /** Prefix that is omitted from URLs. */
  readonly baseUrl?: string;
}

/** Renders requests with their responses, or both targets' responses if they differ. */
export function ExchangeList({ of, start = 1, baseUrl }: ListProps) {
  return (
    <ol class="exchanges" start={start}>
      {of.map(({ first, second = first }) => (
        <li>
          <Request of={first} baseUrl={baseUrl} />
          {first.answer?.status === second.answer?.status && first.answer?.body === second.answer?.body ? (
            <Response of={first} />
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
          <details class="headers">
            <summary>Headers</summary>
            <Headers whose="Request" of={first.request.headers} />
            {first.answer && <Headers whose="Response" of={first.answer.headers} />}
          </details>
        </li>
      ))}
    </ol>
  );
}

const intentTags: Readonly<Record<Exchange["intent"], readonly string[]>> = {
  valid: [],
  invalid: ["deliberately invalid"],
  "may-be-refused": ["may be refused"],
};

function Request({ of, baseUrl = "" }: { of: Exchange; baseUrl?: string | undefined }) {
  const { caller, setUp, intent } = of;
  const { method, url, body } = of.request;
  const tags = [...(setUp ? ["setup"] : []), ...intentTags[intent]];
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

function Response({ of, before = "" }: { of: Exchange; before?: string }) {
  const { answer, failure = "no response", durationMs } = of;
  return (
    <>
      <p class="line">
        {before} →{" "}
        {answer === undefined ? (
          <b>{failure}</b>
        ) : (
          <b class={answer.status < 400 ? "accepted" : "refused"}>{answer.status}</b>
        )}{" "}
        <span class="took">after {durationMs} ms</span>
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
