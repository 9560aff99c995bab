import type { FuzzContract } from "./fuzz-contract.js";
import type { FuzzAnswer } from "./exchange.js";
import { type FuzzRequest, isOddlyFramed, getMethodAndPath } from "./fuzz-request.js";

/** What is wrong with a response, whatever the request was. */
export function judgeAnswer(
  request: FuzzRequest,
  answer: FuzzAnswer,
  contract: FuzzContract,
): string | undefined {
  const { status, headers } = answer;
  const { method, path } = getMethodAndPath(request);
  const isHealth = path.startsWith("/health");
  // some profiles have a status from 500 on for what others refuse with one below
  const isMeant =
    (Object.values(contract.profile) as unknown[]).includes(status) || (isHealth && status === 503);
  if (status >= 500 && (!isMeant || answer.body.includes("internal-error"))) return `a status of ${status}`;
  if (method === "HEAD") return undefined;
  const isJson = /^application\/(?:\w+\+)?json(?:;|$)/.test(headers["content-type"] ?? "");
  const body = isJson ? parse(answer.body.toString()) : undefined;
  if (isJson && body === undefined) return `a body that is no JSON, with status ${status}`;
  const operation = isOddlyFramed(request)
    ? undefined
    : contract.operations.find((one) => one.method === method && one.pattern.test(path));
  // what does not get as far as an operation is refused in the general form
  if (status >= 400 && isProblem(body, status)) return undefined;
  if (operation === undefined)
    return status >= 400 && !isHealth && !isOtherRefusal(body)
      ? `an undocumented refusal with status ${status}`
      : undefined;
  const violations = operation.validator.validateResponse(String(operation.operation.operationId), {
    status,
    header: (name) => headers[name]?.toString(),
    body: isJson ? body : answer.body.length === 0 ? undefined : answer.body.toString("latin1"),
  });
  const [first] = violations;
  if (first === undefined) return undefined;
  return `status ${status} of ${operation.operationId} against the contract: ${first.in} ${first.pointer} ${first.detail}`;
}

/** A problem body as of RFC 9457. */
function isProblem(body: unknown, status: number): boolean {
  if (!isObject(body)) return false;
  const { type, title, status: said, detail, errors } = body;
  return (
    typeof type === "string" &&
    typeof title === "string" &&
    typeof detail === "string" &&
    said === status &&
    (errors === undefined || Array.isArray(errors))
  );
}

/** The other forms: that of the gap `error-body`, that of the SQL interface, those of transactions and batches that failed. */
function isOtherRefusal(body: unknown): boolean {
  if (!isObject(body)) return false;
  const members = Object.keys(body).sort().join();
  return [
    "error,message",
    "code,details,message",
    "errors,successCount",
    "errors,failedCount,successCount",
  ].includes(members);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
