/** Where the console is, below a namespace. */
export const consolePath = "/_emulator/console";

export function isConsolePath(path: string): boolean {
  return path === consolePath || path.startsWith(`${consolePath}/`);
}
