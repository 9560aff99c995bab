import type { Profile } from "../../../openapi/gaps/profile.js";
import { demoRequests, pathOf } from "../growth/demo-requests.js";
import { exchange, type Outcome } from "./exchange.js";
import { fuzzedNamespace, type FuzzRequest } from "./fuzz-request.js";
import type { WatchedProcess } from "./watched-process.js";

/** What was seen while a request was sent. */
export interface Seen {
  readonly outcome: Outcome;
  /** How long the event loop worked at most without a pause. */
  readonly maxMs: number;
  /** What the emulator printed about itself. */
  readonly printed: string;
  /** Tables that were not the same afterwards, where they were compared. */
  readonly changed: readonly string[];
}

/** An emulator process that begins again and again. */
export class FuzzSession {
  readonly process: WatchedProcess;
  /** What the known requests were answered at the start. */
  #transcript = "";

  private constructor(process: WatchedProcess) {
    this.process = process;
  }

  /** @param process one that is as at its start */
  static async start(process: WatchedProcess): Promise<FuzzSession> {
    const session = new FuzzSession(process);
    session.#transcript = await session.#known();
    return session;
  }

  /** Has the emulator as at the start, but for the profile of the namespace that is looked at. */
  async begin(profile: Profile): Promise<void> {
    for (const kind of ["namespaces", "snapshots"] as const) {
      const listed = (await (await this.#control("GET", `/_emulator/${kind}`)).json()) as Readonly<
        Record<typeof kind, readonly { name: string }[]>
      >;
      for (const { name } of listed[kind])
        if (name !== "default") await this.#control("DELETE", `/_emulator/${kind}/${name}`);
    }
    await this.#control("PUT", "/_emulator/profile", {});
    await this.#control("POST", "/_emulator/reset", { fixture: "demo" });
    await this.#control("PUT", `/ns/${fuzzedNamespace}/_emulator/profile`, profile);
    this.process.takePrinted();
    await this.process.ask("longest turn");
  }

  /** @param compares whether tables are compared before and after */
  async send(request: FuzzRequest, compares = false): Promise<Seen> {
    const tables = async () => (compares ? (await this.process.ask("tables")).tables : undefined) ?? {};
    const before = await tables();
    if (compares) await this.process.ask("longest turn");
    const outcome = await exchange(this.process.port, request);
    const { ms: maxMs = 0 } = await this.process.ask("longest turn");
    const printed = this.process.takePrinted();
    const after = await tables();
    const names = Object.keys({ ...before, ...after });
    return { outcome, maxMs, printed, changed: names.filter((name) => before[name] !== after[name]) };
  }

  /** Whether known requests, in a world that nothing else has touched, are answered as at the start. */
  async answersAsBefore(): Promise<boolean> {
    return (await this.#known()) === this.#transcript;
  }

  /** The bytes of the file of a world as at the start. */
  async stateFile(): Promise<string> {
    await this.#control("POST", "/ns/known/_emulator/snapshots/file");
    const file = await this.#control("GET", "/ns/known/_emulator/snapshots/file", undefined, {
      Accept: "application/vnd.sqlite3",
    });
    await this.#control("DELETE", "/_emulator/namespaces/known");
    return Buffer.from(await file.arrayBuffer()).toString("latin1");
  }

  /** What a request for each operation is answered, in a namespace that nothing else touches. */
  async #known(): Promise<string> {
    const answers: string[] = [];
    for (const request of demoRequests()) {
      if (changing.includes(request.operationId)) continue;
      const path = `/ns/known${pathOf(request)}`;
      const headers = request.plane === "service" ? { Authorization: "Bearer dsk_demo_all" } : undefined;
      const answer = await this.#control(request.method, path, request.body, headers).then(
        async (it) => `${it.status} ${JSON.stringify([...it.headers])} ${await it.text()}`,
        // a connection that is lost is a finding when requests are sent
        String,
      );
      answers.push(answer);
    }
    await this.#control("DELETE", "/_emulator/namespaces/known");
    return answers.join("\n");
  }

  #control(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
    const type = body === undefined ? {} : { "Content-Type": "application/json" };
    return fetch(`http://127.0.0.1:${this.process.port}${path}`, {
      method,
      headers: { ...headers, ...type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
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
  "getCoverage",
  "getControlPlaneDocument",
  "uploadSnapshot",
];
