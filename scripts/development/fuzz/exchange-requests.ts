import { connect, type Socket } from "node:net";
import { bytesOf, type FuzzRequest } from "./fuzz-request.js";
import { AnswerReader, type FuzzAnswer } from "./read-answers.js";

/** What became of a request: its answers (one, but for raw bytes that hold more or fewer), or how they failed to come. */
export interface Outcome {
  readonly answers: readonly FuzzAnswer[];
  /** Why there is no whole answer. */
  readonly lost?: string;
}

/** How long an answer may take; a stall is found by processor time long before. */
const patienceMs = 180_000;

/** A connection that is kept, over which requests go one behind the other without waiting. */
export class Pipeline {
  readonly #port: number;
  #socket: Socket | undefined;
  #usedAt = 0;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends requests together. @returns what became of each, in their order */
  async send(requests: readonly FuzzRequest[]): Promise<readonly Outcome[]> {
    // Node ends a connection that nobody uses for five seconds
    if (performance.now() - this.#usedAt > 2000) this.close();
    const socket = this.#socket ?? (await open(this.#port));
    this.#socket = socket;
    const outcomes: Outcome[] = [];
    const reader = new AnswerReader();
    const lost = await new Promise<string | undefined>((resolve) => {
      const end = (reason: string | undefined) => {
        clearTimeout(timer);
        socket.removeAllListeners();
        // an error that comes later is that of a connection that nobody uses
        socket.on("error", () => undefined);
        resolve(reason);
      };
      const timer = setTimeout(() => end(`no answer within ${patienceMs / 1000} s`), patienceMs);
      socket.on("data", (chunk: Buffer) => {
        reader.add(chunk);
        try {
          while (outcomes.length < requests.length) {
            const answer = reader.next(requests[outcomes.length]?.method === "HEAD");
            if (answer === undefined) return;
            outcomes.push({ answers: [answer] });
          }
          end(reader.left.length > 0 ? "there are bytes behind the last answer" : undefined);
        } catch (error) {
          end((error as Error).message);
        }
      });
      socket.on("error", ({ message }) => end(message));
      socket.on("close", () => end("the connection was closed"));
      socket.write(Buffer.concat(requests.map(bytesOf)));
    });
    this.#usedAt = performance.now();
    if (lost !== undefined) {
      this.close();
      if (outcomes.length === requests.length) outcomes.pop();
      outcomes.push({ answers: [], lost });
    }
    return outcomes;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }
}

/** Ends a connection in order, once whatever came before it was answered. */
const farewell = Buffer.from("GET /_emulator/clock HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
/** How long a server may say nothing before it is told that nothing more will come: it waits for the rest of a body. */
const silenceMs = 60;

/** Sends one request on a connection of its own, with a farewell behind it, and reads all that comes back. */
export async function exchangeAlone(port: number, request: FuzzRequest): Promise<Outcome> {
  const bytes = Buffer.from(bytesOf(request));
  const socket = await open(port);
  const reader = new AnswerReader();
  // Node lets go of a request that is under way when its client says that nothing more will come
  const patience = { isOver: false };
  const failed = await new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(`no end within ${patienceMs / 1000} s`), patienceMs);
    const giveUp = () => {
      patience.isOver = true;
      socket.end();
    };
    let silence = setTimeout(giveUp, silenceMs);
    const end = (reason: string | undefined) => {
      clearTimeout(timer);
      clearTimeout(silence);
      resolve(reason);
    };
    socket.on("data", (chunk: Buffer) => {
      reader.add(chunk);
      clearTimeout(silence);
      silence = setTimeout(giveUp, silenceMs);
    });
    socket.on("error", ({ message }) => end(message));
    socket.on("close", () => end(undefined));
    socket.write(Buffer.concat([bytes, farewell]));
  });
  socket.removeAllListeners().on("error", () => undefined);
  socket.destroy();
  const answers: FuzzAnswer[] = [];
  try {
    const isHead = bytes.toString("latin1", 0, 5) === "HEAD ";
    for (let next = reader.next(isHead); next !== undefined; next = reader.next(false)) answers.push(next);
  } catch (error) {
    return { answers, lost: (error as Error).message };
  }
  // what was refused while more of it was on its way is told by a reset
  if (failed !== undefined && answers.length === 0) return { answers, lost: failed };
  if (reader.left.length > 0 && !bytes.includes("HEAD ", 1))
    return { answers, lost: "the last answer is not whole" };
  return answers.length === 0 && !patience.isOver
    ? { answers, lost: "the connection was closed" }
    : { answers };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.off("error", reject);
      resolve(socket);
    });
    socket.setNoDelay(true);
    socket.once("error", reject);
  });
}
