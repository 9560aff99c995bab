/** The arrows between the folders (see ARCHITECTURE.md): who may import whom. */

/** A folder may import itself, and of our other folders only the allowed ones. */
const arrow = (from, allowed, comment) => ({
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
 * The rooms of a folder from the ground up: each imports itself and rooms below it, never one beside or above. The files
 * of the folder itself are its roof, which nobody inside imports. Tests build whole worlds wherever they stand.
 */
const rooms = {
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
  "conformance/checks": ["items", "transactions", "sql", "sequences"],
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
    "together",
    "compare",
  ],
};

/** What may stand in a room without being of it: tests and what they work with, and what is generated. */
const aside = "\\.(test|model|arbitrary)\\.ts$|/(testing|generated)/";

const roomRules = Object.entries(rooms).flatMap(([folder, names]) => [
  ...names.map((name, floor) => ({
    name: `rooms-of-${folder}`,
    comment: `${folder}/${name} imports rooms below it: ${names.slice(0, floor).join(", ") || "none"}.`,
    severity: "error",
    from: { path: `^${folder}/${name}/`, pathNot: aside },
    to: {
      path: `^${folder}/`,
      pathNot: `^${folder}/(${[...names.slice(0, floor + 1), "generated"].join("|")})/`,
    },
  })),
  {
    name: `rooms-of-${folder}`,
    comment: `A new folder of ${folder} gets its floor in the list of rooms in .dependency-cruiser.cjs.`,
    severity: "error",
    from: { path: `^${folder}/[^/]+/`, pathNot: [`^${folder}/(${names.join("|")})/`, aside] },
    to: {},
  },
]);

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "no-circular",
      comment: "Files that import each other, be it for types alone, cannot be understood one at a time.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "not-to-unresolvable",
      comment: "An import that leads nowhere also escapes every other rule here.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    arrow("openapi", [], "The contract stands alone."),
    arrow("fixtures", ["openapi"], "Fixtures are data in the shapes of the contract."),
    {
      name: "fixtures-are-data",
      comment:
        "Fixtures take types from the contract and nothing that runs; their tests may validate with it.",
      severity: "error",
      from: { path: "^fixtures/", pathNot: "\\.test\\.ts$" },
      to: { path: "^openapi/", dependencyTypesNot: ["type-only"] },
    },
    arrow("emulator", ["openapi", "fixtures"], "The emulator never knows the conformance suite."),
    arrow("conformance", ["openapi"], "The suite knows a deployment through HTTP and the contract alone."),
    ...roomRules,
    {
      name: "no-test-imports",
      comment: "What a test file defines is for that test.",
      severity: "error",
      from: {},
      to: { path: "\\.test\\.ts$" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // the benchmark is a package of its own, with packages that are not installed here
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
