import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer, json } from "node:stream/consumers";

/** A JSON answer on its way back, open to change. */
export interface PassingAnswer {
  status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/** A server that passes requests on and can spoil the answers. */
export interface AlteringRelay {
  readonly url: string;
  /** Done to every answer, which must be JSON then; without it every byte passes as it is. */
  alter: ((answer: PassingAnswer) => void) | undefined;
  readonly close: () => Promise<void>;
}

/** Starts a relay to a base URL on a free port of the loopback interface. */
export async function startAlteringRelay(upstream: string): Promise<AlteringRelay> {
  const server = createServer((incoming, outgoing) => {
    const pass = async (): Promise<void> => {
      const answer = await forward(upstream, incoming);
      const { statusCode: status = 0, headers } = answer;
      if (relay.alter === undefined) {
        outgoing.writeHead(status, headers).end(await buffer(answer));
        return;
      }
      const passing: PassingAnswer = {
        status,
        headers: { ...headers },
        body: (await json(answer)) as Record<string, unknown>,
      };
      relay.alter(passing);
      const body = Buffer.from(JSON.stringify(passing.body));
      outgoing.writeHead(passing.status, { ...passing.headers, "content-length": body.length }).end(body);
    };
    pass().catch((error: unknown) => outgoing.writeHead(599).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const relay: AlteringRelay = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    alter: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return relay;
}

async function forward(upstream: string, incoming: IncomingMessage): Promise<IncomingMessage> {
  const body = await buffer(incoming);
  const { method, headers, url = "/" } = incoming;
  return new Promise((resolve, reject) => {
    request(upstream + url, { ...(method === undefined ? {} : { method }), headers }, resolve)
      .on("error", reject)
      .end(body);
  });
}
