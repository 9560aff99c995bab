import { DescriptionList, Prose } from "../../../openapi/html/components.js";
import { formatCount } from "../../../openapi/text/format-count.js";
import type { Finding } from "../../report/findings.js";
import { ExchangeList } from "./exchanges.js";
import { CurlScript } from "./failures.js";
import { Text } from "./page.js";

/** Renders the findings of a list. */
export function Findings({ of }: { readonly of: readonly Finding[] }) {
  if (of.some(({ values }) => values !== undefined))
    return (
      <>
        {of.map((finding) => (
          <Article of={finding} />
        ))}
      </>
    );
  return (
    <DescriptionList
      class="reasons"
      of={of.map(({ name, notes, see = [] }) => [
        <code>{name}</code>,
        <>
          <Prose text={notes.join("; ")} />{" "}
          {see.map((number) => (
            <>
              <a href={`#finding-${number}`}>{number}</a>{" "}
            </>
          ))}
        </>,
      ])}
    />
  );
}

function Article({ of }: { readonly of: Finding }) {
  const { number, name, notes, values = [], exchanges = [], omittedExchanges = 0, curl } = of;
  const id = `finding-${number ?? name}`;
  return (
    <article class="finding" aria-labelledby={id}>
      <h3 id={id}>
        {number !== undefined && <span class="number">{number}.</span>} <code>{name}</code>
      </h3>
      {notes.map((note) => (
        <p>
          <Prose text={note} />
        </p>
      ))}
      <DescriptionList class="verdicts" of={values.map(([label, value]) => [label, <Text text={value} />])} />
      <details>
        <summary>
          {formatCount(exchanges.length, "request")}
          {omittedExchanges > 0 && `, after ${formatCount(omittedExchanges, "other")}`}
        </summary>
        <ExchangeList of={exchanges} start={omittedExchanges + 1} />
      </details>
      {curl !== undefined && <CurlScript curl={curl} />}
    </article>
  );
}
