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
  /** The options with which the port was opened. */
  #options: Required<ListenOptions> | undefined;
  #isClosing = false;

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

  /** @throws Error if the emulator is closed, or is listening with other options */
  async listen(options: ListenOptions = {}): Promise<string> {
    checkListenOptions(options);
    const { allowHosts } = this.namespaces().options;
    if (this.#isClosing) throw new Error("the emulator is closed");
    const { port = 0, host = "127.0.0.1", https = false } = options;
    if (this.#opening === undefined) this.#options = { port, host, https };
    else if (!this.#isListeningWith(options))
      throw new Error("the emulator is already listening with other options; call stopListening() first");
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

  /** Whether the emulator is listening with these options, as far as they are given. The port 0 means any port. */
  #isListeningWith({ port = 0, host, https }: ListenOptions): boolean {
    const used = this.#options;
    const ports = [0, used?.port, Number(new URL(this.#listening?.url ?? "http://localhost").port)];
    return (
      ports.includes(port) &&
      [undefined, used?.host].includes(host) &&
      [undefined, used?.https].includes(https)
    );
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
    this.#isClosing = true;
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
