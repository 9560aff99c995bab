/** Puts a text on one line, even if a deployment indents its bodies. */
export function toOneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]\s*/g, " ").trimEnd();
}
