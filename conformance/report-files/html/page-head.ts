import { createHash } from "node:crypto";
import { Html, html } from "./html.js";
import { pageScript } from "./page-script.js";
import { style } from "./style.js";

/** The style of a page. As one text: the hash is that of every character. */
const styleElement = new Html(`<style>${style}</style>`);

const hashOf = (text: string) => createHash("sha256").update(text).digest("base64");

/** Allows a page the style and the script that it carries, and nothing beside. */
const contentPolicy = `default-src 'none'; style-src 'sha256-${hashOf(style)}'; script-src 'sha256-${hashOf(pageScript)}'; base-uri 'none'; form-action 'none'`;

/** The script of a page, for its end. */
export const scriptElement = new Html(`<script>${pageScript}</script>`);

/** The head of a page that needs nothing else: its style stands in it, and its script at the end of the page. */
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
