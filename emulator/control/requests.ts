import { type ControlHandlers, type ControlRequest, BodyWithFile } from "./control-types.js";
import type { OperationId } from "../../openapi/operations/register.js";
import { listSituations } from "../../openapi/situations/scenarios.js";
import type { JournalFilter } from "../journal/journal.js";
import { toHar } from "../journal/to-har.js";

const harType = "application/har+json";

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
  getJournal: ({ query }, { journal }) => {
    const filter = parseJournalFilter(query);
    const { format } = query;
    const body = {
      // A HAR file does not need them, and redacting their secrets takes time.
      entries: format === "har" ? [] : journal.entries(filter),
      dropped: journal.dropped,
      recording: journal.isKept,
    };
    if (format === "json") return body;
    return new BodyWithFile(body, {
      mediaType: harType,
      name: "journal.har",
      isWanted: format === "har",
      bytes: () => Buffer.from(JSON.stringify(toHar(journal.select(filter)))),
    });
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
