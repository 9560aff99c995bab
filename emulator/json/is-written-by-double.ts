/** Whether a double writes the number back with the very same characters (`1.5`; not `1.50`, `1E5`, `-0`). */
export function isWrittenByDouble(text: string): boolean {
  return String(Number(text)) === text;
}
