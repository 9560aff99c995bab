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
    exclude: { path: "^(dist|scripts/development/bench)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".cjs", ".json", ".d.ts"],
    },
  },
};
