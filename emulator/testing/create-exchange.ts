import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { RecordedExchange } from "../journal/recorded-exchange.js";

/** Creates an exchange without bodies, for tests of the journal. */
export function createExchange(given: Partial<RecordedExchange>): RecordedExchange {
  return {
    sequence: 0,
    durationMs: 0,
    method: "GET",
    namespace: "",
    baseUrl: () => "http://localhost",
    path: "/",
    requestHeaders: [],
    operationId: undefined,
    at: 0,
    caller: undefined,
    faults: [],
    requestBody: null,
    status: 200,
    responseHeaders: {},
    responseBody: null,
    profile: defaultProfile,
    ...given,
  };
}
