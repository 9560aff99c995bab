import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import packageJson from "../../../package.json" with { type: "json" };

/**
 * Compiles the TypeScript files in a folder under strict rules, with the package that is installed there, and lists the
 * files that have errors. Checks the declarations of the package, but not those of other packages, which would take
 * longer than everything else.
 *
 * @param browserFiles the files to compile, without Node's types. Defaults to all files in the folder, with Node's types.
 */
export function listTypeErrors(place: string, browserFiles?: readonly string[]): readonly string[] {
  // the compiler resolves links in the names of files in node_modules
  const folder = realpathSync(place);
  const files =
    browserFiles?.map((name) => join(folder, name)) ??
    ts.sys.readDirectory(folder, [".ts"], ["node_modules"], ["*.ts"]);
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    ...(browserFiles === undefined
      ? {}
      : { lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"] }),
    types: browserFiles === undefined ? ["node"] : [],
    typeRoots: [join(folder, "node_modules/@types")],
  });
  const packageFolder = join(folder, "node_modules", packageJson.name);
  const checkedFiles = program
    .getSourceFiles()
    .filter(({ fileName }) => files.includes(fileName) || fileName.startsWith(`${packageFolder}/`));
  const diagnostics = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...checkedFiles.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ];
  const names = diagnostics.map(({ file, messageText }) =>
    file === undefined ? ts.flattenDiagnosticMessageText(messageText, " ") : relative(folder, file.fileName),
  );
  return [...new Set(names)].sort();
}
