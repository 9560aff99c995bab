import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { strictContractPath } from "../strict-contract.js";

/** An entry of the `sl-violations` header: what Prism found and where. */
export interface Violation {
  /** `request` or `response`, followed by the path to the value. */
  readonly location: readonly string[];
  readonly severity: string;
  readonly message: string;
}

/** A running Prism proxy that validates requests and responses against the contract. */
export interface PrismProxy {
  readonly url: string;
  readonly close: () => Promise<void>;
}

const prism = createRequire(import.meta.url).resolve("@stoplight/prism-cli");
const patienceMs = 170_000;

/**
 * Starts the same proxy as `npm run proxy -- UPSTREAM`, on a free port of the loopback interface.
 *
 * @throws Error with Prism's output if the proxy is not ready in time
 */
export async function startPrismProxy(upstream: string): Promise<PrismProxy> {
  const child = spawn(process.execPath, [prism, "proxy", strictContractPath, upstream, "--port", "0"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" },
  });
  // if the test process exits early, Prism must exit too
  const end = (): void => void child.kill("SIGKILL");
  process.once("exit", end);
  const close = async (): Promise<void> => {
    process.off("exit", end);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  try {
    return { url: await readyAt(child), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function readyAt(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    const fail = (what: string): void => reject(new Error(`Prism ${what}. It printed:\n${printed}`));
    const timer = setTimeout(() => fail("was not ready in time"), patienceMs);
    // keeps reading as long as Prism runs, because otherwise the pipes would fill up
    const read = (chunk: Buffer): void => {
      printed = (printed + chunk.toString()).slice(-20_000);
      const url = /Prism is listening on (http:\/\/\S+)/.exec(printed)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("error", ({ message }) => fail(`did not start: ${message}`));
    child.once("exit", (code) => {
      clearTimeout(timer);
      fail(`ended with ${String(code)}`);
    });
  });
}

/** Returns the errors and warnings that Prism found, from a response that it passed on. */
export function getViolations(response: Response): readonly Violation[] {
  const header = response.headers.get("sl-violations");
  if (header === null) return [];
  // Prism truncates a long list, so that it is not valid JSON
  if (header.startsWith("Too many violations!"))
    return [{ location: ["response"], severity: "Error", message: header }];
  return JSON.parse(header) as Violation[];
}
