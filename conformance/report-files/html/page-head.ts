import { createHash } from "node:crypto";
import { Html, html } from "./html.js";
import { style } from "./style.js";

/** The style of a page. As one text: the hash is that of every character. */
const styleElement = new Html(`<style>${style}</style>`);

const styleHash = createHash("sha256").update(style).digest("base64");

/** Allows a page the style that it carries, and nothing beside. */
const contentPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;

/** The head of a page that needs nothing else: its style stands in it. */
export function pageHead(title: string): Html {
  return html`<head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${contentPolicy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="referrer" content="no-referrer" />
    <title>${title}</title>
    ${styleElement}
  </head>`;
}
