import { convertStateToSeed } from "../../emulator/seeds/convert-state-to-seed.js";
import { formatSeed } from "../../emulator/seeds/seed-text.js";
import { loadSqlite } from "../../emulator/sqlite/sqlite.js";
import { readStateFileBytes } from "../../emulator/state-files/read-state-file-bytes.js";
import { escapeInvisible } from "../../openapi/text/escape-invisible.js";
import { connectToNamespace } from "./connect-to-namespace.js";
import { fail, print } from "./terminal.js";
import { writeOutputFile } from "./write-file-atomically.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";

interface ExportOptions {
  readonly data?: string;
  readonly url?: string;
  readonly namespace?: string;
  readonly format: "yaml" | "json";
  readonly output?: string;
}

/** `data-service export`: writes the data of a state file or of a running emulator as a seed file. */
export async function exportSeed(options: ExportOptions): Promise<void> {
  const { data, url, namespace, format, output } = options;
  if (data !== undefined && (url !== undefined || namespace !== undefined))
    fail(
      "use either --data (to export a file), or --url and --namespace (to export from a running emulator)",
    );
  let text: string;
  try {
    const file =
      data === undefined
        ? await (await connectToNamespace({ url, namespace })).world.export()
        : await readStateFileBytes(data);
    text = formatSeed(convertStateToSeed(await loadSqlite(), file), format);
  } catch (error) {
    const why = escapeInvisible(toErrorMessage(error));
    const isMissing = (error as { readonly code?: string }).code === "ENOENT";
    fail(data === undefined ? why : `cannot export ${data}: ${isMissing ? "it does not exist" : why}`);
  }
  if (output === undefined) print(text);
  else writeOutputFile(output, text);
}
