/** Windows takes these for devices, whatever follows a dot. */
const deviceNames = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;

/** The file of a namespace: another one for each name, also where file names ignore case, and no device of Windows. */
export function toFileName(name: string): string {
  const mark = deviceNames.test(name) ? "==" : "";
  return `${mark}${name.replace(/[A-Z]/g, (letter) => `=${letter.toLowerCase()}`)}.sqlite`;
}

/** The namespace of a file. */
export function toNamespaceName(file: string): string {
  const name = file.slice(0, -".sqlite".length).replace(/^==/, "");
  return name.replace(/=([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
