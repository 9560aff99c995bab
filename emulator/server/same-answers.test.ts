import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildDocument } from "../../openapi/document/document.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { serviceOperations } from "../../openapi/operations/register.js";
import { createEmulator, type Emulator } from "../api/emulator.js";
import { type MountedOperation, listMountedOperations } from "../request/mounted-operation.js";

let emulator: Emulator;
let url: string;
beforeAll(async () => {
  emulator = await createEmulator();
  url = await emulator.listen();
});
afterAll(() => emulator.close());

/** Headers that belong to the connection, not to the response. */
const connectionHeaders = new Set(["connection", "content-length", "keep-alive", "transfer-encoding"]);

async function toComparableResponse(response: Response) {
  const headers = [...response.headers].filter(([name]) => !connectionHeaders.has(name));
  return { status: response.status, headers, body: await response.text() };
}

interface Example {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly request?: unknown;
}

/** Creates a request from an operation's example. The ids are those of the contract, so some requests return 404. */
function createExampleRequest({ operationId, method, path: pattern }: MountedOperation, credential: string) {
  const { example } = serviceOperations[operationId] as { readonly example: Example };
  const path = pattern.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(name === "databaseId" ? "db_demo" : (example.parameters?.[name] ?? "x")),
  );
  const hasBody = example.request !== undefined;
  const init = {
    method: method.toUpperCase(),
    headers: {
      Authorization: `Bearer ${credential}`,
      ...(hasBody ? { "Content-Type": "application/json" } : {}),
    },
    ...(hasBody ? { body: JSON.stringify(example.request) } : {}),
  };
  return [path, init] as const;
}

const operations = listMountedOperations(buildDocument(defaultProfile));

describe("a request over a socket and the same in-process", () => {
  it.each(operations)("are treated alike: $routeId", async (operation) => {
    for (const credential of ["dsk_demo_all", "nonsense"]) {
      const [path, init] = createExampleRequest(operation, credential);
      emulator.reset();
      const inProcess = await toComparableResponse(await emulator.fetch(path, init));
      const entries = emulator.journal.entries();
      emulator.reset();
      const overSocket = await toComparableResponse(await fetch(url + path, init));
      // links contain the address that the client called
      const there = overSocket.body.replaceAll(url, "http://localhost");
      expect({ ...overSocket, body: there }).toEqual(inProcess);
      const [before, after] = [entries, emulator.journal.entries()].map((shown) =>
        shown.map(({ operationId, caller, response }) => ({ operationId, caller, status: response.status })),
      );
      expect(after).toEqual(before);
      expect(after?.[0]?.operationId).toBe(operation.operationId);
    }
  });
});
