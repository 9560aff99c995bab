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
      // they import clients that are yet to be generated
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
        // one program for all folders: with one for each, what several import would be checked several times
        project: "tsconfig.lint.json",
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      // numbers in messages and paths are wanted; objects are not
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
      // costs as much as ten others, and is about enums, of which there are none: see the next rule
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      "no-restricted-syntax": ["error", noEnums],
      eqeqeq: "error",
      "no-console": "error",
    },
  },
  {
    // the configuration of vitest belongs to no TypeScript project
    files: ["vitest.config.ts"],
    extends: [tseslint.configs.disableTypeChecked],
  },
  {
    // the command line and the benchmark speak to a terminal
    files: ["scripts/**/*.ts"],
    rules: { "no-console": "off" },
  },
  {
    // bodies of every shape are looked into there, once the client has held them against the contract
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
    files: ["conformance/checks/**/*.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        noEnums,
        {
          selector:
            "CallExpression[callee.property.name='property'][callee.object.name='context']:not(:has(Property[key.name='names']))",
          message: "Name the inputs of the property with `names`: reports of failures show these names.",
        },
      ],
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
    // configuration and build scripts that Node runs as they are
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
