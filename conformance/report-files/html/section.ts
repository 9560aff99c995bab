import type { Html } from "./html.js";

/** A part of the page with a heading of its own, which the navigation leads to. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** What the navigation says beside the title. */
  readonly note?: string | undefined;
  readonly body: Html;
}
