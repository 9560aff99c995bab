import type { Profile } from "../../../openapi/gaps/profile.js";
import type { WatchedProcess } from "./emulator-process.js";
import { exchangeAlone, type Outcome, Pipeline } from "./exchange-requests.js";
import { type FuzzRequest, needsOwnConnection } from "./fuzz-request.js";
import { fuzzedNamespace } from "./fuzz-requests.js";
import { demoRequests, pathOf } from "../growth/demo-requests.js";
import type { FuzzAnswer } from "./read-answers.js";

/** What was seen while requests were sent. */
export interface Sent {
  readonly outcomes: readonly Outcome[];
  /** How long the event loop worked at most without a pause. */
  readonly maxMs: number;
  /** What it printed about itself. */
  readonly printed: string;
  /** Tables that were not the same afterwards, where they were compared. */
  readonly changed?: readonly string[];
}

/** An emulator process and the connections to it. */
export class FuzzSession {
  readonly process: WatchedProcess;
  readonly #pipeline: Pipeline;
  readonly #control: Pipeline;
  /** What the known requests were answered at the start. */
  #transcript = "";

  private constructor(process: WatchedProcess) {
    this.process = process;
    this.#pipeline = new Pipeline(process.port);
    this.#control = new Pipeline(process.port);
  }

  /** @param process one that is as at its start */
  static async start(process: WatchedProcess): Promise<FuzzSession> {
    const session = new FuzzSession(process);
    session.#transcript = await session.#known();
    return session;
  }

  /** Has the emulator as at the start, but for the profile of the namespace that is looked at. */
  async begin(profile: Profile): Promise<void> {
    const listed = await this.control("GET", "/_emulator/namespaces");
    const { namespaces } = JSON.parse(listed.body.toString()) as { namespaces: { name: string }[] };
    for (const { name } of namespaces)
      // a request that nobody waited for any more may have deleted it meanwhile
      if (name !== "default") await this.#exchange("DELETE", `/_emulator/namespaces/${name}`);
    await this.control("PUT", "/_emulator/profile", {});
    const kept = await this.control("GET", "/_emulator/snapshots");
    for (const { name } of (JSON.parse(kept.body.toString()) as { snapshots: { name: string }[] }).snapshots)
      await this.#exchange("DELETE", `/_emulator/snapshots/${name}`);
    await this.control("POST", "/_emulator/reset", { fixture: "demo" });
    await this.control("PUT", `/ns/${fuzzedNamespace}/_emulator/profile`, profile);
    this.process.takePrinted();
    await this.process.ask({ kind: "longest turn" });
  }

  /** Sends requests: those that may share a connection first. @param compares whether tables are compared */
  async send(requests: readonly FuzzRequest[], compares = false): Promise<Sent> {
    const before = compares ? await this.#tables() : undefined;
    if (compares) await this.process.ask({ kind: "longest turn" });
    const shared = requests.filter((request) => !needsOwnConnection(request));
    const answered = shared.length === 0 ? [] : await this.#pipeline.send(shared);
    const outcomes: Outcome[] = [];
    for (const request of requests) {
      if (needsOwnConnection(request)) outcomes.push(await exchangeAlone(this.process.port, request));
      // none where the connection was lost before its turn came
      else outcomes.push(answered[shared.indexOf(request)] ?? { answers: [] });
    }
    const { ms: maxMs } = await this.process.ask({ kind: "longest turn" });
    const printed = this.process.takePrinted();
    if (before === undefined) return { outcomes, maxMs, printed };
    const after = await this.#tables();
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const changed = names.filter((name) => before[name] !== after[name]);
    return { outcomes, maxMs, printed, changed };
  }

  /** Whether known requests, in a world that nothing else has touched, are answered as at the start. */
  async answersAsBefore(): Promise<boolean> {
    return (await this.#known()) === this.#transcript;
  }

  /** The file of a world as at the start. */
  async stateFile(): Promise<Uint8Array> {
    await this.control("POST", "/ns/known/_emulator/snapshots/file", {});
    const { body } = await this.control(
      "GET",
      "/ns/known/_emulator/snapshots/file",
      undefined,
      "application/vnd.sqlite3",
    );
    await this.control("DELETE", "/_emulator/namespaces/known");
    return body;
  }

  async control(method: string, target: string, body?: unknown, accept = "*/*"): Promise<FuzzAnswer> {
    const answer = await this.#exchange(method, target, body, accept);
    if (answer.status >= 400) throw new Error(`${method} ${target}: ${answer.body.toString()}`);
    return answer;
  }

  async end(): Promise<void> {
    this.#pipeline.close();
    this.#control.close();
    await this.process.end();
  }

  async #exchange(method: string, target: string, body?: unknown, accept = "*/*"): Promise<FuzzAnswer> {
    const [outcome] = await this.#control.send([jsonRequest(method, target, body, [["Accept", accept]])]);
    const answer = outcome?.answers[0];
    if (answer === undefined) throw new Error(`${method} ${target}: ${outcome?.lost ?? "no answer"}`);
    return answer;
  }

  /** What a request for each operation is answered, in a namespace that nothing else touches. */
  async #known(): Promise<string> {
    const requests = demoRequests()
      .filter(({ operationId }) => !changing.includes(operationId))
      .map((request) => {
        const headers =
          request.plane === "service" ? [["Authorization", "Bearer dsk_demo_all"] as const] : [];
        return jsonRequest(request.method, `/ns/known${pathOf(request)}`, request.body, headers);
      });
    const outcomes = await this.#control.send(requests);
    await this.control("DELETE", "/_emulator/namespaces/known");
    return outcomes
      .map(({ answers: [answer], lost }) =>
        answer === undefined
          ? String(lost)
          : `${answer.status} ${JSON.stringify(answer.headers)} ${answer.body.toString()}`,
      )
      .join("\n");
  }

  async #tables(): Promise<Readonly<Record<string, string>>> {
    return (await this.process.ask({ kind: "tables", namespace: fuzzedNamespace })).tables;
  }
}

/** These tell of all namespaces, or of real time. */
const changing: readonly string[] = [
  "listNamespaces",
  "setNamespace",
  "deleteNamespace",
  "forkNamespace",
  "forkSnapshot",
  "getJournal",
  "getControlPlaneDocument",
  "uploadSnapshot",
];

function jsonRequest(
  method: string,
  target: string,
  body: unknown,
  headers: FuzzRequest["headers"],
): FuzzRequest {
  const given = [["Host", "127.0.0.1"] as const, ...headers];
  const request = { origin: "known", method, target };
  return body === undefined
    ? { ...request, headers: given, body: undefined }
    : {
        ...request,
        headers: [...given, ["Content-Type", "application/json"]],
        body: Buffer.from(JSON.stringify(body)),
      };
}
