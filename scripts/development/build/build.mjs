/**
 * Builds what the package ships: JavaScript and declarations in dist/, and says so meanwhile.
 * `--js-only` leaves the declarations out and `--types-only` makes them alone. With `--unchecked` they take a third of the
 * time, because mistakes in the types of the sources go unnoticed: `npm ci` builds so, and so does an installation from
 * the repository.
 *
 * Our own code is bundled, because one file loads faster than a hundred; packages stay imports. The command has Hono inside
 * as well, which its start needs; the library imports it, so that users meet the Hono they have installed.
 * Code that needs the version of the package writes
 * `import packageJson from "../../../package.json" with { type: "json" }`, which tsx and vitest understand as well;
 * here it becomes an object of name and version.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
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

/** What the writer of invoices would load for pictures and web pages, of which an invoice has none. */
const partsOfNoUse = ["canvg", "core-js", "dompurify", "html2canvas"];

/** @type {import("esbuild").Plugin} */
const withoutParts = {
  name: "without-parts",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: new RegExp(`^(?:${partsOfNoUse.join("|")})(?:$|/)`) }, ({ path }) => ({
      path,
      namespace: "of-no-use",
    }));
    onLoad({ filter: /.*/, namespace: "of-no-use" }, () => ({ contents: "export default undefined;" }));
  },
};

/** Packages that are not bundled. */
const packages = [...Object.keys(packageJson.dependencies), ...Object.keys(packageJson.peerDependencies)];

/** Entry points that are also available as CommonJS. */
const forRequire = { connect: "emulator/connect.ts", jest: "emulator/jest.ts" };
/** What starts the emulator by command, and what never meets Hono: one set of chunks. */
const withoutHono = { conformance: "conformance/index.ts", ...forRequire };
const command = {
  entryPoints: { "cli-main": "scripts/commands/main.ts", ...withoutHono },
  external: packages.filter((name) => !name.includes("hono")),
};

const library = {
  entryPoints: Object.fromEntries(
    ["index", "node-test", "playwright", "vitest", "vitest-reporter"].map((name) => [
      name,
      `emulator/${name}.ts`,
    ]),
  ),
  external: packages,
};

/**
 * The bundler of declarations does not follow a type that only the parameter of an index signature names.
 *
 * @type {import("rollup").Plugin}
 */
const extensionNames = {
  name: "extension-names",
  renderChunk: (code) => code.replaceAll("[extensionName: IExtensionName]", "[extensionName: `x-${string}`]"),
};

/**
 * The types that openapi-typescript writes are published on their own: other declarations import them.
 *
 * @type {import("rollup").Plugin}
 */
const publishedTypes = {
  name: "published-types",
  resolveId(source) {
    const [, name] = /([\w-]+-types)\.js$/.exec(source) ?? [];
    const isPublished = name === "service-types" || name === "control-plane-types";
    const file = name === "service-types" ? "openapi-types" : name;
    // the bundler takes the folder that all entry points share for that of its output
    return isPublished ? { id: `${root}dist/types/${file}.cjs`, external: "relative" } : undefined;
  },
};

/** Options of all bundles. @type {import("esbuild").BuildOptions} */
const forNode = { bundle: true, platform: "node", target: "node20", logLevel: "warning" };

/** Packages whose code is in the published package. */
const packagesInside = new Set(["sql.js", "htmx.org", "swagger-ui-dist"]);

/** Peers are there for the entry point that is about them, and nothing else may need them. */
const peersOf = {
  "dist/playwright.js": packageJson.peerDependencies,
  "dist/vitest.js": packageJson.peerDependencies,
};

if (!process.argv.includes("--types-only")) {
  await step("the command and the libraries (dist/*.js)", bundle);
  await step("the entry points for CommonJS (dist/*.cjs)", forCommonJs);
  await step("lazily loaded modules (dist/late)", loadedLate);
  await step("the styles and scripts of pages (dist/page-assets)", pageAssets);
  await step("the starting states of the fixtures (dist/starting-states)", startingStates);
  licences();
}
if (!process.argv.includes("--js-only"))
  await step("the declarations (dist/*.d.ts), the slowest step", declarations);

