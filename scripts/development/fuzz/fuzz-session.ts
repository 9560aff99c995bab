import { connectEmulator, type RemoteEmulator, type RemoteNamespace } from "../../../emulator/api/connect.js";
import type { Profile } from "../../../openapi/gaps/profile.js";
import { createJsonInit, listDemoRequests, getPath } from "../growth/demo-requests.js";
import { sendRawRequest, type FuzzOutcome, fuzzedNamespace, type FuzzRequest } from "./fuzz-request.js";
import type { WatchReply } from "./watched-emulator.js";
import type { WatchedProcess } from "./watched-process.js";

/** The effects of a request. */
export interface RequestResult {
  readonly outcome: FuzzOutcome;
  /** The longest turn of the event loop, in milliseconds of CPU time. */
  readonly maxMs: number;
  /** Error output of the emulator. */
  readonly printed: string;
  /** Tables that the request changed, if tables were compared and no scheduled change was due. */
  readonly changed: readonly string[];
}

/** An emulator process that runs many rounds. */
export class FuzzSession {
  readonly process: WatchedProcess;
  readonly #emulator: RemoteEmulator;
  /** A namespace that fuzzed requests do not use. */
  readonly #otherNamespace: RemoteNamespace;
  /** The first responses to the fixed requests. */
  #expectedResponses = "";

  private constructor(process: WatchedProcess, emulator: RemoteEmulator) {
    this.process = process;
    this.#emulator = emulator;
    this.#otherNamespace = emulator.namespace("known");
  }

  /** @param process a process that has not been used yet */
  static async start(process: WatchedProcess): Promise<FuzzSession> {
    const session = new FuzzSession(process, await connectEmulator(`http://127.0.0.1:${process.port}`));
    session.#expectedResponses = await session.#sendFixedRequests();
    return session;
  }

  /** Resets the emulator, and sets the profile of the fuzzed namespace. */
  async begin(profile: Profile): Promise<void> {
    const emulator = this.#emulator;
    for (const { name } of await emulator.namespaces.list())
      if (name !== "default") await emulator.namespaces.delete(name);
    for (const { name } of await emulator.snapshots.list()) await emulator.snapshots.delete(name);
    await emulator.profile.set({});
    await emulator.reset("demo");
    await emulator.namespace(fuzzedNamespace).profile.set(profile);
    this.process.takePrinted();
    await this.process.ask("longest turn");
  }

  /** @param compares whether tables are compared before and after */
  async send(request: FuzzRequest, compares = false): Promise<RequestResult> {
    const tables = async (): Promise<WatchReply> => (compares ? this.process.ask("tables") : {});
    const before = await tables();
    if (compares) await this.process.ask("longest turn");
    const outcome = await sendRawRequest(this.process.port, request);
    const { ms: maxMs = 0 } = await this.process.ask("longest turn");
    const printed = this.process.takePrinted();
    const after = await tables();
    // the next request performs scheduled changes, even if it is rejected
    const wasDue = (before.dueAt ?? Infinity) <= (after.clock ?? 0);
    const names = wasDue ? [] : Object.keys({ ...before.tables, ...after.tables });
    const changed = names.filter((name) => before.tables?.[name] !== after.tables?.[name]);
    return { outcome, maxMs, printed, changed };
  }

  /** Whether fixed requests to another namespace still get the same responses. */
  async respondsAsBefore(): Promise<boolean> {
    return (await this.#sendFixedRequests()) === this.#expectedResponses;
  }

  /** Returns the bytes of a state file with the demo data. */
  async exportStateFile(): Promise<string> {
    return Buffer.from(await this.#otherNamespace.export()).toString("latin1");
  }

  /** Sends one request for each operation, and returns the responses. */
  async #sendFixedRequests(): Promise<string> {
    const responses: string[] = [];
    for (const request of listDemoRequests()) {
      const { operationId, method, body, plane } = request;
      if (variableOperations.includes(operationId)) continue;
      const credential = plane === "service" ? "dsk_demo_all" : undefined;
      const response = await this.#otherNamespace
        .fetch(getPath(request), createJsonInit(method, body, credential))
        .then(async (it) => `${it.status} ${JSON.stringify([...it.headers])} ${await it.text()}`, String);
      responses.push(response);
    }
    await this.#emulator.namespaces.delete(this.#otherNamespace.name);
    return responses.join("\n");
  }
}

/** Operations whose responses depend on other namespaces or on real time. */
const variableOperations: readonly string[] = [
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
