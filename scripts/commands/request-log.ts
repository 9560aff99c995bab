import { escapeInvisible } from "../../openapi/text/escape-invisible.js";
import type { CompletedRequest } from "../../emulator/request/completed-request.js";
import { formatCount } from "../../openapi/text/format-count.js";
import { paint, type TextStyle } from "./terminal.js";

export type RequestLogMode = "requests" | "problems" | "none";

/** Counts the requests to an emulator, and logs a line for each request that the log mode includes. */
export class RequestLog {
  #count = 0;
  #problems = 0;

  constructor(
    private readonly choice: RequestLogMode,
    private readonly stream: NodeJS.WriteStream,
  ) {}

  readonly note = (request: CompletedRequest): void => {
    const isProblem = request.status === 0 || request.status >= 400;
    // requests to the control plane do not use the service
    if (request.caller !== "control plane") {
      this.#count += 1;
      if (isProblem) this.#problems += 1;
    }
    if (this.choice === "requests" || (this.choice === "problems" && isProblem))
      this.stream.write(`${this.#line(request)}\n`);
  };

  /** Formats the number of requests for the last line. */
  summary(): string {
    const requests = formatCount(this.#count, "request");
    return this.#problems === 0 ? requests : `${requests}, ${this.#problems} of them rejected or failed`;
  }

  #line({
    method,
    path,
    status,
    durationMs,
    caller,
    detail,
    faults,
    unknownFields,
  }: CompletedRequest): string {
    const columns = [
      this.#paint(getColor(status), status === 0 ? "---" : String(status)),
      escapeInvisible(method).padEnd(6),
      escapeInvisible(path),
      this.#paint("dim", `${durationMs.toFixed(1)} ms`),
      this.#paint("dim", escapeInvisible(caller ?? "anonymous")),
    ];
    const more = [
      ...(detail === undefined ? [] : [detail]),
      ...(faults.length === 0
        ? []
        : [`fault rule ${faults.map(({ faultId, kind }) => `${faultId} (${kind})`).join(", ")}`]),
      ...(unknownFields.length === 0 ? [] : [`ignored (not in the contract): ${unknownFields.join(", ")}`]),
    ];
    return [
      columns.join("  "),
      ...more.map((line) => `     ${this.#paint("yellow", escapeInvisible(line))}`),
    ].join("\n");
  }

  #paint(style: TextStyle, text: string): string {
    return paint(this.stream, style, text);
  }
}

function getColor(status: number): TextStyle {
  if (status === 0 || status >= 500) return "red";
  return status >= 400 ? "yellow" : "green";
}
