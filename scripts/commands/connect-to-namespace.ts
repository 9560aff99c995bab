import { connectEmulator, type RemoteNamespace } from "../../emulator/api/connect.js";

export interface ConnectionOptions {
  readonly url?: string | undefined;
  readonly namespace?: string | undefined;
}

/** Connects to the running emulator that the options name. */
export async function connectToNamespace({ url, namespace }: ConnectionOptions) {
  const all = await connectEmulator(url ?? process.env.DATA_SERVICE_URL ?? "http://127.0.0.1:4100");
  const world: RemoteNamespace = namespace === undefined ? all : all.namespace(namespace);
  return { all, world };
}
