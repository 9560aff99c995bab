import { createEmulator, type Emulator } from "../api/emulator.js";
import { createJsonInit } from "./create-json-init.js";
import type { RandomRequest } from "./requests.arbitrary.js";

/** The seed of an emulator, and the requests to send to it. */
export interface TranscriptOptions {
  readonly seed: number;
  readonly requests: readonly RandomRequest[];
}

/** The visible parts of the responses in each namespace: one line per response, and the journal. */
export interface Transcript {
  readonly default: readonly string[];
  readonly other: readonly string[];
}

/** Sends each request to two namespaces of a new emulator; returns the responses. */
export async function recordTwoWorlds({ seed, requests }: TranscriptOptions): Promise<Transcript> {
  const emulator = await createEmulator({ seed });
  const worlds = [await begin(emulator, ""), await begin(emulator, "/ns/other")];
  const lines: string[][] = [[], []];
  for (const request of requests)
    for (const [index, send] of worlds.entries()) lines[index]?.push(await send(request));
  for (const [index, prefix] of ["", "/ns/other"].entries()) {
    const journal = await emulator.fetch(`${prefix}/_emulator/journal`);
    // the duration is the only value in real time
    lines[index]?.push((await journal.text()).replace(/"durationMs":[\d.e-]+/g, ""));
  }
  await emulator.close();
  return { default: lines[0] ?? [], other: lines[1] ?? [] };
}

/** Logs in; returns a function that sends a request as one of the callers and formats the response. */
async function begin(emulator: Emulator, prefix: string) {
  const send = (method: string, path: string, body: unknown, credential?: string) =>
    emulator.fetch(prefix + path, createJsonInit(method, body, credential));
  const login = await send("POST", "/auth/password", { email: "owner@demo.test", password: "demo-password" });
  const { authResponse } = (await login.json()) as { authResponse: { accessToken: string } };
  const organization = { organizationId: "org_demo_pro" };
  const switched = await send("POST", "/auth/switch-organization", organization, authResponse.accessToken);
  const { accessToken } = (await switched.json()) as { accessToken: string };
  const apiKey = emulator.apiKeys.list().find(({ scopes }) => scopes.includes("*"))?.key ?? "";
  const credentials = { owner: accessToken, key: apiKey, nobody: undefined };
  return async ({ method, path, body, as }: RandomRequest): Promise<string> => {
    try {
      const response = await send(method, path, body, credentials[as]);
      const head = [method, path, response.status, ...[...response.headers].flat()].join(" ");
      return `${head}\n${await response.text().catch((error: unknown) => String(error))}`;
    } catch (error) {
      return `${method} ${path} ${String(error)}`;
    }
  };
}
