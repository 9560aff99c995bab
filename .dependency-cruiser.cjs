/** Which folders may import which others (see ARCHITECTURE.md). */

/** A top-level folder may import itself and the allowed ones. */
const allowImports = (from, allowed, comment) => ({
  name: `${from}-imports`,
  comment,
  severity: "error",
  from: { path: `^${from}/` },
  to: {
    path: "^(openapi|fixtures|emulator|conformance|scripts)/",
    pathNot: `^(${[from, ...allowed].join("|")})/`,
  },
});

/**
 * The layers of each folder, lowest first. A layer is a subfolder; it may import itself and lower layers. No layer imports
 * the files of the folder itself, which are its entry points. Tests may import anything in their folder.
 */
const layers = {
  openapi: [
    "packaged",
    "text",
    "html",
    "clauses",
    "gaps",
    "schemas",
    "operations",
    "document",
    "situations",
    "control-plane",
    "validation",
    "trace",
  ],
  emulator: [
    "memory",
    "json",
    "domain",
    "expressions",
    "time",
    "repositories",
    "sqlite",
    "sql",
    "store",
    "state-files",
    "billing",
    "world",
    "access",
    "organizations",
    "request",
    "handlers",
    "faults",
    "journal",
    "coverage",
    "namespaces",
    "service",
    "control",
    "seeds",
    "console",
    "app",
    "server",
    "api",
  ],
  "emulator/sql": ["grammar", "types"],
  conformance: [
    "client",
    "models",
    "generators",
    "target",
    "resources",
    "check",
    "steps",
    "checks",
    "run",
    "observe",
    "subjects",
    "report",
    "compare",
    "report-files",
    "mutants",
  ],
  "conformance/checks": ["access", "items", "transactions", "sql", "sequences"],
  "conformance/report-files": ["html"],
  scripts: ["action", "commands", "development", "acceptance"],
  "scripts/development": [
    "build",
    "release",
    "contract",
    "inputs",
    "self-test",
    "growth",
    "fuzz",
    "prism",
    "observe",
    "odd-deployment",
    "compare",
  ],
};

/** Files to which the layers do not apply: tests, their helpers and generated files. */
const exempt = "\\.(test|model|arbitrary)\\.ts$|/(testing|generated)/";

const layerRules = Object.entries(layers).flatMap(([folder, names]) => [
  ...names.map((name, index) => ({
    name: `layers-of-${folder}`,
    comment: `${folder}/${name} may import the lower layers: ${names.slice(0, index).join(", ") || "none"}.`,
    severity: "error",
    from: { path: `^${folder}/${name}/`, pathNot: exempt },
    to: {
      path: `^${folder}/`,
      pathNot: `^${folder}/(${[...names.slice(0, index + 1), "generated"].join("|")})/`,
    },
  })),
  {
    name: `layers-of-${folder}`,
    comment: `Add a new folder of ${folder} to the layers in .dependency-cruiser.cjs.`,
    severity: "error",
    from: { path: `^${folder}/[^/]+/`, pathNot: [`^${folder}/(${names.join("|")})/`, exempt] },
    to: {},
  },
]);

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "no-circular",
      comment: "Files that import each other, even only for types, cannot be understood one at a time.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "not-to-unresolvable",
      comment: "An import that cannot be resolved escapes every other rule here.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    allowImports("openapi", [], "The contract imports no other folder."),
    allowImports("fixtures", ["openapi"], "Fixtures are data in the shapes of the contract."),
    {
      name: "fixtures-are-data",
      comment: "Fixtures import only types from the contract; their tests may validate with it.",
      severity: "error",
      from: { path: "^fixtures/", pathNot: "\\.test\\.ts$" },
      to: { path: "^openapi/", dependencyTypesNot: ["type-only"] },
    },
    allowImports("emulator", ["openapi", "fixtures"], "The emulator does not import the conformance suite."),
    allowImports(
      "conformance",
      ["openapi"],
      "The suite knows a deployment only through HTTP and the contract.",
    ),
    ...layerRules,
    {
      name: "no-test-imports",
      comment: "Nothing imports a test file.",
      severity: "error",
      from: {},
      to: { path: "\\.test\\.ts$" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // separate packages, whose dependencies are not installed here
    exclude: {
      path: "^(dist|scripts/bench|scripts/clients|scripts/jest|scripts/runtimes|scripts/site|scripts/testcontainers)/",
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".cjs", ".json", ".d.ts"],
    },
  },
};
