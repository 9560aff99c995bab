import { isDeepStrictEqual } from "node:util";
import type { Exchange, Manner } from "../client/exchange.js";
import { Recorder } from "../client/recorder.js";
import type { TracedEvent } from "./to-history.js";

/** Keeps what one check does, in order: its requests, its calls of the control plane, and its pauses. */
export class Tracer {
  #events: TracedEvent[] = [];
  #isTracing = false;
  #segment = 0;

  /** Traces what some work does. */
  async trace(work: () => Promise<void>): Promise<void> {
    this.#events = [];
    this.#segment = 0;
    this.#isTracing = true;
    try {
      await work();
    } finally {
      this.#isTracing = false;
    }
  }

  /** The events since the work began. */
  take(): readonly TracedEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #add(exchange: Exchange, { path, impatient, unpaced, isAgain }: Manner, isControl: boolean): void {
    if (!this.#isTracing) return;
    // a replay repeats requests by itself
    const before = isAgain === true ? this.#events.findLastIndex((event) => isSame(event, exchange)) : -1;
    if (before >= 0) this.#events.splice(before, 1);
    const manner: Manner = {
      ...(path === undefined ? {} : { path }),
      ...(impatient === undefined ? {} : { impatient }),
      ...(unpaced === undefined ? {} : { unpaced }),
    };
    this.#events.push({ exchange, manner, segment: this.#segment, isControl });
  }

  /** A recorder of the run whose checks are traced. */
  recorder(onExchange: (exchange: Exchange) => void): Recorder {
    const checkRecorder = (parent: Recorder) =>
      new TracingRecorder(
        (exchange, manner) => this.#add(exchange, manner, false),
        // every try of a property stands for itself
        () => this.#segment++,
        parent,
      );
    return new (class extends Recorder {
      override forOne(): Recorder {
        return checkRecorder(this);
      }

      override count(exchange: Exchange): void {
        onExchange(exchange);
        super.count(exchange);
      }
    })();
  }

  /** A recorder of calls of the control plane. */
  controlRecorder(): Recorder {
    const recorder = new TracingRecorder((exchange, manner) => {
      this.#add(exchange, manner, true);
    });
    return recorder;
  }
}

class TracingRecorder extends Recorder {
  readonly #onAdd: (exchange: Exchange, manner: Manner) => void;
  readonly #onForget: () => void;

  constructor(
    onAdd: (exchange: Exchange, manner: Manner) => void,
    onForget: () => void = () => undefined,
    parent?: Recorder,
  ) {
    super(0, parent);
    this.#onAdd = onAdd;
    this.#onForget = onForget;
  }

  override add(exchange: Exchange, manner: Manner = {}): void {
    this.#onAdd(exchange, manner);
    super.add(exchange, manner);
  }

  override forget(): void {
    this.#onForget();
    super.forget();
  }
}

function isSame({ exchange }: TracedEvent, { caller, request }: Exchange): boolean {
  return exchange.caller === caller && isDeepStrictEqual(exchange.request, request);
}
