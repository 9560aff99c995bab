import { controlRoutes } from "../../openapi/generated/control-routes.js";
import { fillPath } from "../../openapi/text/path-template.js";
import type { ProblemKind } from "../../openapi/operations/problems.js";
import type { Violation } from "../../openapi/validation/violation.js";
import { addStack, Problem } from "../domain/problem.js";
import type { CallRequest } from "./namespace-calls.js";

/** A call of the control plane of a namespace. */
interface ControlCallOptions extends CallRequest {
  /** The media type of the answer that is wanted. */
  readonly accept?: string;
}

/**
 * Calls the control plane below a base URL.
 *
 * @throws the problem that the emulator answered; an Error when no emulator answers
 */
export async function callControlPlane(
  base: string,
  id: keyof typeof controlRoutes,
  { path = {}, query = {}, body, file, accept }: ControlCallOptions = {},
): Promise<Response> {
  const [method = "", route = ""] = controlRoutes[id].split(" ");
  const target = fillPath(route, path);
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const parameters = new URLSearchParams(
    Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
  );
  const content = file ?? (body === undefined ? undefined : JSON.stringify(body));
  const type = file === undefined ? "application/json" : "application/vnd.sqlite3";
  const url = `${base}${target}${parameters.size === 0 ? "" : `?${parameters.toString()}`}`;
  const answer = await fetch(url, {
    method,
    headers: {
      ...(content === undefined ? {} : { "Content-Type": type }),
      ...(accept === undefined ? {} : { Accept: accept }),
    },
    ...(content === undefined ? {} : { body: content as string | Uint8Array<ArrayBuffer> }),
  }).catch((error: unknown) => {
    throw new Error(`no emulator answers at ${base}: ${formatReason(error)}`, { cause: error });
  });
  if (answer.ok) return answer;
  throw await toError(answer, url);
}

/** What `fetch` failed for, which it hides behind "fetch failed". */
function formatReason(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: string; readonly message?: string } };
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error));
}

interface ProblemBody {
  readonly type?: string;
  readonly detail?: string;
  readonly errors?: readonly Violation[];
}

async function toError(answer: Response, url: string): Promise<Error> {
  const { status, headers } = answer;
  const text = await answer.text();
  if (!(headers.get("content-type") ?? "").startsWith("application/problem+json"))
    return new Error(`${url} answered ${status}, and not as an emulator does`);
  const { type = "", detail = "", errors = [] } = JSON.parse(text) as ProblemBody;
  const kind = type.split("/").at(-1) as ProblemKind;
  return addStack(new Problem(kind, detail, { violations: errors, status }));
}
