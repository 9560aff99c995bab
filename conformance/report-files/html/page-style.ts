import { createHash } from "node:crypto";
import { Html } from "./html.js";
import { style } from "./style.js";

/** The style of a page. As one text: the hash is that of every character. */
export const styleElement = new Html(`<style>${style}</style>`);

const styleHash = createHash("sha256").update(style).digest("base64");

/** Allows a page the style that it carries, and nothing beside. */
export const contentPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;
