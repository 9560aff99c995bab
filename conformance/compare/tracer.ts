import { isDeepStrictEqual } from "node:util";
import type { Exchange, CallBehavior } from "../client/exchange.js";
import { Recorder } from "../client/recorder.js";
import type { TracedEvent } from "./to-history.js";

/** Keeps what one check after the other does, in order: its requests and its calls of the control plane. */
export class Tracer extends Recorder {
  readonly #onExchange: (exchange: Exchange) => void;
  #events: TracedEvent[] | undefined;
  #segment = 0;

  /** @param onExchange told of every exchange of the run */
  constructor(onExchange: (exchange: Exchange) => void) {
    super();
    this.#onExchange = onExchange;
  }

  /** Does some work, and adds what it does to a list. */
  async trace(work: () => Promise<void>, events: TracedEvent[]): Promise<void> {
    this.#events = events;
    this.#segment = 0;
    try {
      await work();
    } finally {
      this.#events = undefined;
    }
  }

  override forOne(): Recorder {
    return this.#recorderOf(false);
  }

  /** A recorder of calls of the control plane. */
  forControl(): Recorder {
    return this.#recorderOf(true);
  }

  override count(exchange: Exchange): void {
    this.#onExchange(exchange);
    super.count(exchange);
  }

  #recorderOf(isControl: boolean): Recorder {
    const note = (exchange: Exchange, manner: CallBehavior) => this.#note(exchange, manner, isControl);
    // every try of a property stands for itself
    const beginSegment = () => {
      this.#segment++;
    };
    return new (class extends Recorder {
      override add(exchange: Exchange, manner: CallBehavior = {}): void {
        note(exchange, manner);
        super.add(exchange, manner);
      }

      override forget(): void {
        beginSegment();
        super.forget();
      }
    })(0, this);
  }

  #note(exchange: Exchange, manner: CallBehavior, isControl: boolean): void {
    const events = this.#events;
    if (events === undefined) return;
    // a replay repeats requests by itself
    const before =
      manner.isAgain === true
        ? events.findLastIndex(
            ({ exchange: { caller, request } }) =>
              caller === exchange.caller && isDeepStrictEqual(request, exchange.request),
          )
        : -1;
    if (before >= 0) events.splice(before, 1);
    events.push({ exchange, manner, segment: this.#segment, isControl });
  }
}
