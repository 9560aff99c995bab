import type { Hono } from "hono";
import { createApp } from "../app/create-app.js";
import { writeCoverage } from "../coverage/write-coverage.js";
import type { Namespaces } from "../namespaces/namespaces.js";
import type { EmulatorEnv } from "../request/emulator-env.js";
import { closeServer, listen } from "../server/listen.js";
import { createSelfSignedCertificate } from "../server/self-signed-certificate.js";
import type { EmulatorOptions, ListenOptions } from "./emulator-options.js";
import { checkListenOptions } from "./read-options.js";

type Listening = Awaited<ReturnType<typeof listen>>;

/** The namespaces, and the server through which clients reach them. */
export class EmulatorHost {
  readonly app: Hono<EmulatorEnv>;
  readonly #namespaces: Namespaces;
  #opening: Promise<Listening> | undefined;
  #listening: Listening | undefined;

  constructor(namespaces: Namespaces, options: EmulatorOptions) {
    const { console: hasConsole = true, middleware = [] } = options;
    this.#namespaces = namespaces;
    this.app = createApp(namespaces, {
      hasConsole,
      middleware,
      isListening: () => this.#listening !== undefined,
    });
  }

  /** @throws Error if the emulator is closed */
  namespaces(): Namespaces {
    if (this.#namespaces.isClosed) throw new Error("the emulator is closed");
    return this.#namespaces;
  }

  /** The base URL; undefined unless the emulator is listening. */
  url(): string | undefined {
    return this.#listening?.url;
  }

  /** @throws Error if the emulator is closed */
  async listen(options: ListenOptions = {}): Promise<string> {
    checkListenOptions(options);
    const { allowHosts } = this.namespaces().options;
    const { port = 0, host = "127.0.0.1", https = false } = options;
    const certificate = https ? createSelfSignedCertificate([host, ...allowHosts]) : undefined;
    // A call while the port is being opened returns the same URL.
    const opening = (this.#opening ??= listen(this.app, { port, host, certificate }));
    try {
      const listening = await opening;
      if (this.#opening === opening) this.#listening = listening;
      return listening.url;
    } catch (error) {
      if (this.#opening === opening) this.#opening = undefined;
      throw error;
    }
  }

  async stopListening(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    this.#listening = undefined;
    // Requests delayed by a fault rule would keep the server open.
    for (const { faults } of this.#namespaces.list()) faults.release();
    const listening = await opening?.catch(() => undefined);
    if (listening !== undefined) await closeServer(listening.server);
  }

  async close(): Promise<void> {
    for (const { faults } of this.#namespaces.list()) faults.close();
    await this.stopListening();
    const { coverage } = this.#namespaces.options;
    try {
      if (!this.#namespaces.isClosed && coverage !== undefined) writeCoverage(coverage.met);
    } finally {
      this.#namespaces.close();
    }
  }
}
