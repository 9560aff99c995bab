import packageJson from "../../package.json" with { type: "json" };

/** Name and version of the package that the suite comes in. */
export const suiteInfo = { name: packageJson.name, version: packageJson.version } as const;
