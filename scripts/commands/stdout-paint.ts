import { styleText } from "node:util";
import type { Paint } from "../../conformance/report/failure-text.js";

/** Makes a text on standard output stand out, where that is a terminal that wants colours. */
export const stdoutPaint: Paint = (text, color) =>
  process.stdout.isTTY && process.env.NO_COLOR === undefined ? styleText(color, text) : text;
