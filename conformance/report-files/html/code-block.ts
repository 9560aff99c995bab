import { html, type Html } from "./html.js";

/** Code with a scroll box of its own, which keys can reach, and a button that copies it where scripts run. */
export function codeBlock(content: string, label: string, kind = "block"): Html {
  // prettier-ignore
  return html`<div class="code"><pre class="${kind}" tabindex="0" role="group" aria-label="${label}">${afterStart(content)}</pre><button type="button" class="copy" hidden>Copy<span class="hidden"> ${label}</span></button></div>`;
}

/** A line end right after the start of `pre` is dropped by readers of pages: one more keeps that of the text. */
export function afterStart(content: string): string {
  return content.startsWith("\n") ? `\n${content}` : content;
}
