/** Puts a text on one line, without space at its ends and at the ends of its lines; takes linear time. */
export function toOneLine(text: string): string {
  const lines = text.split(/[\r\n]/).map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ");
}
