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

/** Number of cached schemas before the cache is cleared: the number of profiles is unlimited. */
const maxSchemas = 4000;

/**
 * Compiles the schemas of a document. Most of a document is what those of other profiles have as well, and compiling
 * is what takes long: schemas are known by what they say, with all they refer to, and compiled once a process.
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
   * @param allErrors whether the schema goes on after the first mistake
   */
  compile(pointer: string, allErrors: boolean): ValidateFunction {
    const text = this.schemaText(pointer);
    const ahead = allErrors ? undefined : findPrecompiled(text);
    if (ahead !== undefined) return ahead;
    const { ajv, compiled } = getLibrary(allErrors);
    let validate = compiled.get(text);
    if (validate === undefined) {
      this.addReferences(ajv, text);
      validate = ajv.compile(JSON.parse(text) as object);
      compiled.set(text, validate);
    }
    return validate;
  }

  /** What a schema says, whose references say what they mean: schemas of the same text accept the same. */
  schemaText(pointer: string): string {
    return this.#resolved(JSON.stringify(resolvePointer(this.document, pointer)));
  }

  /** Gives Ajv what a schema refers to, directly or through others. */
  addReferences(ajv: Ajv2020, resolved: string): void {
    for (const [, id = "", name = ""] of resolved.matchAll(resolvedReference)) {
      if (ajv.schemas[id] !== undefined) continue;
      const text = this.#resolved(this.#component(name).text);
      ajv.addSchema(JSON.parse(text) as object, id);
      this.addReferences(ajv, text);
    }
  }

  /** A schema whose references say what they mean, whatever document it is from. */
  #resolved(text: string): string {
    return text.replaceAll(reference, (_whole, name: string) => `"$ref":"${this.#idOf(name)}"`);
  }

  #idOf(name: string): string {
    const component = this.#component(name);
    if (component.id === undefined) {
      // a map is gone through to what is added meanwhile
      const meant = new Map([[name, component.text]]);
      for (const text of meant.values())
        for (const [, next = ""] of text.matchAll(reference))
          if (!meant.has(next)) meant.set(next, this.#component(next).text);
      component.id = `contract:${name}:${createHash("sha256")
        .update(JSON.stringify([...meant]))
        .digest("hex")}`;
    }
    return component.id;
  }
}

interface Component {
  readonly text: string;
  /** Its name, and what it means. */
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
  if (library === undefined || library.compiled.size >= maxSchemas) {
    library = { ajv: createAjv(allErrors), compiled: new Map() };
    libraries.set(allErrors, library);
  }
  return library;
}

/** Ajv as schemas of the contract want it; it is loaded with the first of them, because that costs start-up time. */
export function createAjv(allErrors: boolean, code?: Options["code"]): Ajv2020 {
  const { Ajv2020: Ajv } = lazyRequire("ajv/dist/2020.js") as typeof AjvModule;
  const ajv = new Ajv({
    ...(code === undefined ? {} : { code }),
    allErrors,
    allowUnionTypes: true,
    strictRequired: false,
    // the document is checked by its own tests; compiling the schema of schemas would cost a tenth of a second
    meta: false,
    validateSchema: false,
    // formats are checked by the patterns beside them
    formats: { "date-time": true, uri: true, int64: true, email: true, binary: true },
    // shows the refused value to `describeSchemaError`
    verbose: true,
  });
  ajv.addVocabulary(["x-gap", "x-compare", "x-nullable", "example"]);
  ajv.addKeyword({ keyword: "x-pattern", schemaType: "string", macro: (pattern: string) => ({ pattern }) });
  return ajv;
}

const require = createRequire(import.meta.url);

/** Where the validators are, by the texts of their schemas. */
let places: ReadonlyMap<string, { file: string; name: string }> | undefined;

/**
 * The validator of a schema that the build has compiled, as it has those of every request of the default profile and of
 * the control plane, and of seed files: loading Ajv and compiling with it would be most of the time to the first answer.
 *
 * @param text what the schema says, as `SchemaCompiler.schemaText` gives it, or its hash
 */
export function findPrecompiled(text: string): ValidateFunction | undefined {
  places ??= readPlaces();
  const place = places.get(text);
  if (place === undefined) return undefined;
  return (require(place.file) as Record<string, ValidateFunction>)[place.name];
}

/** What a long schema is found by instead of its text. */
export function hashSchema(schema: object): string {
  return createHash("sha256").update(JSON.stringify(schema)).digest("hex");
}

function readPlaces(): ReadonlyMap<string, { file: string; name: string }> {
  const list = findPackagedFile("late/validators/texts.json");
  if (list === undefined) return new Map();
  const files = JSON.parse(readFileSync(list, "utf8")) as readonly (readonly string[])[];
  return new Map(
    files.flatMap((texts, number) =>
      texts.map((text, index) => [text, { file: join(dirname(list), `${number}.cjs`), name: `v${index}` }]),
    ),
  );
}
