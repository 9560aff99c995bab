import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import packageJson from "../../../package.json" with { type: "json" };

/**
 * Compiles the TypeScript of a folder under strict rules, with the package as it is installed there, and names the files
 * that the compiler complains of. Of the declarations only the package's own are looked at: what others declare says
 * nothing about it, and takes longer than all the rest.
 *
 * @param browserFiles those of a project for browsers, without the types of Node; all files of the folder, with them, otherwise
 */
export function listTypeErrors(place: string, browserFiles?: readonly string[]): readonly string[] {
  // as the compiler names what it finds in node_modules
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
  const own = join(folder, "node_modules", packageJson.name);
  const looked = program
    .getSourceFiles()
    .filter(({ fileName }) => files.includes(fileName) || fileName.startsWith(`${own}/`));
  const complaints = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...looked.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ];
  const names = complaints.map(({ file, messageText }) =>
    file === undefined ? ts.flattenDiagnosticMessageText(messageText, " ") : relative(folder, file.fileName),
  );
  return [...new Set(names)].sort();
}
