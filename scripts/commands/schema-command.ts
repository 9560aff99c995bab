import { profileSchema } from "../../openapi/gaps/profile-schema.js";
import { seedSchema } from "../../emulator/seeds/seed-schema.js";
import { fail } from "./command-error.js";

const kinds = ["profile", "seed", "target"];

/** `data-service schema`: the JSON Schema of a file that people write, for their editors. */
export async function printSchema(kind: string): Promise<void> {
  if (!kinds.includes(kind)) fail(`there are schemas of ${kinds.join(", ")} files, not of ${kind}`);
  process.stdout.write(`${JSON.stringify(await schemaOf(kind), null, 2)}\n`);
}

async function schemaOf(kind: string): Promise<object> {
  if (kind === "profile") return profileSchema();
  if (kind === "seed") return seedSchema();
  // the suite is large, and the other commands do without it
  const { targetSchema } = await import("../../conformance/target/target-file.js");
  return targetSchema();
}
