import { findUnknownFields } from "../request/find-unknown-fields.js";
import { TruncatedBody, decodeBody } from "./recorded-body.js";
import type { RecordedExchange } from "./recorded-exchange.js";

/** Bodies beyond this are no slip of the pen, and looking through them would take the time of others. */
const maxCharacters = 100_000;

/** What was ignored of a request because the contract does not know it. */
export function listUnknownFields({
  operationId,
  path,
  requestBody,
  profile,
  status,
}: RecordedExchange): readonly string[] {
  // what was refused says itself what is wrong with it
  if (operationId === undefined || profile === undefined || status === 0 || status >= 400) return [];
  const isRead =
    requestBody !== null && !(requestBody instanceof TruncatedBody) && requestBody.length <= maxCharacters;
  return findUnknownFields({ operationId, path, body: isRead ? decodeBody(requestBody) : null }, profile);
}
