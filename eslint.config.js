import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

const noEnums = {
  selector: "TSEnumDeclaration",
  message:
    "Use a union of literal types: an enum exists at run time, and its values can be compared with any number.",
};

export default defineConfig(
  {
    ignores: [
      "dist/**",
      "**/node_modules/**",
      "coverage/**",
      "reports/**",
      "**/generated/**",
      // they import clients that have not been generated yet
      "scripts/clients/round-trips/**",
      "scripts/site/dist/**",
    ],
  },
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
  },
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        // a single program for all folders, because otherwise shared files would be checked several times
        project: "tsconfig.lint.json",
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      // allow numbers in messages and paths, but not objects
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      // `void` functions in arrow shorthand read well in tests and event handlers
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // takes as long as ten other rules, and applies only to enums, which the next rule forbids
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      "no-restricted-syntax": ["error", noEnums],
      eqeqeq: "error",
      "no-console": "error",
    },
  },
  {
    // the Vitest configuration does not belong to a TypeScript project
    files: ["vitest.config.ts"],
    extends: [tseslint.configs.disableTypeChecked],
  },
  {
    // commands and the benchmark print to the terminal
    files: ["scripts/**/*.ts"],
    rules: { "no-console": "off" },
  },
  {
    // tests and checks read bodies of any structure, after the client has validated them against the contract
    files: [
      "conformance/{checks,mutants,observe,steps}/**/*.ts",
      "scripts/acceptance/observed-oddities.test.ts",
    ],
    rules: {
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  {
    // scripts that browsers load
    files: ["{emulator/console,openapi/html}/*.client.js"],
    languageOptions: {
      globals: {
        document: "readonly",
        Element: "readonly",
        getSelection: "readonly",
        navigator: "readonly",
        SwaggerUIBundle: "readonly",
        window: "readonly",
      },
    },
  },
  {
    // configuration files and build scripts, which Node runs directly
    files: ["**/*.js", "**/*.mjs", "**/*.cjs"],
    languageOptions: {
      globals: {
        console: "readonly",
        fetch: "readonly",
        module: "writable",
        performance: "readonly",
        process: "readonly",
        Response: "readonly",
        setTimeout: "readonly",
        URL: "readonly",
      },
    },
    rules: {
      eqeqeq: "error",
      "no-undef": "error",
      "no-unreachable": "error",
      "no-unused-vars": "error",
      "no-var": "error",
      "prefer-const": "error",
    },
  },
);
