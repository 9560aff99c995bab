/**
 * Generates clients of the contract with the generators of this folder's package, compiles them, and has one of them talk
 * to an emulator. `npm run clients` installs the generators first. Where there is Java, and OPENAPI_GENERATOR_JAR names the
 * jar of openapi-generator-cli, its clients are made as well, and compiled where what that takes is there without network.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createClient } from "@hey-api/openapi-ts";
import { build } from "esbuild";
import { generateApi } from "swagger-typescript-api";

const root = fileURLToPath(new URL("../..", import.meta.url));
const contract = join(root, "openapi/openapi.json");
const folder = join(root, "dist/cache");
mkdirSync(folder, { recursive: true });
const generated = mkdtempSync(join(folder, "clients-"));

try {
  await createClient({
    input: contract,
    output: join(generated, "hey-api"),
    logs: { level: "silent" },
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
  });
  await generateApi({
    input: contract,
    output: join(generated, "swagger-typescript-api"),
    fileName: "client.ts",
    silent: true,
  });
  const byJava = generateByJava();
  writeFileSync(
    join(generated, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        module: "esnext",
        moduleResolution: "bundler",
        target: "es2022",
        lib: ["es2022", "dom", "dom.iterable"],
        types: [],
      },
      include: ["**/*.ts"],
    }),
  );
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", generated], { stdio: "inherit" });
  console.log(`compiled: ${["hey-api", "swagger-typescript-api", ...byJava].join(", ")}`);
  await talk();
} finally {
  rmSync(generated, { recursive: true, force: true });
}

/** Clients of openapi-generator beside the others, those in Python compiled; says what is missing. */
function generateByJava() {
  const { OPENAPI_GENERATOR_JAR: jar } = process.env;
  const isThere = (command, option) => spawnSync(command, [option], { stdio: "ignore" }).status === 0;
  if (jar === undefined || !isThere("java", "-version")) {
    console.log("not tried: openapi-generator, which takes Java and its jar (OPENAPI_GENERATOR_JAR)");
    return [];
  }
  const generate = (name) => {
    const output = join(generated, name);
    execFileSync("java", ["-jar", jar, "generate", "-i", contract, "-g", name, "-o", output], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    return output;
  };
  generate("typescript-fetch");
  const python = generate("python");
  if (!isThere("python3", "--version")) {
    console.log("not compiled: the client in Python, which takes python3");
    return ["typescript-fetch"];
  }
  execFileSync("python3", ["-m", "compileall", "-q", python], { stdio: "inherit" });
  return ["typescript-fetch", "python"];
}

/** Reads and writes items with the client of hey-api, and is refused what is not there. */
async function talk() {
  const outfile = join(generated, "client.mjs");
  await build({
    stdin: {
      contents: 'export * from "./hey-api/sdk.gen"; export { client } from "./hey-api/client.gen";',
      resolveDir: generated,
      loader: "ts",
    },
    outfile,
    bundle: true,
    format: "esm",
    logLevel: "silent",
  });
  const service = await import(pathToFileURL(outfile).href);
  const { createEmulator } = await import(pathToFileURL(join(root, "dist/index.js")).href);
  const emulator = await createEmulator();
  try {
    service.client.setConfig({ baseUrl: await emulator.listen(), auth: () => "dsk_demo_all" });
    const path = { databaseId: "db_demo" };
    const body = { pk: "customer#client", sk: "order#2030-01-01", data: { total: 42.5 } };
    const put = await service.putItem({ path, body });
    expect(put.data?.pk, body.pk);
    const got = await service.getItemWithSortKey({ path: { ...path, pk: body.pk, sk: body.sk } });
    expect(got.data?.data.total, 42.5);
    const missing = await service.getItem({ path: { ...path, pk: "nobody" } });
    expect(missing.error?.type, "https://data-service.example/problems/item-not-found");
    console.log("talked to the emulator: hey-api");
  } finally {
    await emulator.close();
  }
}

function expect(actual, expected) {
  if (actual !== expected) throw new Error(`expected ${expected}, not ${actual}`);
}
