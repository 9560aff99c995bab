import { connect } from "node:net";

/**
 * Sends bytes to a server as they are and collects what comes back until the server ends the connection. Ask for
 * that with `Connection: close`, or tell it with `thenEnd` that nothing more will come.
 */
export function sendRawBytes(
  url: string,
  chunks: readonly (string | Uint8Array)[],
  { thenEnd = false } = {},
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      for (const chunk of chunks) socket.write(chunk);
      if (thenEnd) socket.end();
    });
    socket.on("data", (chunk: Buffer) => received.push(chunk));
    socket.on("error", reject);
    socket.on("end", () => socket.end());
    socket.on("close", () => resolve(Buffer.concat(received).toString("latin1")));
  });
}
