import { profileSchema } from "../../openapi/gaps/profile.js";
import { fail } from "./command-error.js";

const kinds = ["profile", "target"];

/** `data-service schema`: the JSON Schema of a file that people write, for their editors. */
export async function printSchema(kind: string): Promise<void> {
  if (!kinds.includes(kind)) fail(`there are schemas of ${kinds.join(" and ")} files, not of ${kind}`);
  process.stdout.write(`${JSON.stringify(await schemaOf(kind), null, 2)}\n`);
}

async function schemaOf(kind: string): Promise<object> {
  if (kind === "profile") return profileSchema();
  // the suite is large, and the other commands do without it
  const { targetSchema } = await import("../../conformance/target/target-file.js");
  return targetSchema();
}
