/**
 * Builds the JavaScript and declarations of the package in dist/. `--js-only` skips the declarations; `--types-only` builds
 * only the declarations. `--unchecked` skips type checks, which take two thirds of the time: `npm ci` uses it.
 *
 * The project's code is bundled, because one file loads faster than a hundred; packages remain imports. The command also
 * bundles Hono, which makes it start faster; the library imports Hono, so that users get the version that they have
 * installed. The build replaces imports of `package.json` with an object that contains only the name and version.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
process.chdir(root);
const packageJson = JSON.parse(readFileSync("package.json", "utf8"));

/** @type {import("esbuild").Plugin} */
const versionOnly = {
  name: "version-only",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]package\.json$/ }, () => ({
      contents: JSON.stringify({ name: packageJson.name, version: packageJson.version }),
      loader: "json",
    }));
  },
};

/** Packages that the PDF library loads for images and HTML, which invoices do not use. */
const unusedPackages = ["canvg", "core-js", "dompurify", "html2canvas"];

/** Packages that are not bundled. */
const packages = [...Object.keys(packageJson.dependencies), ...Object.keys(packageJson.peerDependencies)];

/** Entry points that are also available as CommonJS. */
const commonJsEntryPoints = { connect: "emulator/connect.ts", jest: "emulator/jest.ts" };
/** The entry points that do not import Hono from the user's project share one set of chunks. */
const entryPointsWithoutHono = { conformance: "conformance/index.ts", ...commonJsEntryPoints };
const command = {
  entryPoints: { "cli-main": "scripts/commands/main.ts", ...entryPointsWithoutHono },
  external: packages.filter((name) => !name.includes("hono")),
};

const library = {
  entryPoints: Object.fromEntries(
    ["index", "config", "node-test", "playwright", "vitest", "vitest-reporter"].map((name) => [
      name,
      `emulator/${name}.ts`,
    ]),
  ),
  external: packages,
};

/**
 * Replaces a type used only as an index parameter, which the bundler of declarations does not follow.
 *
 * @type {import("rollup").Plugin}
 */
const extensionNames = {
  name: "extension-names",
  renderChunk: (code) => code.replaceAll("[extensionName: IExtensionName]", "[extensionName: `x-${string}`]"),
};

/**
 * Writes the names of a constant's members instead of `keyof typeof constant`, so that declarations do not contain the
 * constant.
 *
 * @type {import("rollup").Plugin}
 */
const namesOfMembers = {
  name: "names-of-members",
  transform: (code) =>
    code.replace(/(?<=^export type \w+ = )keyof typeof (\w+)(?=;$)/gm, (type, constant) => {
      const [, members = ""] =
        new RegExp(`^export declare const ${constant}: \\{\n(.*?)^\\};$`, "ms").exec(code) ?? [];
      const names = [...members.matchAll(/^ {4}(?:readonly )?"?([\w-]+)"?: /gm)].map(
        ([, name]) => `"${name}"`,
      );
      return names.join(" | ") || type;
    }),
};

/**
 * Keeps the types written by openapi-typescript in files of their own, which other declarations import.
 *
 * @type {import("rollup").Plugin}
 */
const publishedTypes = {
  name: "published-types",
  resolveId(source) {
    const [, name] = /([\w-]+-types)\.js$/.exec(source) ?? [];
    const isPublished = name === "service-types" || name === "control-plane-types";
    const file = name === "service-types" ? "openapi-types" : name;
    // the bundler mirrors the common folder of all entry points in its output
    return isPublished ? { id: `${root}dist/types/${file}.cjs`, external: "relative" } : undefined;
  },
};

/** Options of all bundles. @type {import("esbuild").BuildOptions} */
const nodeOptions = { bundle: true, platform: "node", target: "node20", logLevel: "warning" };

/** Packages whose code is in the published package. */
const includedPackages = new Set(["sql.js", "htmx.org", "swagger-ui-dist"]);

if (!process.argv.includes("--types-only")) {
  await step("the command and the libraries (dist/*.js)", bundle);
  await step("the entry points for CommonJS (dist/*.cjs)", bundleForCommonJs);
  await step("lazily loaded modules (dist/late)", bundleLateModules);
  await step("the styles and scripts of pages (dist/page-assets)", writePageAssets);
  await step("the starting states of the fixtures (dist/starting-states)", writeStartingStates);
  writeLicenses();
}
if (!process.argv.includes("--js-only"))
  await step("the declarations (dist/*.d.ts), the slowest step", buildDeclarations);