/** On the error output, because `npm pack --json` owns the other one. */
async function step(what, build) {
  process.stderr.write(`building ${what} … `);
  const started = performance.now();
  await build();
  process.stderr.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

async function bundle() {
  // chunks have hashed names, so those of earlier builds would pile up
  rmSync("dist/chunks", { recursive: true, force: true });
  for (const part of [command, library]) {
    const { metafile } = await build({
      ...forNode,
      ...part,
      outdir: "dist",
      splitting: true,
      chunkNames: "chunks/[name]-[hash]",
      format: "esm",
      // names stay, for stack traces
      minifyWhitespace: true,
      minifySyntax: true,
      // Node prints the whole line that an uncaught error comes from
      lineLimit: 160,
      plugins: [versionOnly],
      metafile: true,
    });
    const undeclared = externalPackages(metafile).filter(
      ({ name, file }) => !(name in (peersOf[file] ?? {})) && !(name in packageJson.dependencies),
    );
    if (undeclared.length > 0) {
      const imports = undeclared.map(({ name, file }) => `${name} in ${file}`);
      throw new Error(`the bundle imports what "dependencies" does not list: ${imports.join(", ")}`);
    }
    for (const name of bundledPackages(metafile)) packagesInside.add(name);
  }
  writeCommand("dist/cli.js", packageJson.engines.node.replace(/^\D+/, ""));
  cpSync("node_modules/sql.js/dist/sql-wasm.js", "dist/sqlite/sql-wasm.cjs");
  cpSync("node_modules/sql.js/dist/sql-wasm.wasm", "dist/sqlite/sql-wasm.wasm");
}

/** Writes the licenses of the bundled packages. */
function licences() {
  const texts = [...packagesInside].sort().map((name) => {
    const file = readdirSync(`node_modules/${name}`).find((one) => /^licen[cs]e/i.test(one));
    const text = file === undefined ? "" : readFileSync(`node_modules/${name}/${file}`, "utf8");
    return `${name}\n\n${text}`;
  });
  cpSync("node_modules/swagger-ui-dist/NOTICE", "dist/NOTICE-swagger-ui.txt");
  writeFileSync("dist/THIRD-PARTY-LICENSES.txt", texts.join("\n"));
}

/** The handle on an emulator in another process once more, for test runners that load CommonJS alone. */
async function forCommonJs() {
  await build({
    ...forNode,
    entryPoints: forRequire,
    outdir: "dist",
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    minifyWhitespace: true,
    lineLimit: 160,
  });
}

/**
 * What is loaded when it is needed, each package as one file, and the validators of the requests of the default
 * profile, which without them Ajv would have to be loaded for.
 */
async function loadedLate() {
  rmSync("dist/late", { recursive: true, force: true });
  // before the modules, because Ajv and what writes its validators have to be of one copy
  /** @type {[texts: string[], module: string][]} */
  const validators = JSON.parse(await runScript("write-validators"));
  // the places of the files are those of the lists of texts
  for (const [index, [, contents]] of validators.entries())
    await buildLate(`validators/${index}.cjs`, contents);
  writeFileSync("dist/late/validators/texts.json", JSON.stringify(validators.map(([texts]) => texts)));
  /** @type {Record<string, string>} */
  const files = JSON.parse(readFileSync("openapi/packaged/late-modules.json", "utf8"));
  for (const file of new Set(Object.values(files))) {
    const names = Object.keys(files).filter((name) => files[name] === file);
    const members = names.map(
      (name) => `get ${JSON.stringify(name)}() { return require(${JSON.stringify(name)}); }`,
    );
    await buildLate(file, `module.exports = { ${members.join(", ")} };`);
  }
}

/** @param {string} file @param {string} contents */
async function buildLate(file, contents) {
  const { metafile } = await build({
    ...forNode,
    stdin: { contents, resolveDir: "." },
    outfile: `dist/late/${file}`,
    format: "cjs",
    minify: true,
    // names of classes are part of messages
    keepNames: !file.startsWith("validators/"),
    plugins: [withoutParts],
    metafile: true,
  });
  for (const name of bundledPackages(metafile)) packagesInside.add(name);
}

/** Styles and scripts of the console and of reports, which are read from the package. */
function pageAssets() {
  rmSync("dist/page-assets", { recursive: true, force: true });
  mkdirSync("dist/page-assets");
  const { resolve } = createRequire(import.meta.url);
  const sources = JSON.parse(readFileSync("openapi/html/asset-sources.json", "utf8"));
  for (const [name, { file, module }] of Object.entries(sources)) {
    const source = file === undefined ? resolve(module) : file;
    // maps of scripts are not in the package, and a browser would look for them
    const text = readFileSync(source, "utf8").replace(/\n?\/[/*]# sourceMappingURL=\S+(?: \*\/)?/g, "");
    writeFileSync(`dist/page-assets/${name}.br`, brotliCompressSync(text));
  }
}

/** The starting states are opened from bytes, which is quicker than filling tables at every start. */
async function startingStates() {
  rmSync("dist/starting-states", { recursive: true, force: true });
  await runScript("write-starting-states", "dist/starting-states");
}

/** Builds a script of this folder and runs it. @param {string} name @param {string[]} words */
async function runScript(name, ...words) {
  const script = `dist/cache/${name}.js`;
  const entryPoints = [`scripts/development/build/${name}.ts`];
  const options = { format: "esm", packages: "external", plugins: [versionOnly] };
  await build({ ...forNode, ...options, entryPoints, outfile: script });
  return runNode(script, ...words);
}

/** Runs a script of Node and gives its output; the build ends where it fails. @param {string[]} words */
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

/** One file of declarations for each entry point; what they share is in dist/shared. */
async function declarations() {
  const compiler = fileURLToPath(import.meta.resolve("typescript/bin/tsc"));
  // the scripts are not in the package, and check:types compiles them
  const unchecked = process.argv.includes("--unchecked") ? ["--noCheck"] : [];
  runNode(compiler, "-b", "emulator", "conformance", ...unchecked);
  // tsc emits no declarations for generated JavaScript, and leaves those that stand beside it where they are
  for (const folder of ["openapi", "fixtures", "emulator", "conformance"])
    for (const file of readdirSync(folder, { recursive: true }))
      if (/\.d\.c?ts$/.test(file)) cpSync(`${folder}/${file}`, `dist/types/${folder}/${file}`);
  rmSync("dist/shared", { recursive: true, force: true });
  await writeDeclarations(
    { ...withoutHono, ...library.entryPoints },
    {
      entryFileNames: "[name].d.ts",
      chunkFileNames: ({ name }) => `shared/${name.replace(/\.d$/, "")}.d.ts`,
    },
  );
  // modules of either kind may import types of a CommonJS one
  await writeDeclarations(
    {
      ...forRequire,
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
    // the types of openapi3-ts are copied, because nothing else of it is used
    plugins: [publishedTypes, dts({ includeExternal: ["openapi3-ts"] }), extensionNames],
    external: (id) => packages.some((name) => id === name || id.startsWith(`${name}/`)),
    onLog(level, log, handler) {
      // shared types that no entry point exports by name
      if (log.plugin !== "dts") handler(level === "warn" ? "error" : level, log);
    },
  });
  await bundle.write({ dir: "dist", format: "es", ...names });
}

/** The command, in words that every Node understands: one that is too old says so, and does not show its source. */
function writeCommand(file, oldest) {
  const [major, minor] = oldest.split(".").map(Number);
  const lines = [
    "#!/usr/bin/env node",
    "var version = process.versions.node.split('.').map(Number);",
    `if (version[0] < ${major} || (version[0] === ${major} && version[1] < ${minor})) {`,
    `  process.stderr.write("data-service: this needs Node ${oldest} or later, and this is Node " + process.versions.node + "\\n");`,
    "  process.exit(2);",
    "}",
    "// what a start takes of Node comes from a cache, which Node has for no other flags of V8: a seventh of a start",
    '["http", "crypto", "child_process", "dns", "cluster"].forEach(process.getBuiltinModule);',
    "globalThis.Request;",
    'var v8 = process.getBuiltinModule("node:v8");',
    "// V8 takes SQLite, whose interpreter is one huge function, for hot within a few of its steps, and to optimize it costs",
    "// more than a start, which takes half the processor time without: it is worth it when so many have been made",
    'v8.setFlagsFromString("--wasm-tiering-budget=500000000");',
    "// room for what is new grows at once, not by six collections in the first tenth of a second: 6 % of a start",
    'v8.setFlagsFromString("--semi-space-growth-factor=8");',
    "// where Node can, what it compiles once is kept for the next start",
    'var module = process.getBuiltinModule("node:module");',
    "if (module.enableCompileCache) module.enableCompileCache();",
    'import("./cli-main.js");',
    "",
  ];
  writeFileSync(file, lines.join("\n"));
  chmodSync(file, 0o755);
}

/** Packages whose code is in the bundle. */
function bundledPackages({ inputs }) {
  const names = Object.keys(inputs).flatMap((file) => {
    const match = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file);
    return match === null ? [] : [match[1]];
  });
  return [...new Set(names)].sort();
}

/** Packages that the files of the bundle import, without the modules of Node. */
function externalPackages({ outputs }) {
  return Object.entries(outputs).flatMap(([file, { imports }]) =>
    imports
      .filter(({ external, path }) => external === true && !isBuiltin(path))
      .map(({ path }) => ({ name: /^(@[^/]+\/)?[^/]+/.exec(path)[0], file })),
  );
}
