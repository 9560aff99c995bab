import type { ApiResponse } from "../../client/client.js";
import { isClientError } from "../../client/is-client-error.js";
import { defineChecksWithSubject } from "../../check/check.js";
import { catchMissingResponse } from "../../steps/catch-missing-response.js";
import { ItemClient } from "../../steps/items/item-client.js";

/** Defines checks with concurrent requests; a first Put finds the route of Put. */
export const defineRaceChecks = defineChecksWithSubject(["database"], async (context) => {
  const items = await ItemClient.shared(context);
  await items.put(items.key(), { n: 0 }, {}, { setUp: true });
  await items.deleteWrittenItems();
  return items;
});

/** Sends requests concurrently. Requests without a response may or may not have been executed. */
export async function sendConcurrently(
  count: number,
  send: (by: number) => Promise<ApiResponse>,
): Promise<readonly (ApiResponse | undefined)[]> {
  return Promise.all(Array.from({ length: count }, (_, by) => catchMissingResponse(send(by))));
}

/** Whether a request for one item may have been refused because of a conflict with other requests. */
export function mayBeConflictRejection(response: ApiResponse): boolean {
  return isClientError(response) && response.status !== 404;
}
