import { createEmulator, type Emulator } from "../api/emulator.js";
import type { RandomRequest } from "./requests.arbitrary.js";

/** Requests, and the seed of the emulator that they are sent to. */
export interface TranscriptOptions {
  readonly seed: number;
  readonly requests: readonly RandomRequest[];
}

/** All that can be seen of the answers, by namespace: a line an answer, and the journal. */
export interface Transcript {
  readonly default: readonly string[];
  readonly other: readonly string[];
}

/** Sends requests to a new emulator, each in two namespaces in turn, and writes down what is answered. */
export async function recordTwoWorlds({ seed, requests }: TranscriptOptions): Promise<Transcript> {
  const emulator = await createEmulator({ seed });
  const worlds = [await begin(emulator, ""), await begin(emulator, "/ns/other")];
  const lines: string[][] = [[], []];
  for (const request of requests)
    for (const [index, send] of worlds.entries()) lines[index]?.push(await send(request));
  for (const [index, prefix] of ["", "/ns/other"].entries()) {
    const journal = await emulator.fetch(`${prefix}/_emulator/journal`);
    // the one thing that is real time
    lines[index]?.push((await journal.text()).replace(/"durationMs":[\d.e-]+/g, ""));
  }
  await emulator.close();
  return { default: lines[0] ?? [], other: lines[1] ?? [] };
}

/** Logs in, and gives back what sends a request as one of the callers and writes down its answer. */
async function begin(emulator: Emulator, prefix: string) {
  const login = await emulator.fetch(`${prefix}/auth/password`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: "owner@demo.test", password: "demo-password" }),
  });
  const { authResponse } = (await login.json()) as { authResponse: { accessToken: string } };
  const switched = await emulator.fetch(`${prefix}/auth/switch-organization`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${authResponse.accessToken}` },
    body: JSON.stringify({ organizationId: "org_demo_pro" }),
  });
  const { accessToken } = (await switched.json()) as { accessToken: string };
  const apiKey = emulator.apiKeys.list().find(({ scopes }) => scopes.includes("*"))?.key ?? "";
  const credentials = { owner: accessToken, key: apiKey, nobody: undefined };
  return async ({ method, path, body, as }: RandomRequest): Promise<string> => {
    const credential = credentials[as];
    try {
      const response = await emulator.fetch(prefix + path, {
        method,
        headers: {
          ...(credential === undefined ? {} : { Authorization: `Bearer ${credential}` }),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const head = [method, path, response.status, ...[...response.headers].flat()].join(" ");
      return `${head}\n${await response.text().catch((error: unknown) => String(error))}`;
    } catch (error) {
      return `${method} ${path} ${String(error)}`;
    }
  };
}
