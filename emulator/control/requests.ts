import { type ControlHandlers, type ControlRequest, ResponseFile } from "./control-types.js";
import { harMediaType } from "../../openapi/control-plane/media-types.js";
import type { OperationId } from "../../openapi/operations/register.js";
import { listSituations } from "../../openapi/situations/scenarios.js";
import type { JournalFilter } from "../journal/journal.js";
import { toHar } from "../journal/to-har.js";

/** Requests to the service: fault rules, the journal and coverage. */
export const requestHandlers = {
  createFault: ({ body }, { faults }) => faults.create(body),
  listFaults: (_request, { faults }) => ({ faults: faults.list() }),
  clearFaults: (_request, { faults }) => {
    faults.clear();
  },
  getFault: ({ path }, { faults }) => faults.get(path.faultId),
  deleteFault: ({ path }, { faults }) => {
    faults.delete(path.faultId);
  },
  getJournal: ({ query, accept = "" }, { journal }) => {
    const filter = parseJournalFilter(query);
    const { format = accept.includes(harMediaType) ? "har" : "json" } = query;
    if (format === "har")
      return new ResponseFile(
        harMediaType,
        "journal.har",
        Buffer.from(JSON.stringify(toHar(journal.select(filter)))),
      );
    return { entries: journal.entries(filter), dropped: journal.dropped, recording: journal.isKept };
  },
  clearJournal: (_request, { journal }) => {
    journal.clear();
  },
  getCoverage: (_request, _namespace, { options: { coverage } }) => {
    const reached = new Set(coverage?.met);
    const ids = listSituations().map(({ id }) => id);
    return {
      counting: coverage !== undefined,
      met: ids.filter((id) => reached.has(id)),
      unmet: ids.filter((id) => !reached.has(id)),
    };
  },
} satisfies Partial<ControlHandlers>;

/** Converts the text of query parameters. */
function parseJournalFilter(query: ControlRequest<"getJournal">["query"]): JournalFilter {
  const { operationId, status, since, limit } = query;
  return {
    ...(operationId === undefined ? {} : { operationId: operationId as OperationId }),
    ...(status === undefined ? {} : { status: Number(status) }),
    ...(since === undefined ? {} : { since: Number(since) }),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
  };
}
