import { createEmulator, type Emulator } from "./emulator.js";
import type { EmulatorOptions } from "./emulator-options.js";
import type { EmulatorNamespace } from "./emulator-namespace.js";
import { defaultNamespace } from "../request/name.js";

/** How the worlds of tests begin. */
export interface DataServiceOptions extends EmulatorOptions {
  /**
   * Fills a world once for each worker of Vitest; every test begins with a copy of it. With `data`, it is given the
   * world of that file.
   */
  readonly prepare?: (world: EmulatorNamespace) => void | Promise<void>;
}

/** The name of the snapshot that worlds begin as, where something was prepared. */
const prepared = "prepared";

/** An emulator that starts when the first test asks for a world, and hands out a namespace for each. */
export class TestWorlds {
  readonly #options: DataServiceOptions;
  #emulator: Promise<Emulator> | undefined;
  /** Tests that have a world or wait for one. */
  #tests = 0;
  readonly #names = new Set<string>();

  constructor(options: DataServiceOptions) {
    this.#options = options;
  }

  /** A new world, named for the test so that URLs and ids do not depend on which tests ran before. */
  async begin(title: string): Promise<EmulatorNamespace> {
    this.#tests += 1;
    try {
      const emulator = await (this.#emulator ??= startEmulator(this.#options));
      const name = this.#freeName(title);
      const world = isPrepared(this.#options)
        ? emulator.snapshots.fork(prepared, name)
        : emulator.namespace(name);
      this.#names.add(name);
      return world;
    } catch (error) {
      this.#tests -= 1;
      throw error;
    }
  }

  /** Deletes a world, and with the last of them what tests forked beside theirs. */
  async end(world: EmulatorNamespace): Promise<void> {
    const emulator = await this.#emulator;
    this.#names.delete(world.name);
    this.#tests -= 1;
    // the test may have deleted it, or never looked at it
    for (const { name } of emulator?.namespaces.list() ?? [])
      if (name === world.name || (this.#tests === 0 && name !== defaultNamespace))
        emulator?.namespaces.delete(name);
  }

  async urlOf({ name }: EmulatorNamespace): Promise<string> {
    const emulator = await (this.#emulator ??= startEmulator(this.#options));
    return `${await emulator.listen()}/ns/${name}`;
  }

  /** Ends the emulator at the end of a file; where files share a worker, the next one starts another. */
  async close(): Promise<void> {
    if (this.#tests > 0) return;
    const emulator = this.#emulator;
    this.#emulator = undefined;
    await (await emulator?.catch(() => undefined))?.close();
  }

  #freeName(title: string): string {
    const slug = title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .slice(0, 48)
      .replace(/^-|-$/g, "");
    const base = slug === "" || slug === defaultNamespace ? `test-${slug}` : slug;
    let name = base;
    for (let number = 2; this.#names.has(name); number += 1) name = `${base}-${number}`;
    return name;
  }
}

/** Whether worlds are copies; other namespaces begin with the fixture, whatever `data` the default one has. */
function isPrepared({ prepare, data }: DataServiceOptions): boolean {
  return prepare !== undefined || data !== undefined;
}

async function startEmulator(options: DataServiceOptions): Promise<Emulator> {
  const { prepare, ...ofEmulator } = options;
  const emulator = await createEmulator(ofEmulator);
  try {
    await prepare?.(emulator);
    if (isPrepared(options)) emulator.snapshot(prepared);
    return emulator;
  } catch (error) {
    await emulator.close();
    throw error;
  }
}
