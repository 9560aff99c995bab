import type { AnsweredRequest } from "../request/answered-request.js";
import type { RecordedExchange } from "./recorded-exchange.js";
import { textOf } from "./recorded-body.js";
import { Redactor } from "./redact.js";
import { unknownMembers } from "./unknown-members.js";

/** What a log is told of an exchange. What takes time is found out when it is read: most logs read little. */
export function answeredRequest(exchange: RecordedExchange): AnsweredRequest {
  const { method, namespace, status, durationMs, operationId, caller } = exchange;
  return {
    method,
    get path() {
      const prefix = namespace === "" ? "" : `/ns/${namespace}`;
      return prefix + new Redactor().path(exchange.path);
    },
    status,
    durationMs,
    operationId,
    caller:
      caller === undefined || caller.kind === "anonymous"
        ? undefined
        : caller.kind === "user"
          ? caller.userId
          : caller.apiKeyId,
    get detail() {
      return status >= 400 ? detailOf(exchange) : undefined;
    },
    get unknownMembers() {
      return unknownMembers(exchange);
    },
  };
}

/** What a refusal says, in whichever of the forms of an error. */
function detailOf({ responseBody }: RecordedExchange): string | undefined {
  if (responseBody === null) return undefined;
  try {
    const { detail, message } = JSON.parse(textOf(responseBody)) as Readonly<Record<string, unknown>>;
    const said = detail ?? message;
    return typeof said === "string" ? said : undefined;
  } catch {
    return undefined;
  }
}
