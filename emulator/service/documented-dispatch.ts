import type { OpenAPIObject } from "openapi3-ts/oas31";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { Answer } from "../request/answer.js";
import { addCrossOriginHeaders } from "../request/cross-origin.js";
import { baseUrlOf, type RoutedRequest } from "../request/dispatch.js";

/** Where the service's own document is: beside its operations, and none of them. */
const documentPath = "/openapi.json";

/** Answers a request that no operation matches. */
export type Unmatched<Request extends DocumentRequest> = (
  request: Request,
  allowedMethods: readonly string[],
) => Answer;
type DocumentRequest = Pick<RoutedRequest, "incoming" | "target">;

/**
 * Shows the document of an interface at `/openapi.json`, with the address at which it was asked for, before anything
 * else is said to a request that no operation matches.
 */
export function documented(contract: { readonly document: OpenAPIObject }, profile: Profile) {
  return <Request extends DocumentRequest>(unmatched: Unmatched<Request>): Unmatched<Request> =>
    (request, allowedMethods) => {
      if (request.target.path !== documentPath) return unmatched(request, allowedMethods);
      if (!["GET", "HEAD"].includes(request.incoming.method)) return unmatched(request, ["GET", "HEAD"]);
      return documentAnswer(request, contract.document, profile);
    };
}

function documentAnswer(request: DocumentRequest, document: OpenAPIObject, profile: Profile): Answer {
  const servers = [{ url: baseUrlOf(request), description: "This emulator." }];
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  addCrossOriginHeaders(headers, request.incoming, profile);
  return { status: 200, headers, body: JSON.stringify({ ...document, servers }) };
}
