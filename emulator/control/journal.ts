import type { OperationId } from "../../openapi/operations/register.js";
import { listSituations } from "../../openapi/situations/register.js";
import type { JournalFilter } from "../journal/journal.js";
import { toHar } from "../journal/to-har.js";
import { type ControlHandler, type ControlRequest, FileOrBody } from "./control-types.js";

const harType = "application/har+json";

/** GET /_emulator/journal. */
export const getJournal: ControlHandler<"getJournal"> = ({ query }, { journal }) => {
  const filter = parseJournalFilter(query);
  const { format } = query;
  const body = {
    // who wants a file alone does not see them, and looking for secrets takes a while
    entries: format === "har" ? [] : journal.entries(filter),
    dropped: journal.dropped,
    recording: journal.isKept,
  };
  if (format === "json") return body;
  return new FileOrBody(body, {
    mediaType: harType,
    name: "journal.har",
    isWanted: format === "har",
    bytes: () => Buffer.from(JSON.stringify(toHar(journal.select(filter)))),
  });
};

/** DELETE /_emulator/journal. */
export const clearJournal: ControlHandler<"clearJournal"> = (_request, { journal }) => {
  journal.clear();
};

/** GET /_emulator/coverage. */
export const getCoverage: ControlHandler<"getCoverage"> = (_request, { coverage }) => {
  const reached = new Set(coverage?.met);
  const ids = listSituations().map(({ id }) => id);
  return {
    counting: coverage !== undefined,
    met: ids.filter((id) => reached.has(id)),
    unmet: ids.filter((id) => !reached.has(id)),
  };
};

/** The filter that a query means. Parameters that are not given must be left out. */
export function parseJournalFilter(query: ControlRequest<"getJournal">["query"]): JournalFilter {
  const { operationId, status, since, limit } = query;
  return {
    ...(operationId === undefined ? {} : { operationId: operationId as OperationId }),
    ...(status === undefined ? {} : { status: Number(status) }),
    ...(since === undefined ? {} : { since: Number(since) }),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
  };
}
