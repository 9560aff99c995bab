import { connect } from "node:net";

/**
 * Sends bytes to a server unchanged, and returns everything that the server sends until it closes the connection. To
 * make the server close the connection, send `Connection: close` or set `thenEnd`, which half-closes the connection.
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
