import { connectEmulator, type RemoteEmulator, type RemoteNamespace } from "../../../emulator/api/connect.js";
import type { Profile } from "../../../openapi/gaps/profile.js";
import { createJsonInit, listDemoRequests, getPath } from "../growth/demo-requests.js";
import { sendRawRequest, type FuzzOutcome, fuzzedNamespace, type FuzzRequest } from "./fuzz-request.js";
import type { WatchReply } from "./watched-emulator.js";
import type { WatchedProcess } from "./watched-process.js";

/** What was seen while a request was sent. */
export interface SessionStep {
  readonly outcome: FuzzOutcome;
  /** How long the event loop worked at most without a pause. */
  readonly maxMs: number;
  /** What the emulator printed about itself. */
  readonly printed: string;
  /** Tables that the request changed, where they were compared; none where something was due meanwhile. */
  readonly changed: readonly string[];
}

/** An emulator process that is used again and again. */
export class FuzzSession {
  readonly process: WatchedProcess;
  readonly #emulator: RemoteEmulator;
  /** A namespace that nothing else touches. */
  readonly #untouched: RemoteNamespace;
  /** The responses to the known requests at the start. */
  #transcript = "";

  private constructor(process: WatchedProcess, emulator: RemoteEmulator) {
    this.process = process;
    this.#emulator = emulator;
    this.#untouched = emulator.namespace("known");
  }

  /** @param process one that is as at its start */
  static async start(process: WatchedProcess): Promise<FuzzSession> {
    const session = new FuzzSession(process, await connectEmulator(`http://127.0.0.1:${process.port}`));
    session.#transcript = await session.#known();
    return session;
  }

  /** Takes the emulator back to its start, but for the profile of the fuzzed namespace. */
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
  async send(request: FuzzRequest, compares = false): Promise<SessionStep> {
    const tables = async (): Promise<WatchReply> => (compares ? this.process.ask("tables") : {});
    const before = await tables();
    if (compares) await this.process.ask("longest turn");
    const outcome = await sendRawRequest(this.process.port, request);
    const { ms: maxMs = 0 } = await this.process.ask("longest turn");
    const printed = this.process.takePrinted();
    const after = await tables();
    // what is due happens at the next request, whatever becomes of that
    const wasDue = (before.dueAt ?? Infinity) <= (after.clock ?? 0);
    const names = wasDue ? [] : Object.keys({ ...before.tables, ...after.tables });
    const changed = names.filter((name) => before.tables?.[name] !== after.tables?.[name]);
    return { outcome, maxMs, printed, changed };
  }

  /** Whether known requests to an untouched namespace get the same responses as at the start. */
  async answersAsBefore(): Promise<boolean> {
    return (await this.#known()) === this.#transcript;
  }

  /** The bytes of a state file of the demo data. */
  async stateFile(): Promise<string> {
    return Buffer.from(await this.#untouched.export()).toString("latin1");
  }

  /** The responses to a request of each operation. */
  async #known(): Promise<string> {
    const answers: string[] = [];
    for (const request of listDemoRequests()) {
      const { operationId, method, body, plane } = request;
      if (changing.includes(operationId)) continue;
      const credential = plane === "service" ? "dsk_demo_all" : undefined;
      const answer = await this.#untouched
        .fetch(getPath(request), createJsonInit(method, body, credential))
        // a lost connection is a finding when requests are sent
        .then(async (it) => `${it.status} ${JSON.stringify([...it.headers])} ${await it.text()}`, String);
      answers.push(answer);
    }
    await this.#emulator.namespaces.delete(this.#untouched.name);
    return answers.join("\n");
  }
}

/** Responses of these depend on other namespaces, or on real time. */
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
