import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const contract = join(root, "openapi/openapi.json");

/** Folder of the generated clients, with a subfolder for each. */
export const folder = join(root, "dist/cache/clients");

const jar = join(folder, "openapi-generator-cli-7.25.0.jar");
const python = join(folder, "venv/bin/python");

// tools of the generators: programs that must be on the PATH, and commands that install everything else before its
// first use
const openapiGenerator = {
  programs: ["java", "mvn"],
  install: [
    [
      "mvn",
      ...["--batch-mode", "--quiet", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"],
      ...["-Dartifact=org.openapitools:openapi-generator-cli:7.25.0", `-DoutputDirectory=${folder}`],
    ],
  ],
};
const virtualEnvironment = {
  programs: ["python3"],
  install: [
    ["python3", "-m", "venv", join(folder, "venv")],
    [python, "-m", "pip", "install", "--quiet", "--requirement", join(here, "requirements.txt")],
  ],
};
const go = { programs: ["go"], install: [] };

// commands shared by several generators
const generateByJava = (generator, output, ...properties) => [
  ...["java", "-jar", jar, "generate", "-i", contract, "-g", generator, "-o", output],
  // by default, the generated Go and Java clients reject fields that are not in the document
  `--additional-properties=${["disallowAdditionalPropertiesIfNotPresent=false", ...properties].join(",")}`,
];
const byNpm = (name) => join(here, "node_modules/.bin", name);
const asTypeScript = {
  compile: [join(root, "node_modules/.bin/tsc"), "-p", "."],
  run: [join(root, "node_modules/.bin/tsx"), "round-trip.ts"],
};

/** The generators, each with its tools and with the commands to run in the client's folder. */
export const generators = [
  {
    name: "openapi-generator-python",
    tools: [openapiGenerator, virtualEnvironment],
    generate: generateByJava("python", "."),
    compile: [python, "-m", "compileall", "-q", "openapi_client"],
    run: [python, "round_trip.py"],
  },
  {
    name: "openapi-generator-go",
    tools: [openapiGenerator, go],
    generate: generateByJava("go", "client", "packageName=client", "withGoMod=false"),
    compile: ["go", "build", "-o", "round-trip", "."],
    run: ["./round-trip"],
  },
  {
    name: "openapi-generator-java",
    tools: [openapiGenerator],
    generate: generateByJava("java", "."),
    compile: ["mvn", "--batch-mode", "--quiet", "compile"],
    run: [
      ...["mvn", "--batch-mode", "--quiet", "org.codehaus.mojo:exec-maven-plugin:3.5.0:java"],
      "-Dexec.mainClass=RoundTrip",
    ],
  },
  {
    name: "openapi-generator-typescript-fetch",
    tools: [openapiGenerator],
    generate: generateByJava("typescript-fetch", "client"),
    ...asTypeScript,
  },
  {
    name: "openapi-python-client",
    tools: [virtualEnvironment],
    generate: [
      ...[join(folder, "venv/bin/openapi-python-client"), "generate", "--path", contract],
      ...["--meta", "none", "--output-path", "client"],
    ],
    compile: [python, "-m", "compileall", "-q", "client"],
    run: [python, "round_trip.py"],
  },
  {
    name: "oapi-codegen",
    tools: [go],
    generate: [
      ...["go", "run", "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"],
      ...["-generate", "types,client", "-package", "client", "-o", "client/client.go", contract],
    ],
    compile: ["go", "build", "-o", "round-trip", "."],
    run: ["./round-trip"],
  },
  {
    name: "hey-api",
    tools: [],
    generate: [byNpm("openapi-ts"), "--input", contract, "--output", "client", "--silent"],
    ...asTypeScript,
  },
  {
    name: "orval",
    tools: [],
    generate: [byNpm("orval"), "--config", "orval.config.mjs", "--quiet"],
    ...asTypeScript,
  },
  {
    name: "swagger-typescript-api",
    tools: [],
    generate: [
      ...[byNpm("swagger-typescript-api"), "generate", "--path", contract],
      ...["--output", "client", "--name", "client.ts", "--silent"],
    ],
    ...asTypeScript,
  },
];
