/** Whether a text is the path of a seed file, and no name of a fixture. */
export function isSeedPath(text: string): boolean {
  return /[\\/]/.test(text) || /\.(?:ya?ml|json)$/i.test(text);
}
