import { curlCommand } from "./curl-command.js";
import type { Visit } from "./visit.js";

/** The requests that a page was made from: whoever wonders how to do the same finds them here. */
export function AskedRequests({ visit }: { readonly visit: Visit }) {
  const { asked, origin, prefix } = visit;
  if (asked.length === 0) return null;
  return (
    <details class="asked">
      <summary>
        {asked.length === 1 ? "The request" : `The ${asked.length} requests`} behind this page
      </summary>
      <ol>
        {asked.map(({ method, path, status, body, hasToken }) => (
          <li>
            <code>
              {method} {path}
            </code>{" "}
            <span class={status < 400 ? "status good" : "status bad"}>{status}</span>
            <pre tabindex={0}>
              {curlCommand({ method, url: `${origin}${prefix}${path}`, body, hasToken })}
            </pre>
          </li>
        ))}
      </ol>
    </details>
  );
}
