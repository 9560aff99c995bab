import { isDeepStrictEqual } from "node:util";
import type { Exchange, Manner } from "../client/exchange.js";
import { Recorder } from "../client/recorder.js";

/** Something that happened while a history was recorded. */
export type Traced =
  | {
      readonly kind: "exchange";
      readonly exchange: Exchange;
      readonly manner: Manner;
      readonly segment: number;
      /** Whether it went to the control plane. */
      readonly isControl: boolean;
    }
  | { readonly kind: "pause"; readonly milliseconds: number; readonly segment: number };

/** Keeps what one check does, in order: its own requests, its calls of the control plane, and how it waits. */
export class Tracer {
  #events: Traced[] = [];
  #isTracing = false;
  #segment = 0;

  begin(): void {
    this.#events = [];
    this.#segment = 0;
    this.#isTracing = true;
  }

  /** What comes now is done on nobody's behalf. */
  end(): void {
    this.#isTracing = false;
  }

  /** What was kept since the beginning. */
  take(): readonly Traced[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  exchange(exchange: Exchange, manner: Manner, isControl: boolean): void {
    if (!this.#isTracing) return;
    // whoever goes through the history tries again where it is needed
    if (manner.isAgain === true) this.#drop(exchange);
    const { path, impatient, unpaced } = manner;
    const kept: Manner = {
      ...(path === undefined ? {} : { path }),
      ...(impatient === undefined ? {} : { impatient }),
      ...(unpaced === undefined ? {} : { unpaced }),
    };
    this.#events.push({ kind: "exchange", exchange, manner: kept, segment: this.#segment, isControl });
  }

  /** Takes out what was sent last in the same words. */
  #drop({ request, caller }: Exchange): void {
    const at = this.#events.findLastIndex(
      (event) =>
        event.kind === "exchange" &&
        event.exchange.caller === caller &&
        isDeepStrictEqual(event.exchange.request, request),
    );
    if (at >= 0) this.#events.splice(at, 1);
  }

  paused(milliseconds: number): void {
    if (this.#isTracing) this.#events.push({ kind: "pause", milliseconds, segment: this.#segment });
  }

  /** A try of a property begins: it stands for itself. */
  nextSegment(): void {
    this.#segment++;
  }
}

/** A recorder of a run whose checks are traced. */
export class TraceRecorder extends Recorder {
  readonly #tracer: Tracer;
  readonly #onExchange: (exchange: Exchange) => void;

  /** @param onExchange told of everything that a check sends, be it traced or not */
  constructor(tracer: Tracer, onExchange: (exchange: Exchange) => void) {
    super();
    this.#tracer = tracer;
    this.#onExchange = onExchange;
  }

  override forOne(): Recorder {
    return new CheckRecorder(this.#tracer, this);
  }

  override count(exchange: Exchange): void {
    this.#onExchange(exchange);
    super.count(exchange);
  }
}

class CheckRecorder extends Recorder {
  readonly #tracer: Tracer;

  constructor(tracer: Tracer, parent: Recorder) {
    super(0, parent);
    this.#tracer = tracer;
  }

  override add(exchange: Exchange, manner: Manner = {}): void {
    this.#tracer.exchange(exchange, manner, false);
    super.add(exchange, manner);
  }

  override forget(): void {
    this.#tracer.nextSegment();
    super.forget();
  }
}

/** Keeps what goes to the control plane on behalf of a check. */
export class ControlRecorder extends Recorder {
  readonly #tracer: Tracer;

  constructor(tracer: Tracer) {
    super();
    this.#tracer = tracer;
  }

  override add(exchange: Exchange, manner: Manner = {}): void {
    this.#tracer.exchange(exchange, manner, true);
    super.add(exchange, manner);
    super.forget();
  }
}