/** Writes to standard error, because `npm pack --json` needs standard output. */
async function step(what, build) {
  process.stderr.write(`building ${what} … `);
  const started = performance.now();
  await build();
  process.stderr.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

async function bundle() {
  // chunks have hashed names: those of earlier builds would remain
  rmSync("dist/chunks", { recursive: true, force: true });
  for (const part of [command, library]) {
    const { metafile } = await build({
      ...nodeOptions,
      ...part,
      outdir: "dist",
      splitting: true,
      chunkNames: "chunks/[name]-[hash]",
      format: "esm",
      // names are kept for stack traces
      minifyWhitespace: true,
      minifySyntax: true,
      // Node prints the whole line that threw an uncaught error
      lineLimit: 320,
      plugins: [versionOnly],
      metafile: true,
    });
    for (const name of listBundledPackages(metafile)) includedPackages.add(name);
  }
  writeCommand("dist/cli.js", packageJson.engines.node.replace(/^\D+/, ""));
  cpSync("node_modules/sql.js/dist/sql-wasm.js", "dist/sqlite/sql-wasm.cjs");
  cpSync("node_modules/sql.js/dist/sql-wasm.wasm", "dist/sqlite/sql-wasm.wasm");
}

/** Writes the licenses of the bundled packages. */
function writeLicenses() {
  const texts = [...includedPackages].sort().map((name) => {
    const file = readdirSync(`node_modules/${name}`).find((one) => /^licen[cs]e/i.test(one));
    const text = file === undefined ? "" : readFileSync(`node_modules/${name}/${file}`, "utf8");
    return `${name}\n\n${text}`;
  });
  cpSync("node_modules/swagger-ui-dist/NOTICE", "dist/NOTICE-swagger-ui.txt");
  writeFileSync("dist/THIRD-PARTY-LICENSES.txt", texts.join("\n"));
}

/** The client for an emulator in another process as CommonJS, for test runners that cannot load ES modules. */
async function bundleForCommonJs() {
  await build({
    ...nodeOptions,
    entryPoints: commonJsEntryPoints,
    outdir: "dist",
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    minifyWhitespace: true,
    lineLimit: 320,
  });
}

/** Bundles each lazily loaded package into one file, and precompiles validators, so that Ajv is rarely loaded. */
async function bundleLateModules() {
  rmSync("dist/late", { recursive: true, force: true });
  // before the modules, because Ajv and its code generator must be the same copy
  /** @type {[texts: string[], module: string][]} */
  const validators = JSON.parse(await runScript("write-validators"));
  // files are numbered like the lists of texts
  for (const [index, [, contents]] of validators.entries())
    await bundleLateModule(`validators/${index}.cjs`, contents);
  writeFileSync("dist/late/validators/texts.json", JSON.stringify(validators.map(([texts]) => texts)));
  /** @type {Record<string, string>} */
  const files = JSON.parse(readFileSync("openapi/packaged/late-modules.json", "utf8"));
  for (const file of new Set(Object.values(files))) {
    const names = Object.keys(files).filter((name) => files[name] === file);
    const members = names.map(
      (name) => `get ${JSON.stringify(name)}() { return require(${JSON.stringify(name)}); }`,
    );
    await bundleLateModule(file, `module.exports = { ${members.join(", ")} };`);
  }
}

/** @param {string} file @param {string} contents */
async function bundleLateModule(file, contents) {
  const { metafile } = await build({
    ...nodeOptions,
    stdin: { contents, resolveDir: "." },
    outfile: `dist/late/${file}`,
    format: "cjs",
    minify: true,
    // class names are part of messages
    // a generated parser would set the names of its functions at each call
    keepNames: !/^validators\/|-grammar/.test(file),
    external: unusedPackages,
    metafile: true,
  });
  for (const name of listBundledPackages(metafile)) includedPackages.add(name);
}

/** Writes the styles and scripts of the console and of reports. */
function writePageAssets() {
  rmSync("dist/page-assets", { recursive: true, force: true });
  mkdirSync("dist/page-assets");
  const { resolve } = createRequire(import.meta.url);
  const sources = JSON.parse(readFileSync("openapi/html/asset-sources.json", "utf8"));
  for (const [name, { file, module }] of Object.entries(sources)) {
    const source = file === undefined ? resolve(module) : file;
    // source maps are not in the package, and a browser would request them
    const text = readFileSync(source, "utf8").replace(/\n?\/[/*]# sourceMappingURL=\S+(?: \*\/)?/g, "");
    writeFileSync(`dist/page-assets/${name}.br`, brotliCompressSync(text));
  }
}

/** Writes starting states, because opening them is faster than filling tables at every start. */
async function writeStartingStates() {
  rmSync("dist/starting-states", { recursive: true, force: true });
  await runScript("write-starting-states", "dist/starting-states");
}

/** Builds a script of this folder and runs it. @param {string} name @param {string[]} words */
async function runScript(name, ...words) {
  const script = `dist/cache/${name}.js`;
  const entryPoints = [`scripts/development/build/${name}.ts`];
  const options = { format: "esm", packages: "external", plugins: [versionOnly] };
  await build({ ...nodeOptions, ...options, entryPoints, outfile: script });
  return runNode(script, ...words);
}

/** Runs a Node script and returns its output; the build fails if it fails. @param {string[]} words */
function runNode(...words) {
  const { status, stdout } = spawnSync(process.execPath, words, {
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 26,
    encoding: "utf8",
  });
  if (status === 0) return stdout;
  process.stderr.write(stdout);
  process.exit(status ?? 1);
}

/** Writes one declaration file per entry point; shared declarations are in dist/shared. */
async function buildDeclarations() {
  const compiler = fileURLToPath(import.meta.resolve("typescript/bin/tsc"));
  // scripts are not in the package; check:types compiles them
  const unchecked = process.argv.includes("--unchecked") ? ["--noCheck"] : [];
  runNode(compiler, "-b", "emulator", "conformance", ...unchecked);
  // tsc does not emit declarations for generated JavaScript, nor copy the ones beside it
  for (const folder of ["openapi", "fixtures", "emulator", "conformance"])
    for (const file of readdirSync(folder, { recursive: true }))
      if (/\.d\.c?ts$/.test(file)) cpSync(`${folder}/${file}`, `dist/types/${folder}/${file}`);
  rmSync("dist/shared", { recursive: true, force: true });
  await writeDeclarations(
    { ...entryPointsWithoutHono, ...library.entryPoints },
    {
      entryFileNames: "[name].d.ts",
      chunkFileNames: ({ name }) => `shared/${name.replace(/\.d$/, "")}.d.ts`,
    },
  );
  // both ES and CommonJS modules can import types of a CommonJS module
  await writeDeclarations(
    {
      ...commonJsEntryPoints,
      "openapi-types": "openapi/generated/service-types.ts",
      "control-plane-types": "openapi/generated/control-plane-types.ts",
    },
    {
      entryFileNames: "[name].d.cts",
      chunkFileNames: ({ name }) => `shared/${name.replace(/\.d$/, "")}.d.cts`,
    },
  );
}

/** @param {Record<string, string>} entryPoints @param {import("rollup").OutputOptions} names */
async function writeDeclarations(entryPoints, names) {
  const input = Object.entries(entryPoints).map(([name, file]) => [
    name,
    `dist/types/${file.replace(/ts$/, "d.ts")}`,
  ]);
  const bundle = await rollup({
    input: Object.fromEntries(input),
    // copies the types of openapi3-ts, the only part of it that is used
    plugins: [publishedTypes, namesOfMembers, dts({ includeExternal: ["openapi3-ts"] }), extensionNames],
    external: (id) => packages.some((name) => id === name || id.startsWith(`${name}/`)),
    onLog(level, log, handler) {
      // shared types that no entry point exports by name
      if (log.plugin !== "dts") handler(level === "warn" ? "error" : level, log);
    },
  });
  await bundle.write({ dir: "dist", format: "es", ...names });
}

/** Writes the command in syntax that every Node can parse, so that an old one can say that it is too old. */
function writeCommand(file, oldest) {
  const [major, minor] = oldest.split(".").map(Number);
  const lines = [
    "#!/usr/bin/env node",
    "var version = process.versions.node.split('.').map(Number);",
    `if (version[0] < ${major} || (version[0] === ${major} && version[1] < ${minor})) {`,
    `  process.stderr.write("data-service: this command needs Node ${oldest} or later, but this is Node " + process.versions.node + "\\n");`,
    "  process.exit(2);",
    "}",
    "// load Node's modules before changing V8 flags, which disable its code cache: saves a seventh of the start",
    '["http", "crypto", "child_process", "dns", "cluster"].forEach(process.getBuiltinModule);',
    "globalThis.Request;",
    'var v8 = process.getBuiltinModule("node:v8");',
    "// V8 would soon optimize SQLite's interpreter, one huge function, which costs more than the rest of the start: wait",
    "// until enough requests have been served. Halves the CPU time of the start",
    'v8.setFlagsFromString("--wasm-tiering-budget=500000000");',
    "// grow the young generation at once instead of through six collections: saves 6 % of the start",
    'v8.setFlagsFromString("--semi-space-growth-factor=8");',
    "// keep compiled code for the next start, where Node can",
    'var module = process.getBuiltinModule("node:module");',
    "if (module.enableCompileCache) module.enableCompileCache();",
    'import("./cli-main.js");',
    "",
  ];
  writeFileSync(file, lines.join("\n"));
  chmodSync(file, 0o755);
}

/** Lists the packages whose code is in a bundle. */
function listBundledPackages({ inputs }) {
  const names = Object.keys(inputs).flatMap((file) => {
    const match = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file);
    return match === null ? [] : [match[1]];
  });
  return [...new Set(names)].sort();
}
