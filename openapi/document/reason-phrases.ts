import { STATUS_CODES } from "node:http";

/**
 * The reason phrase of each status. Schema names contain these phrases, so 413 and 422 keep their older phrases, and 418
 * has none.
 */
export const reasonPhrases: Readonly<Record<number, string | undefined>> = {
  ...STATUS_CODES,
  413: "Payload Too Large",
  418: undefined,
  422: "Unprocessable Entity",
};
