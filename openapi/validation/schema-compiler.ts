import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type * as AjvModule from "ajv/dist/2020.js";
import type { Ajv2020, Options, ValidateFunction } from "ajv/dist/2020.js";
import type { OpenAPIObject } from "openapi3-ts/oas31";
import { lazyRequire } from "../packaged/lazy-require.js";
import { findPackagedFile } from "../packaged/find-packaged-file.js";
import { resolvePointer } from "./json-pointer.js";
import { memoize } from "../text/memoize.js";

/** Number of compiled schemas at which the cache is cleared, because the number of profiles is unlimited. */
const maxCachedSchemas = 4000;

/**
 * Compiles the schemas of a document. Compiling is slow, and the documents of different profiles have most schemas in
 * common, so a process compiles each schema only once. Schemas are identified by their text, including the texts of the
 * schemas to which they refer.
 */
export class SchemaCompiler {
  readonly #component = memoize((name: string): Component => {
    const schema = this.document.components?.schemas?.[name];
    if (schema === undefined) throw new Error(`the document has no schema ${name}`);
    return { text: JSON.stringify(schema) };
  });

  constructor(private readonly document: OpenAPIObject) {}

  /**
   * @param pointer JSON pointer of the schema in the document
   * @param allErrors whether the validator finds all mistakes instead of only the first
   */
  compile(pointer: string, allErrors: boolean): ValidateFunction {
    const text = this.schemaText(pointer);
    const precompiled = allErrors ? undefined : findPrecompiled(text);
    if (precompiled !== undefined) return precompiled;
    const { ajv, compiled } = getLibrary(allErrors);
    let validate = compiled.get(text);
    if (validate === undefined) {
      this.addReferences(ajv, text);
      validate = ajv.compile(JSON.parse(text) as object);
      compiled.set(text, validate);
    }
    return validate;
  }

  /** Returns a schema as text in which references identify their targets by hash; equal texts mean equal schemas. */
  schemaText(pointer: string): string {
    return this.#resolveReferences(JSON.stringify(resolvePointer(this.document, pointer)));
  }

  /** Adds to Ajv the schemas to which a schema refers, directly or through other schemas. */
  addReferences(ajv: Ajv2020, resolved: string): void {
    for (const [, id = "", name = ""] of resolved.matchAll(resolvedReference)) {
      if (ajv.schemas[id] !== undefined) continue;
      const text = this.#resolveReferences(this.#component(name).text);
      ajv.addSchema(JSON.parse(text) as object, id);
      this.addReferences(ajv, text);
    }
  }

  /** Replaces references, which are relative to the document, with ids that contain hashes. */
  #resolveReferences(text: string): string {
    return text.replaceAll(reference, (_whole, name: string) => `"$ref":"${this.#idOf(name)}"`);
  }

  #idOf(name: string): string {
    const component = this.#component(name);
    if (component.id === undefined) {
      const texts = new Map([[name, component.text]]);
      // the iteration includes texts that are added during it
      for (const text of texts.values())
        for (const [, next = ""] of text.matchAll(reference))
          if (!texts.has(next)) texts.set(next, this.#component(next).text);
      component.id = `contract:${name}:${hashSchema([...texts])}`;
    }
    return component.id;
  }
}

interface Component {
  readonly text: string;
  /** The name and a hash of the text and of all texts to which it refers. */
  id?: string;
}

const reference = /"\$ref":"#\/components\/schemas\/([^"/]+)"/g;
const resolvedReference = /"\$ref":"(contract:([^":]+):[0-9a-f]+)"/g;

interface Library {
  readonly ajv: Ajv2020;
  readonly compiled: Map<string, ValidateFunction>;
}

const libraries = new Map<boolean, Library>();

function getLibrary(allErrors: boolean): Library {
  let library = libraries.get(allErrors);
  if (library === undefined || library.compiled.size >= maxCachedSchemas) {
    library = { ajv: createAjv(allErrors), compiled: new Map() };
    libraries.set(allErrors, library);
  }
  return library;
}

/** Creates Ajv with the options that the contract's schemas need. Ajv is loaded on first use to save time at startup. */
export function createAjv(allErrors: boolean, code?: Options["code"]): Ajv2020 {
  const { Ajv2020: Ajv } = lazyRequire("ajv/dist/2020.js") as typeof AjvModule;
  const ajv = new Ajv({
    ...(code === undefined ? {} : { code }),
    allErrors,
    allowUnionTypes: true,
    strictRequired: false,
    // tests validate the document; compiling the meta-schema would take a tenth of a second
    meta: false,
    validateSchema: false,
    // patterns next to the formats check the values
    formats: { "date-time": true, uri: true, int64: true, email: true, binary: true },
    // gives `describeSchemaError` the rejected value
    verbose: true,
  });
  ajv.addVocabulary(["x-gap", "x-compare", "x-nullable", "example"]);
  ajv.addKeyword({ keyword: "x-pattern", schemaType: "string", macro: (pattern: string) => ({ pattern }) });
  return ajv;
}

const require = createRequire(import.meta.url);

/** Locations of precompiled validators, by the text or hash of their schema. */
let locations: ReadonlyMap<string, { file: string; name: string }> | undefined;

/**
 * Finds a validator that the build has compiled: for requests under the default profile, requests to the control plane,
 * and seed files. Without them, loading Ajv would take most of the time until the first response.
 *
 * @param text the text of the schema from `SchemaCompiler.schemaText`, or the hash of a schema
 */
export function findPrecompiled(text: string): ValidateFunction | undefined {
  locations ??= readLocations();
  const location = locations.get(text);
  if (location === undefined) return undefined;
  return (require(location.file) as Record<string, ValidateFunction>)[location.name];
}

/** Returns a hash of a schema, by which a long schema is identified instead of its text. */
export function hashSchema(schema: object): string {
  return createHash("sha256").update(JSON.stringify(schema)).digest("hex");
}

function readLocations(): ReadonlyMap<string, { file: string; name: string }> {
  const list = findPackagedFile("late/validators/texts.json");
  if (list === undefined) return new Map();
  const files = JSON.parse(readFileSync(list, "utf8")) as readonly (readonly string[])[];
  return new Map(
    files.flatMap((texts, number) =>
      texts.map((text, index) => [text, { file: join(dirname(list), `${number}.cjs`), name: `v${index}` }]),
    ),
  );
}
