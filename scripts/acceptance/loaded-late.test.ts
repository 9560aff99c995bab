import fc from "fast-check";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { ValidateFunction } from "ajv";
import { buildSeedSchema } from "../../emulator/seeds/build-seed-schema.js";
import { buildControlPlaneDocument } from "../../openapi/control-plane/document.js";
import { buildDocument } from "../../openapi/document/document.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { hashSchema, SchemaCompiler } from "../../openapi/validation/schema-compiler.js";
import { resolvePointer } from "../../openapi/validation/json-pointer.js";
import { listRequestSchemas } from "../../openapi/validation/locate-operations.js";
import { Launcher } from "../commands/testing/built-command.js";
import { repositoryRoot } from "../development/contract/guides.js";

const require = createRequire(import.meta.url);
const ahead = Object.fromEntries(
  (require("../../dist/late/validators/texts.json") as readonly (readonly string[])[]).flatMap(
    (texts, number) => {
      const validators = require(`../../dist/late/validators/${number}.cjs`) as Readonly<
        Record<string, ValidateFunction>
      >;
      return texts.map((text, index) => [text, validators[`v${index}`]]);
    },
  ),
);

const schemas = [buildDocument(defaultProfile), buildControlPlaneDocument()].flatMap((document) => {
  const compiler = new SchemaCompiler(document);
  return listRequestSchemas(document).map((pointer) => ({ document, compiler, pointer }));
});

/**
 * Generates values with a mistake that a client might make: a field is missing, unknown or replaced with another value.
 */
function invalidValueArbitrary(example: unknown): fc.Arbitrary<unknown> {
  if (typeof example !== "object" || example === null) return fc.oneof(fc.constant(example), fc.jsonValue());
  if (Array.isArray(example))
    return fc.oneof(
      { weight: 5, arbitrary: fc.tuple(...example.map(invalidValueArbitrary)) },
      fc.constant([...(example as unknown[]), ...(example as unknown[])]),
      fc.jsonValue(),
    );
  const members = Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, invalidValueArbitrary(value)]),
  );
  return fc.oneof(
    { weight: 5, arbitrary: fc.record(members, { requiredKeys: [] }) },
    fc.record({ ...members, extra: fc.jsonValue() }),
    fc.jsonValue(),
  );
}

/** Returns the document's example of a body; undefined for parameters. */
function getExample(document: object, pointer: string): unknown {
  const { example, examples = {} } = resolvePointer(document, pointer.replace(/\/schema$/, "")) as {
    readonly example?: unknown;
    readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
  };
  return example ?? Object.values(examples)[0]?.value;
}

describe("validators compiled by the build", () => {
  it("cover every request of the default profile and of the control plane, and seed files", () => {
    expect(schemas.length).toBeGreaterThan(40);
    const texts = new Set([
      ...schemas.map(({ compiler, pointer }) => compiler.schemaText(pointer)),
      hashSchema(buildSeedSchema()),
    ]);
    expect(Object.keys(ahead).sort()).toEqual([...texts].sort());
  });

  it("report what Ajv reports", () => {
    for (const { document, compiler, pointer } of schemas) {
      const compiled = compiler.compile(pointer, false);
      const validator = ahead[compiler.schemaText(pointer)];
      const results = (validate: ValidateFunction | undefined, value: unknown) => [
        validate?.(value),
        validate?.errors,
      ];
      fc.assert(
        fc.property(invalidValueArbitrary(getExample(document, pointer)), (value) => {
          expect(results(validator, value)).toEqual(results(compiled, value));
        }),
        { numRuns: 20 },
      );
    }
  });
});

it("parsers do not set the names of their functions, which they would do at each call", () => {
  for (const name of ["sql-grammar", "condition-grammar"])
    expect(readFileSync(`dist/late/${name}.cjs`, "utf8")).not.toContain('"name",{value:');
});

describe("a start", () => {
  const launcher = new Launcher();
  afterAll(() => launcher.killAll());

  it("loads neither Ajv nor parsers before the first response", async () => {
    // lists the loaded built-in modules of Node, and the loaded files
    const tell = `process.on("exit", () => {
      const { createRequire } = process.getBuiltinModule("node:module");
      const loaded = [...process.moduleLoadList, ...Object.keys(createRequire("${repositoryRoot}/x.js").cache)];
      process.stderr.write(JSON.stringify(loaded));
    })`;
    const { child, ended, firstLine } = launcher.launch(["start", "--port", "0", "--json"], {
      cwd: repositoryRoot,
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(tell)}` },
    });
    const { url } = JSON.parse(await firstLine) as { readonly url: string };
    const { status } = await fetch(`${url}/api/v1/databases/db_demo/items`, {
      method: "PUT",
      headers: { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" },
      body: JSON.stringify({ pk: "a", data: {} }),
    });
    child.kill("SIGINT");
    const loaded = JSON.parse((await ended).stderr) as readonly string[];
    expect(status).toBe(200);
    expect(loaded.filter((name) => name.includes("late/validators/"))).toHaveLength(1);
    expect(loaded.filter((name) => /ajv|jsonwebtoken|yaml|grammar/.test(name))).toEqual([]);
  });

  it("does not make V8 optimize SQLite before the first response", async () => {
    const { child, ended, firstLine, shown } = launcher.launch(["start", "--port", "0"], {
      cwd: repositoryRoot,
      node: ["--trace-wasm-compilation-times"],
    });
    await firstLine;
    await vi.waitUntil(() => shown().includes("Ctrl+C"), { timeout: 180_000 });
    const url = /http:\S+/.exec(shown())?.[0] ?? "";
    expect((await fetch(`${url}/health`)).status).toBe(200);
    child.kill("SIGINT");
    const { stdout } = await ended;
    const compiledBy = (compiler: string) => stdout.match(new RegExp(`using ${compiler}`, "g"))?.length ?? 0;
    expect(compiledBy("Liftoff")).toBeGreaterThan(100);
    expect(compiledBy("TurboFan")).toBe(0);
  });
});
