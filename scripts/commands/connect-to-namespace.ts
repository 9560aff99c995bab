import { connectEmulator } from "../../emulator/api/connect.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";
import { fail } from "./terminal.js";

export interface ConnectionOptions {
  readonly url?: string | undefined;
  readonly namespace?: string | undefined;
  /** Whether the command may create the namespace; for all other commands, an unknown name is an error. */
  readonly createsNamespace?: boolean;
}

const nameUrl = "; give the emulator's URL on the command line (see --help) or in DATA_SERVICE_URL";
const maxListedNames = 20;

/** Connects to the running emulator that the options name. */
export async function connectToNamespace({ url, namespace, createsNamespace = false }: ConnectionOptions) {
  const all = await connectEmulator(url ?? process.env.DATA_SERVICE_URL ?? "http://127.0.0.1:4100").catch(
    (error: unknown) => fail(`${toErrorMessage(error)}${url === undefined ? nameUrl : ""}`),
  );
  if (namespace === undefined) return { all, world: all };
  const names = createsNamespace ? [namespace] : (await all.namespaces.list()).map(({ name }) => name);
  if (!names.includes(namespace)) {
    const more = names.length > maxListedNames ? ` and ${names.length - maxListedNames} more` : "";
    const listed = `${names.slice(0, maxListedNames).join(", ")}${more}`;
    fail(
      `there is no namespace ${JSON.stringify(namespace)}; existing namespaces: ${listed} (to create a namespace, use reset --namespace NAME)`,
    );
  }
  return { all, world: all.namespace(namespace) };
}
