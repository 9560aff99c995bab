/** Whether a double prints the number with the same characters (`1.5`; not `1.50`, `1E5`, `-0`). */
export function isWrittenByDouble(text: string): boolean {
  return String(Number(text)) === text;
}
